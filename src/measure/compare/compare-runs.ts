import { formatCount } from '../../counts.js';
import { isDeepStrictEqual } from 'node:util';
import { HARDNESS_LEVELS, UNKNOWN_HARDNESS } from '../../evaluate/exact/hardness.js';
import { compareText, itemAt } from '../../present.js';
import { comparePairs, type PairedComparison, type PairedPoints } from '../../report/statistics/paired-points.js';
import { type ComparedRun, differingSettings } from './compared-runs.js';
import { groupBy } from '../../run/group-by.js';
import { createRng } from '../../seeded-rng.js';
import {
  ATTACK_CONDITIONS,
  type AttackCase,
  type AttackCondition,
  type AttackReport,
  type PerturbedCase,
  measuredMetrics,
} from '../attack/attack-report.js';
import type { AttackMetric } from '../../victims/scoring.js';
import { isSettledFailure } from '../../victims/victim.js';

/** Something that is not the same in both runs. */
interface RunDifference {
  readonly what: string;
  readonly first: string;
  readonly second: string;
  /** True where the runs did not ask the same questions because of it. */
  readonly questions: boolean;
}

/** How the cases of both runs fit together, under one condition. */
interface CaseMatch {
  readonly condition: AttackCondition;
  /** Cases of both: the same example, kind and seed. */
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Of `both`, those whose tables were perturbed in another way, or whose gold SQL is another. */
  readonly otherwisePerturbed: number;
}

/** Accuracy of both runs on the cases that both have. */
export interface ComparedScore extends PairedComparison {
  readonly metric: AttackMetric;
  readonly condition: AttackCondition;
  /** A hardness, `unknown` where it can't be told, or null over all. */
  readonly hardness: string | null;
  readonly examples: number;
  readonly cases: number;
}

/** How much more the second run loses to a perturbation than the first: above 0 it is the less robust one. */
export interface ComparedDrop extends Omit<PairedComparison, 'mcNemar'> {
  readonly metric: AttackMetric;
  readonly condition: 'RPL' | 'ADD';
}

/** The facts about a run apart from its cases. */
export interface RunSummary {
  readonly name: string;
  readonly victim: AttackReport['victim'];
  readonly dataset: AttackReport['dataset'];
  readonly settings: AttackReport['settings'];
  readonly perturbql: string;
}

/** Two attacks side by side; plain JSON. */
export interface RunComparison {
  readonly first: RunSummary;
  readonly second: RunSummary;
  readonly differences: readonly RunDifference[];
  readonly matches: readonly CaseMatch[];
  readonly scores: readonly ComparedScore[];
  readonly drops: readonly ComparedDrop[];
  readonly byHardness: readonly ComparedScore[];
  readonly warnings: readonly string[];
}

function summarizeRun({ name, report }: ComparedRun<AttackReport>): RunSummary {
  const { victim, dataset, settings, perturbql } = report;
  return { name, victim, dataset, settings, perturbql };
}

/** The points on which runs can differ: a display name, whether it changes what is asked, and how to read it. */
const COMPARED: readonly {
  readonly what: string;
  readonly questions: boolean;
  readonly read: (report: AttackReport) => string;
}[] = [
  { what: 'victim', questions: false, read: ({ victim }) => victim.id },
  { what: 'victim’s fingerprint', questions: false, read: ({ victim }) => victim.fingerprint },
  { what: 'data set', questions: true, read: ({ dataset }) => dataset.format },
  { what: 'data set’s fingerprint', questions: true, read: ({ dataset }) => dataset.fingerprint },
  // The place alone: the same candidates may lie elsewhere, and others show in what the cases changed.
  { what: 'candidates', questions: false, read: ({ settings }) => settings.candidates ?? 'none' },
  { what: 'compositions', questions: false, read: ({ compositions }) => compositions?.fingerprint ?? 'none' },
  { what: 'mutants', questions: false, read: ({ mutants }) => mutants?.fingerprint ?? 'none' },
  { what: 'seeds', questions: true, read: ({ settings }) => settings.seeds.join(', ') },
  { what: 'strategy', questions: true, read: ({ settings }) => settings.strategy },
  { what: 'budget', questions: true, read: ({ settings }) => String(settings.budget ?? 'none') },
  { what: 'linked keys', questions: true, read: ({ settings }) => settings.linkedKeys },
  { what: 'abbreviated names', questions: true, read: ({ settings }) => settings.abbreviate ?? 'never' },
  { what: 'place of added columns', questions: true, read: ({ settings }) => settings.addPosition },
  { what: 'mode of exact match', questions: false, read: ({ settings }) => settings.metrics.exact ?? 'not measured' },
  {
    what: 'mode of execution accuracy',
    questions: false,
    read: ({ settings }) => settings.metrics.execution ?? 'not measured',
  },
  { what: 'databases', questions: false, read: ({ settings }) => settings.databases ?? 'not executed' },
  { what: 'version of perturbql', questions: false, read: ({ perturbql }) => perturbql },
];

