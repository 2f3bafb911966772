import { isDeepStrictEqual } from 'node:util';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { bootstrapMean, type Interval } from '../../report/statistics/bootstrap.js';
import { meanOf } from '../../report/statistics/mean.js';
import { type McNemarTest, testMcNemar } from '../../report/statistics/mcnemar.js';
import { groupBy } from '../../run/group-by.js';
import { compareText } from '../../report/column-tally.js';
import { createRng } from '../../seeded-rng.js';
import { ATTACK_CONDITIONS, type AttackCase, type AttackCondition, type AttackReport } from '../attack-report.js';
import { isSettledFailure } from '../../victims/victim.js';
import { measuredMetrics } from './case-status.js';
import type { AttackMetric } from '../attack-metrics.js';

/** One of two runs that are compared. */
export interface ComparedRun {
  /** The run's name in the comparison: its folder. */
  readonly name: string;
  readonly report: AttackReport;
}

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
export interface ComparedScore {
  readonly metric: AttackMetric;
  readonly condition: AttackCondition;
  /** A hardness, or null over all. */
  readonly hardness: string | null;
  readonly examples: number;
  readonly cases: number;
  /** 0 to 1. */
  readonly first: number;
  readonly second: number;
  /** The second less the first, by bootstrap over the examples. */
  readonly difference: Interval | null;
  readonly mcNemar: McNemarTest;
}

