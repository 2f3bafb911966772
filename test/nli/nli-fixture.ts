import { createStageContext, NOOP_HOST } from '../../src/run/run-host.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, StageContext } from '../../src/stage.js';

/** A whole score from its entailment: the rest is shared by the two other labels. */
export function scoreOf(entailment: number): EntailmentScore {
  const rest = (1 - entailment) / 2;
  return { entailment, neutral: rest, contradiction: rest, entailmentLogit: entailment * 10 - 5, reading: null };
}

/** Scores by a function in place of a model, and notes what was asked of it and in which batches. */
export class FakeScorer implements EntailmentScorer {
  readonly id = 'fake';
  readonly fingerprint = 'fake:1';
  readonly asked: EntailmentPair[] = [];
  readonly batches: number[] = [];
  readonly #entailment: (pair: EntailmentPair) => number;

  constructor(entailment: (pair: EntailmentPair) => number) {
    this.#entailment = entailment;
  }

  async score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    context.signal.throwIfAborted();
    this.asked.push(...pairs);
    this.batches.push(pairs.length);
    return pairs.map((pair) => scoreOf(this.#entailment(pair)));
  }
}

/** The context of a silent run with the product's own random streams. */
export function createContext(seed = 1, signal = NOOP_HOST.signal): StageContext {
  return createStageContext(seed, { ...NOOP_HOST, signal });
}