function findDifferences(first: ComparedRun<AttackReport>, second: ComparedRun<AttackReport>): RunDifference[] {
  return differingSettings(COMPARED, [first, second]).map(({ what, questions, read }) => {
    return { what, first: read(first.report), second: read(second.report), questions };
  });
}

/** An example under a condition; `variant` is null on its original tables. */
export interface KeyedCase {
  readonly one: AttackCase;
  readonly condition: AttackCondition;
  readonly variant: PerturbedCase | null;
  readonly answer: AttackCase['original'];
}

type Cases = ReadonlyMap<string, KeyedCase>;

/** Cases by what they are joined by (example, database and question, condition, seed), in the order of the report. */
export function keyCases({ cases }: Pick<AttackReport, 'cases'>): Cases {
  const all = cases.flatMap((one): readonly KeyedCase[] => [
    { one, condition: 'original', variant: null, answer: one.original },
    ...one.perturbed.map((variant) => ({ one, condition: variant.kind, variant, answer: variant })),
  ]);
  const keyOf = ({ one: { id, dbId, question }, condition, variant }: KeyedCase): string =>
    JSON.stringify([id, dbId, question, condition, ...(variant === null ? [] : [variant.seed])]);
  return new Map(all.map((one) => [keyOf(one), one]));
}

/** A case that both runs have: the first's, with the second's. */
interface MatchedCase extends KeyedCase {
  readonly other: KeyedCase;
}

/** The cases of both runs in an order that is theirs alone, whichever run comes first. */
function matchCases(first: Cases, second: Cases): readonly MatchedCase[] {
  return [...first]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([key, ours]) => {
      const other = second.get(key);
      return other === undefined ? [] : [{ ...ours, other }];
    });
}

/** The tables and the gold query of a case, as far as they tell whether two are the same question. */
const askedIn = ({ one, variant }: KeyedCase): unknown =>
  variant === null ? one.gold : { gold: variant.gold, changes: variant.changes };

function countMatches(first: Cases, second: Cases, matched: readonly MatchedCase[]): CaseMatch[] {
  const count = (cases: Cases, condition: AttackCondition): number =>
    [...cases.values()].filter((one) => one.condition === condition).length;
  return ATTACK_CONDITIONS.map((condition) => {
    const own = matched.filter((one) => one.condition === condition);
    return {
      condition,
      both: own.length,
      onlyFirst: count(first, condition) - own.length,
      onlySecond: count(second, condition) - own.length,
      otherwisePerturbed: own.filter((one) => !isDeepStrictEqual(askedIn(one), askedIn(one.other))).length,
    };
  }).filter(({ both, onlyFirst, onlySecond }) => both + onlyFirst + onlySecond > 0);
}

/** The metrics that both runs measured. */
export function commonMetrics(first: AttackReport, second: AttackReport): readonly AttackMetric[] {
  const others = measuredMetrics(second.scores);
  return measuredMetrics(first.scores).filter((metric) => others.includes(metric));
}

const right = ({ answer }: KeyedCase, metric: AttackMetric): number => Number(answer[metric] === 'correct');

const isJudged = ({ answer, other }: MatchedCase, metric: AttackMetric): boolean =>
  answer[metric] != null && other.answer[metric] != null;

/** The unit drawn for an interval: the interaction of a turn, else the example. */
const clusterOf = ({ one }: KeyedCase): string => one.interaction ?? one.id;

const rngOf = (...purpose: readonly (string | null)[]): ReturnType<typeof createRng> =>
  createRng(0, JSON.stringify(['compare', ...purpose]));

function compareScores(
  matched: readonly MatchedCase[],
  metric: AttackMetric,
  condition: AttackCondition,
  hardness: string | null,
): ComparedScore | null {
  const judged = matched.filter((one) => {
    const isLevel = hardness === null || (one.one.hardness ?? UNKNOWN_HARDNESS) === hardness;
    return one.condition === condition && isLevel && isJudged(one, metric);
  });
  if (judged.length === 0) return null;
  const pairs = judged.map((one): PairedPoints => {
    return { cluster: clusterOf(one), first: right(one, metric), second: right(one.other, metric) };
  });
  return {
    metric,
    condition,
    hardness,
    examples: new Set(judged.map(({ one }) => one.id)).size,
    cases: judged.length,
    ...comparePairs(pairs, rngOf(metric, condition, hardness)),
  };
}

