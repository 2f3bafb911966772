import pLimit from 'p-limit';
import type { Thresholds } from '../../src/nli/bucket-rule.js';
import { EconomicalScorer } from '../../src/nli/entailment-scorer.js';
import type { EntailmentScorer, StageContext, TpePredictor } from '../../src/stage.js';
import { PairJudge, type JudgedPair, type NameRendering } from './judged-pair.js';
import type { LabeledPair, LabeledSet } from './labeled-pairs.js';
import { qualityFigures, type QualityFigures } from './quality-figures.js';

/** Pairs judged at a time: enough that the sessions never wait for the rule. */
const PAIRS_AT_ONCE = 512;
const PROGRESS_EVERY = 1000;

/** A scorer with one way of putting names to it. */
export interface Contender {
  readonly scorer: EntailmentScorer;
  readonly input: { readonly id: string; readonly render: NameRendering };
  /** Each pair of thresholds that it is measured at, and has a line for. */
  readonly thresholds: readonly Thresholds[];
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
  for (const { scorer, input, thresholds } of contenders) {
    // Shared, so that further thresholds cost only the columns that their rule still has to see.
    const economical = new EconomicalScorer(scorer, null);
    for (const bounds of thresholds) {
      const label = `${set.id}, ${scorer.id}, ${input.id}, ${bounds.rplMin} / ${bounds.addMax}`;
      const judge = new PairJudge(economical, input.render, bounds, context);
      const judged = await judgeAll(set, judge, entityOf, (done) =>
        tell(`${label}: ${done} of ${set.pairs.length} pairs`),
      );
      tell(`${label}: done, ${economical.counts.inferred} distinct comparisons so far`);
      const figures = qualityFigures(judged, bounds);
      rows.push({ set: set.id, scorer: scorer.id, input: input.id, thresholds: bounds, figures });
    }
  }
  return rows;
}

function judgeAll(
  set: LabeledSet,
  judge: PairJudge,
  entityOf: ReadonlyMap<LabeledPair['target'], string>,
  tellDone: (done: number) => void,
): Promise<readonly JudgedPair[]> {
  let done = 0;
  const limit = pLimit(PAIRS_AT_ONCE);
  const judgeOne = async (pair: LabeledPair): Promise<JudgedPair> => {
    const judged = await judge.judge(pair, entityOf.get(pair.target)!);
    if (++done % PROGRESS_EVERY === 0) tellDone(done);
    return judged;
  };
  return Promise.all(set.pairs.map((pair) => limit(judgeOne, pair)));
}
