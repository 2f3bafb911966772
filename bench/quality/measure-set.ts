import pLimit from 'p-limit';
import type { Thresholds } from '../../src/nli/bucket-rule.js';
import { EconomicalScorer } from '../../src/nli/economical-scorer.js';
import type { EntailmentScorer, StageContext, TpePredictor } from '../../src/stage.js';
import { PairJudge, type JudgedPair, type NameRendering } from './judged-pair.js';
import type { LabeledSet } from './labeled-pairs.js';
import { qualityFigures, type QualityFigures } from './quality-figures.js';

/** Pairs judged at a time: enough that the sessions never wait for the rule. */
const PAIRS_AT_ONCE = 512;
const PROGRESS_EVERY = 1000;

/** A scorer with one way of putting names to it. */
export interface Contender {
  readonly scorer: EntailmentScorer;
  readonly input: { readonly id: string; readonly render: NameRendering };
  readonly thresholds: Thresholds;
}

/** One line of the benchmark's table. */
export interface QualityRow {
  readonly set: string;
  readonly scorer: string;
  readonly input: string;
  readonly thresholds: Thresholds;
  readonly figures: QualityFigures;
}

/** Figures of every contender on one set, in order. `tell` gets progress lines. */
export async function measureSet(
  set: LabeledSet,
  tpe: TpePredictor,
  contenders: readonly Contender[],
  context: StageContext,
  tell: (line: string) => void,
): Promise<readonly QualityRow[]> {
  const targets = [...new Set(set.pairs.map(({ target }) => target))];
  tell(`${set.id}: primary entities of ${targets.length} tables (${tpe.id})`);
  const entities = await tpe.predict(targets, context);
  const entityOf = new Map(targets.map((target, t) => [target, entities[t]!]));
  const rows: QualityRow[] = [];
  for (const contender of contenders) {
    const { scorer, input, thresholds } = contender;
    const label = `${set.id}, ${scorer.id}, ${input.id}`;
    const economical = new EconomicalScorer(scorer, null);
    const judge = new PairJudge(economical, input.render, thresholds, context);
    let done = 0;
    const limit = pLimit(PAIRS_AT_ONCE);
    const judgeOne = async (pair: LabeledSet['pairs'][number]): Promise<JudgedPair> => {
      const judged = await judge.judge(pair, entityOf.get(pair.target)!);
      if (++done % PROGRESS_EVERY === 0) tell(`${label}: ${done} of ${set.pairs.length} pairs`);
      return judged;
    };
    const judged = await Promise.all(set.pairs.map((pair) => limit(judgeOne, pair)));
    tell(`${label}: done, ${economical.counts.inferred} distinct comparisons`);
    rows.push({
      set: set.id,
      scorer: scorer.id,
      input: input.id,
      thresholds,
      figures: qualityFigures(judged, thresholds),
    });
  }
  return rows;
}