/** The drops of both runs over the cases of both, and their difference by bootstrap over the examples. */
function compareDrops(
  matched: readonly MatchedCase[],
  metric: AttackMetric,
  condition: 'RPL' | 'ADD',
): ComparedDrop | null {
  const judged = groupBy(
    matched.filter((one) => isJudged(one, metric)),
    (one) => one.condition,
  );
  const originals = new Map(judged.get('original')?.map((one) => [one.one.id, one]));
  const lost = (judged.get(condition) ?? []).flatMap((one): readonly PairedPoints[] => {
    const original = originals.get(one.one.id);
    if (original === undefined) return [];
    const first = right(original, metric) - right(one, metric);
    const second = right(original.other, metric) - right(one.other, metric);
    return [{ cluster: clusterOf(one), first, second }];
  });
  if (lost.length === 0) return null;
  const { first, second, difference } = comparePairs(lost, rngOf(metric, condition, 'drop'));
  return { metric, condition, first, second, difference };
}

function warnOfOpen({ name, report: { cases } }: ComparedRun<AttackReport>): string[] {
  const answers = cases.flatMap(({ original, perturbed }) => [original, ...perturbed]);
  const open = answers.filter(({ failure }) => failure !== null && !isSettledFailure(failure)).length;
  if (open === 0) return [];
  const counted = open === 1 ? '1 of its cases has no answer' : `${formatCount(open)} of its cases have no answer`;
  const verb = open === 1 ? 'counts' : 'count';
  return [`${name} is not complete: ${counted} because of transient failures, and ${verb} as wrong.`];
}

function findWarnings(differences: readonly RunDifference[], matches: readonly CaseMatch[]): string[] {
  const changed = differences.filter(({ questions }) => questions).map(({ what }) => what);
  const unmatched = matches.filter(({ onlyFirst, onlySecond }) => onlyFirst + onlySecond > 0);
  const otherwise = matches.filter(({ otherwisePerturbed }) => otherwisePerturbed > 0);
  return [
    ...(matches.every(({ both }) => both === 0) ? ['The runs have no case in common: nothing can be compared.'] : []),
    ...(changed.length > 0
      ? [`The runs were not asked the same questions: they differ in ${changed.join(', ')}.`]
      : []),
    ...unmatched.map(
      ({ condition, both, onlyFirst, onlySecond }) =>
        `${condition}: ${formatCount(both)} cases of both runs are compared; ${formatCount(onlyFirst)} of the first alone and ${formatCount(onlySecond)} of the second alone are not.`,
    ),
    ...otherwise.map(({ condition, both, otherwisePerturbed }) =>
      condition === 'original'
        ? `${formatCount(otherwisePerturbed)} of ${formatCount(both)} examples have other gold SQL in each run.`
        : `${condition}: ${formatCount(otherwisePerturbed)} of ${formatCount(both)} cases were perturbed in another way by each run; they are compared, but they are not the same question.`,
    ),
  ];
}

/**
 * Sets two attacks side by side over the cases that both have, joined by example, kind and seed. McNemar's test is over
 * cases; intervals are by bootstrap over examples, all cases of one drawn together. Swapping the runs swaps the sides.
 */
export function compareRuns(runs: readonly ComparedRun<AttackReport>[]): RunComparison {
  const [first, second] = [itemAt(runs, 0), itemAt(runs, 1)];
  const [ours, theirs] = [keyCases(first.report), keyCases(second.report)];
  const matched = matchCases(ours, theirs);
  const metrics = commonMetrics(first.report, second.report);
  const each = (levels: readonly (string | null)[]): ComparedScore[] =>
    metrics.flatMap((metric) =>
      levels.flatMap((level) =>
        ATTACK_CONDITIONS.flatMap((condition) => compareScores(matched, metric, condition, level) ?? []),
      ),
    );
  const differences = findDifferences(first, second);
  const matches = countMatches(ours, theirs, matched);
  return {
    first: summarizeRun(first),
    second: summarizeRun(second),
    differences,
    matches,
    scores: each([null]),
    drops: metrics.flatMap((metric) =>
      (['RPL', 'ADD'] as const).flatMap((condition) => compareDrops(matched, metric, condition) ?? []),
    ),
    byHardness: each([...HARDNESS_LEVELS, UNKNOWN_HARDNESS]),
    warnings: [...findWarnings(differences, matches), ...warnOfOpen(first), ...warnOfOpen(second)],
  };
}
