import { formatCount } from '../../counts.js';
import { countedRelation, rankOfRelation } from '../../variants/relations/counted-relation.js';
import { isOnOwnSchema } from '../../variants/mutate/mutant-set.js';
import { renderJsonLines } from '../../formats/json-file.js';
import { mustGet } from '../../present.js';
import { meanOf, sampleDeviation } from '../../report/statistics/mean.js';
import { comparePairs } from '../../report/statistics/paired-points.js';
import { forEachConcurrent } from '../../run/concurrency.js';
import { groupBy } from '../../run/group-by.js';
import { type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { createRng } from '../../seeded-rng.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/scoring.js';
import type { MutantInputs } from '../asked-inputs.js';
import type { AskingOptions } from '../attack/asking.js';
import { areOpen, isAllRight, isBroken, isMeasured, type JudgedAnswer, outcomesOf } from '../judged-answer.js';
import type { MutantDraw } from './draw-mutants.js';
import { differencesOf, judgeSubjects, type PairedCase, type SubjectJudging } from './judge-subjects.js';
import type { MutantReport, MutantScore } from './mutant-report.js';
import { pairedFlips, questionPairs } from './paired-flips.js';
import { reportFailure } from './report-failure.js';
import type { MutantSubject, SubjectStore } from './subject-store.js';

/** A mutant that was settled on for a draw. */
interface SettledMutant {
  readonly draw: MutantDraw;
  readonly mutant: MutantSubject;
  /** Mutants that a search asked of; 1 without one. */
  readonly queries: number;
}

/** A mutant with its answer next to that to its example, on the original tables. */
interface AttackedMutant extends SettledMutant, PairedCase {}

/** The means of asking about mutants. */
export interface MutantAsking extends Pick<AskingOptions, 'strategy' | 'budget' | 'book' | 'maker' | 'width'> {
  readonly judging: SubjectJudging;
}

const firstOf = (draw: MutantDraw): SettledMutant => ({ draw, mutant: draw.order[0], queries: 1 });

/** The first mutant that breaks the model; where none of the budget does, the first. */
async function searchOne(draw: MutantDraw, asking: MutantAsking, signal: AbortSignal): Promise<SettledMutant> {
  const tried = draw.order.slice(0, asking.budget);
  for (const [at, mutant] of tried.entries()) {
    await asking.book.ask(asking.maker.ofMutant(draw, mutant), signal);
    const judged = await judgeSubjects([mutant], asking.judging, { ...NOOP_HOST, signal });
    if (!isAllRight(mustGet(judged.get(mutant.id), 'judged.get(mutant)'))) return { draw, mutant, queries: at + 1 };
  }
  return { ...firstOf(draw), queries: tried.length };
}

async function searchAll(
  draws: readonly MutantDraw[],
  asking: MutantAsking,
  host: RunHost,
): Promise<readonly SettledMutant[]> {
  const found = draws.map(firstOf);
  let done = 0;
  await forEachConcurrent([...draws.entries()], asking.width, host.signal, async ([at, draw], signal) => {
    found[at] = await searchOne(draw, asking, signal);
    host.progress('searches of mutants', ++done, draws.length);
  });
  return found;
}

/**
 * Has searches of mutants answered, and judges all answers to mutants: a case per draw, in their order. `originals`: what
 * was answered to the examples on their own tables, by their ids.
 */
async function attackMutants(
  draws: readonly MutantDraw[],
  originals: ReadonlyMap<string, JudgedAnswer>,
  asking: MutantAsking,
  host: RunHost,
): Promise<readonly AttackedMutant[]> {
  const settled = asking.strategy === 'random' ? draws.map(firstOf) : await searchAll(draws, asking, host);
  const mutants = new Map(settled.map(({ mutant }) => [mutant.id, mutant]));
  const judged = await judgeSubjects([...mutants.values()], asking.judging, host);
  return settled.map((one) => {
    const { group } = one.draw;
    const before = mustGet(originals.get(group.seed.id), 'originals.get(seed)');
    const after = mustGet(judged.get(one.mutant.id), 'judged.get(mutant)');
    return { ...one, group, before, after, isOpen: areOpen([before, after]) };
  });
}

/** Failures of a kind that a report has. */
const SHOWN_FAILURES = 5;

/** The accuracy of each seed, with the question as the unit; seeds in their order. */
function bySeed(cases: readonly AttackedMutant[], metric: AnswerMetric): readonly number[] {
  const seeds = groupBy(cases, ({ draw }) => draw.seed);
  return [...seeds.values()].map((own) => {
    return meanOf(questionPairs(own, metric).map(({ second }) => second));
  });
}

function scoreOf(
  key: Pick<MutantScore, 'relation' | 'level'>,
  cases: readonly AttackedMutant[],
  metric: AnswerMetric,
): readonly MutantScore[] {
  const measured = cases.filter((one) => isMeasured(one, metric));
  if (measured.length === 0) return [];
  const questions = questionPairs(measured, metric);
  const rng = createRng(0, `mutants ${metric} ${Object.values(key).join(' ')}`);
  const { first, difference } = comparePairs(questions, rng);
  const accuracies = bySeed(measured, metric);
  return [
    {
      ...key,
      metric,
      questions: questions.length,
      mutants: new Set(measured.map(({ mutant }) => mutant.id)).size,
      original: first,
      accuracy: meanOf(accuracies),
      std: sampleDeviation(accuracies),
      change: difference,
    },
  ];
}

/** Figures of all mutants, then by relation, and by level where a relation has several. */
function scoresOf(cases: readonly AttackedMutant[], relations: readonly string[]): readonly MutantScore[] {
  const byRelation = groupBy(cases, ({ draw }) => draw.relation);
  const parts = relations.flatMap((relation) => {
    const own = mustGet(byRelation.get(relation), 'byRelation.get(relation)');
    const levels = [...groupBy(own, ({ draw }) => draw.level)].filter(([level]) => level !== null);
    return [[relation, null, own] as const, ...levels.map(([level, part]) => [relation, level, part] as const)];
  });
  return [['all', null, cases] as const, ...parts].flatMap(([relation, level, part]) =>
    ANSWER_METRICS.flatMap((metric) => scoreOf({ relation, level }, part, metric)),
  );
}

/** The failures that a report holds, some of each relation. */
function shownFailures(cases: readonly AttackedMutant[]): readonly AttackedMutant[] {
  const distinct = [...new Map(cases.filter(isBroken).map((one) => [one.mutant.id, one])).values()];
  const byRelation = [...groupBy(distinct, ({ draw }) => draw.relation)];
  byRelation.sort(([a], [b]) => rankOfRelation(a) - rankOfRelation(b));
  return byRelation.flatMap(([, own]) => own.slice(0, SHOWN_FAILURES));
}

/** A line of `mutant-cases.jsonl`: what is said of a draw; its answers are in `answers.jsonl`. */
function lineOf(attacked: AttackedMutant): object {
  const { draw, mutant, queries } = attacked;
  const { relation, level, seed } = draw;
  return { id: mutant.id, example: mutant.seed, relation, level, seed, queries, ...outcomesOf(attacked) };
}

/** The findings on mutants, the file with a line for each draw, and notes for readers of the figures. */
interface MeasuredMutants {
  readonly mutants: MutantReport | null;
  readonly files: Readonly<Record<string, Iterable<string>>>;
  readonly warnings: readonly string[];
}

/** Judges the answers to mutants, and sums up everything about them that the report holds. */
export async function measureMutants(
  asked: MutantInputs | null,
  draws: readonly MutantDraw[],
  originals: ReadonlyMap<string, JudgedAnswer>,
  asking: MutantAsking,
  host: RunHost,
): Promise<MeasuredMutants> {
  if (asked === null) return { mutants: null, files: {}, warnings: [] };
  const { judging } = asking;
  const cases = await attackMutants(draws, originals, asking, host);
  const shown = shownFailures(cases);
  const differences = await differencesOf(
    shown.map(({ mutant }) => mutant),
    judging,
    host.signal,
  );
  const mutants = [...new Map(cases.map(({ mutant }) => [mutant.id, mutant])).values()];
  const relations = [...new Set(mutants.map(countedRelation))];
  relations.sort((a, b) => rankOfRelation(a) - rankOfRelation(b));
  return {
    mutants: {
      mutants: mutants.length,
      schemas: new Set(mutants.filter(isOnOwnSchema).map(({ db_id: id }) => id)).size,
      fingerprint: mustGet(asked.run.fingerprints['mutants'], 'run.fingerprints[mutants]'),
      scores: [...scoresOf(cases, relations)],
      paired: pairedFlips(cases, relations, 0),
      failures: shown.map((one) => reportFailure(one, null, judging.store, differences)),
    },
    files: { 'mutant-cases.jsonl': renderJsonLines(cases.map(lineOf)) },
    warnings: warningsOf(asked, mutants, judging.store),
  };
}

function warningsOf(
  { groups }: MutantInputs,
  mutants: readonly MutantSubject[],
  store: SubjectStore,
): readonly string[] {
  const asked = new Set(mutants.map(({ seed }) => seed));
  const left = groups.filter(({ seed }) => !asked.has(seed.id)).length;
  const unexecuted = mutants.filter((mutant) => store.sourceOf(mutant) === null).length;
  const warnings: string[] = [];
  if (left > 0) {
    warnings.push(`the mutants of ${formatCount(left)} examples are not asked, as these are left out or have no gold`);
  }
  if (unexecuted > 0) {
    warnings.push(
      `${formatCount(unexecuted)} mutants are not executed, as there are no rows: exact match alone tells of them`,
    );
  }
  return warnings;
}