/** How much more the second run loses to a perturbation than the first: above 0 it is the less robust one. */
export interface ComparedDrop {
  readonly metric: AttackMetric;
  readonly condition: 'RPL' | 'ADD';
  readonly first: number;
  readonly second: number;
  readonly difference: Interval | null;
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

function summarizeRun({ name, report }: ComparedRun): RunSummary {
  const { victim, dataset, settings, perturbql } = report;
  return { name, victim, dataset, settings, perturbql };
}

/** The points on which runs can differ: a display name, whether it changes what is asked, and how to read it. */
const COMPARED: readonly (readonly [what: string, questions: boolean, read: (report: AttackReport) => string])[] = [
  ['victim', false, ({ victim }) => victim.id],
  ['victim’s fingerprint', false, ({ victim }) => victim.fingerprint],
  ['data set', true, ({ dataset }) => dataset.format],
  ['data set’s fingerprint', true, ({ dataset }) => dataset.fingerprint],
  // The place alone: the same candidates may lie elsewhere, and others show in what the cases changed.
  ['candidates', false, ({ settings }) => settings.candidates ?? 'none'],
  ['compositions', false, ({ compositions }) => compositions?.fingerprint ?? 'none'],
  ['mutants', false, ({ mutants }) => mutants?.fingerprint ?? 'none'],
  ['seeds', true, ({ settings }) => settings.seeds.join(', ')],
  ['strategy', true, ({ settings }) => settings.strategy],
  ['budget', true, ({ settings }) => String(settings.budget ?? 'none')],
  ['linked keys', true, ({ settings }) => settings.linkedKeys],
  ['abbreviated names', true, ({ settings }) => settings.abbreviate ?? 'never'],
  ['place of added columns', true, ({ settings }) => settings.addPosition],
  ['mode of exact match', false, ({ settings }) => settings.metrics.exact ?? 'not measured'],
  ['mode of execution accuracy', false, ({ settings }) => settings.metrics.execution ?? 'not measured'],
  ['databases', false, ({ settings }) => settings.databases ?? 'not executed'],
  ['version of perturbql', false, ({ perturbql }) => perturbql],
];

function findDifferences(first: AttackReport, second: AttackReport): RunDifference[] {
  return COMPARED.flatMap(([what, questions, read]) => {
    const [ours, theirs] = [read(first), read(second)];
    return ours === theirs ? [] : [{ what, first: ours, second: theirs, questions }];
  });
}

type Answer = Pick<AttackCase['original'], AttackMetric>;

/** A case that both runs have. */
interface MatchedCase {
  readonly example: string;
  /** The unit drawn for an interval: the interaction of a turn, else the example. */
  readonly group: string;
  readonly condition: AttackCondition;
  readonly hardness: string | null;
  readonly first: Answer;
  readonly second: Answer;
  readonly isSame: boolean;
}

interface KeyedCase {
  readonly one: AttackCase;
  readonly condition: AttackCondition;
  readonly answer: Answer;
  readonly asked: unknown;
}

/** Returns the key that cases are joined by: example, database and question, condition, seed. */
export function caseKey(
  { id, dbId, question }: Pick<AttackCase, 'id' | 'dbId' | 'question'>,
  condition: AttackCondition,
  seed: number | null,
): string {
  return JSON.stringify([id, dbId, question, condition, ...(seed === null ? [] : [seed])]);
}

/** Cases by their keys. */
function keyCases(cases: readonly AttackCase[]): Map<string, KeyedCase> {
  const keyed = new Map<string, KeyedCase>();
  for (const one of cases) {
    const { original } = one;
    keyed.set(caseKey(one, 'original', null), { one, condition: 'original', answer: original, asked: one.gold });
    for (const { kind, seed, changes, gold, ...answer } of one.perturbed) {
      const asked = { gold, changes };
      keyed.set(caseKey(one, kind, seed), { one, condition: kind, answer, asked });
    }
  }
  return keyed;
}

/** The cases of both runs in an order that is theirs alone, whichever run comes first. */
function matchCases(first: Map<string, KeyedCase>, second: Map<string, KeyedCase>): MatchedCase[] {
  return [...first.keys()].sort(compareText).flatMap((key) => {
    const [ours, theirs] = [first.get(key)!, second.get(key)];
    if (theirs === undefined) return [];
    const { one, condition, answer, asked } = ours;
    return [
      {
        example: one.id,
        group: one.interaction ?? one.id,
        condition,
        hardness: one.hardness,
        first: answer,
        second: theirs.answer,
        isSame: isDeepStrictEqual(asked, theirs.asked),
      },
    ];
  });
}

function countMatches(
  first: Map<string, KeyedCase>,
  second: Map<string, KeyedCase>,
  matched: readonly MatchedCase[],
): CaseMatch[] {
  const count = (cases: Map<string, KeyedCase>, condition: AttackCondition): number =>
    [...cases.values()].filter((one) => one.condition === condition).length;
  return ATTACK_CONDITIONS.map((condition) => {
    const own = matched.filter((one) => one.condition === condition);
    return {
      condition,
      both: own.length,
      onlyFirst: count(first, condition) - own.length,
      onlySecond: count(second, condition) - own.length,
      otherwisePerturbed: own.filter(({ isSame }) => !isSame).length,
    };
  }).filter(({ both, onlyFirst, onlySecond }) => both + onlyFirst + onlySecond > 0);
}

const right = (answer: Answer, metric: AttackMetric): number => Number(answer[metric] === 'correct');

/**
 * The mean of values with its interval; the values of an example, and the turns of an interaction, are drawn together.
 */
function intervalOf(
  values: readonly { readonly group: string; readonly value: number }[],
  purpose: readonly (string | null)[],
): Interval | null {
  const clusters = [...groupBy(values, ({ group }) => group).values()];
  return bootstrapMean(
    clusters.map((cluster) => cluster.map(({ value }) => value)),
    createRng(0, JSON.stringify(['compare', ...purpose])),
  );
}

function compareScores(
  matched: readonly MatchedCase[],
  metric: AttackMetric,
  condition: AttackCondition,
  hardness: string | null,
): ComparedScore | null {
  const judged = matched.filter(
    (one) =>
      one.condition === condition &&
      (hardness === null || one.hardness === hardness) &&
      one.first[metric] != null &&
      one.second[metric] != null,
  );
  if (judged.length === 0) return null;
  const changes = judged.map(({ group, first, second }) => {
    return { group, value: right(second, metric) - right(first, metric) };
  });
  return {
    metric,
    condition,
    hardness,
    examples: new Set(judged.map(({ example }) => example)).size,
    cases: judged.length,
    first: meanOf(judged.map(({ first }) => right(first, metric))),
    second: meanOf(judged.map(({ second }) => right(second, metric))),
    difference: intervalOf(changes, [metric, condition, hardness]),
    mcNemar: testMcNemar(
      changes.filter(({ value }) => value < 0).length,
      changes.filter(({ value }) => value > 0).length,
    ),
  };
}

/** The drops of both runs over the cases of both, and their difference by bootstrap over the examples. */
function compareDrops(
  matched: readonly MatchedCase[],
  metric: AttackMetric,
  condition: 'RPL' | 'ADD',
): ComparedDrop | null {
  const judged = matched.filter(({ first, second }) => first[metric] != null && second[metric] != null);
  const originals = new Map(
    judged.filter((one) => one.condition === 'original').map((one) => [one.example, one] as const),
  );
  const lost = judged
    .filter((one) => one.condition === condition)
    .flatMap(({ example, group, first, second }) => {
      const original = originals.get(example);
      if (original === undefined) return [];
      const ours = right(original.first, metric) - right(first, metric);
      const theirs = right(original.second, metric) - right(second, metric);
      return [{ group, ours, theirs }];
    });
  if (lost.length === 0) return null;
  return {
    metric,
    condition,
    first: meanOf(lost.map(({ ours }) => ours)),
    second: meanOf(lost.map(({ theirs }) => theirs)),
    difference: intervalOf(
      lost.map(({ group, ours, theirs }) => ({ group, value: theirs - ours })),
      [metric, condition, 'drop'],
    ),
  };
}

function warnOfOpen({ name, report: { cases } }: ComparedRun): string[] {
  const answers = cases.flatMap(({ original, perturbed }) => [original, ...perturbed]);
  const open = answers.filter(({ failure }) => failure !== null && !isSettledFailure(failure)).length;
  if (open === 0) return [];
  const counted = open === 1 ? '1 of its cases has no answer' : `${open} of its cases have no answer`;
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
        `${condition}: ${both} cases of both runs are compared; ${onlyFirst} of the first alone and ${onlySecond} of the second alone are not.`,
    ),
    ...otherwise.map(({ condition, both, otherwisePerturbed }) =>
      condition === 'original'
        ? `${otherwisePerturbed} of ${both} examples have other gold SQL in each run.`
        : `${condition}: ${otherwisePerturbed} of ${both} cases were perturbed in another way by each run; they are compared, but they are not the same question.`,
    ),
  ];
}

/**
 * Sets two attacks side by side over the cases that both have, joined by example, kind and seed. McNemar's test is over
 * cases; intervals are by bootstrap over examples, all cases of one drawn together. Swapping the runs swaps the sides.
 */
export function compareRuns(first: ComparedRun, second: ComparedRun): RunComparison {
  const [ours, theirs] = [keyCases(first.report.cases), keyCases(second.report.cases)];
  const matched = matchCases(ours, theirs);
  const metrics = measuredMetrics(first.report.scores).filter((metric) =>
    measuredMetrics(second.report.scores).includes(metric),
  );
  const each = (levels: readonly (string | null)[]): ComparedScore[] =>
    metrics.flatMap((metric) =>
      levels.flatMap((level) =>
        ATTACK_CONDITIONS.flatMap((condition) => compareScores(matched, metric, condition, level) ?? []),
      ),
    );
  const differences = findDifferences(first.report, second.report);
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
    byHardness: each(HARDNESS_LEVELS),
    warnings: [...findWarnings(differences, matches), ...warnOfOpen(first), ...warnOfOpen(second)],
  };
}
