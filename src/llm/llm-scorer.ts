import type { ChatPrompt } from '../chat/chat-asker.js';
import { fillPrompt, type PromptTemplate, shippedPrompt } from '../formats/exports/prompt-template.js';
import { settleAll } from '../run/concurrency.js';
import type { EntailmentPair, EntailmentScore, EntailmentScorer, Reading, StageContext } from '../stage.js';
import { type Judgment, pairId, readJudgments, scoreOfJudgment } from './judgment.js';
import type { AskedKind, ModelAsker } from './model-asker.js';

/** Pairs of one call: more make the model lose count, fewer send the instructions more often. */
const PAIRS_PER_CALL = 20;

/**
 * From where on a language model's reading counts as a yes. Models that are asked for probabilities are generous: of 320
 * names in their tables (training/readings/judged-by-llm.tsv) readers took 49% of the replacements
 * from 0.5 on and 66% from 0.7 on, and 73 and 81% of the additions.
 */
export const LLM_READING: Reading = { replacement: 0.7, addition: 0.7, topic: 0.5 };

export const loadJudgmentPrompt = shippedPrompt('judgment-1', ['pairs']);

/** Renders the prompt about pairs: two statements each, not which one is the table's nor where the other comes from. */
export function renderJudgmentPrompt(pairs: readonly EntailmentPair[], template: PromptTemplate): ChatPrompt {
  const lines = pairs.map(({ premise, hypothesis }, i) => `${i + 1}. first: ${premise}\n   second: ${hypothesis}`);
  return fillPrompt(template, { pairs: lines.join('\n') });
}

/** Several pairs: an answer that can't be used costs another call for each. */
const batchOf = (pairs: number): AskedKind<readonly Judgment[]> => ({
  items: 'lists of pairs',
  lacking: 'judgments as a list',
  read: (answer) => readJudgments(answer, pairs),
});

/** A pair alone: without its judgment nothing can be decided. */
const ALONE: AskedKind<readonly Judgment[]> = {
  items: 'single pairs',
  lacking: 'judgment',
  read: (answer) => readJudgments(answer, 1),
  isNeeded: true,
};

/**
 * ADVETA §4.4 with a language model for the judge. It reads one direction of a pair at a time, as an NLI model does,
 * and says as well how the second name reads. Pairs share a call, so a score can depend on its neighbors as far as the
 * model lets it: the prompt forbids it, and scores that are known are never asked for again.
 */
export class LlmScorer implements EntailmentScorer {
  readonly id = 'llm';
  readonly fingerprint: string;
  readonly batchSize = PAIRS_PER_CALL;
  readonly #asker: ModelAsker;
  readonly #template: PromptTemplate;

  /** @throws ConfigError or InputFormatError when the prompt can't be used */
  constructor(asker: ModelAsker) {
    this.#asker = asker;
    this.#template = loadJudgmentPrompt();
    this.fingerprint = `llm-judge-1:${asker.fingerprint(this.#template)}`;
  }

  /**
   * @throws EndpointError or ConfigError when the model can't be asked or does not judge; then no call is under way any
   * more
   */
  async score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]> {
    const batches: (readonly EntailmentPair[])[] = [];
    for (let at = 0; at < pairs.length; at += PAIRS_PER_CALL) batches.push(pairs.slice(at, at + PAIRS_PER_CALL));
    const judged = await settleAll(batches.map((batch) => this.#judge(batch, context)));
    return judged.flat().map(scoreOfJudgment);
  }

  async #judge(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly Judgment[]> {
    const [first] = pairs;
    if (first === undefined) return [];
    if (pairs.length > 1) {
      const id = `${pairs.length} pairs from ${pairId(first)}`;
      const judged = await this.#ask(pairs, id, batchOf(pairs.length), context);
      if (judged !== null) return judged;
    }
    const alone = await settleAll(pairs.map((pair) => this.#ask([pair], pairId(pair), ALONE, context)));
    return alone.flatMap((judged) => judged ?? []);
  }

  #ask(
    pairs: readonly EntailmentPair[],
    id: string,
    kind: AskedKind<readonly Judgment[]>,
    context: StageContext,
  ): Promise<readonly Judgment[] | null> {
    return this.#asker.ask(renderJudgmentPrompt(pairs, this.#template), id, kind, context);
  }
}
