import { compareText } from '../../../present.js';
import { EXACT_COMPONENTS, type ExactComponent, isMatched } from '../../../evaluate/exact/components.js';
import { HARDNESS_LEVELS, UNKNOWN_HARDNESS } from '../../../evaluate/exact/hardness.js';
import { groupBy } from '../../../run/group-by.js';
import {
  ATTACK_CONDITIONS,
  type AttackBreakdown,
  type AttackCondition,
  type DifficultyBreakdown,
  type Fragility,
} from '../attack-report.js';
import { ATTACK_METRICS, type AttackMetric } from '../../../victims/scoring.js';
import { meanOf } from '../../../report/statistics/mean.js';
import { answersUnder, hardnessOf, scoredBy, type ScoredAnswer, type ScoredExample } from './scored-example.js';
import { pointOf } from '../../judged-answer.js';
import { difficultyOf, roundDifficulty } from '../../../variants/relations/names/candidate-difficulty.js';
import type { ColumnChange } from '../../../variants/relations/names/draw-perturbation.js';
import { placedColumn } from '../../../schema/schema.js';

type Accuracies = AttackBreakdown['accuracy'];

/** The mean by condition of what `pointsOf` gives. */
function accuraciesOf(
  examples: readonly ScoredExample[],
  pointsOf: (answer: ScoredAnswer) => readonly number[],
): Accuracies {
  const under = (condition: AttackCondition): number | null => {
    const points = examples.flatMap((example) => answersUnder(example, condition).flatMap(pointsOf));
    return points.length === 0 ? null : meanOf(points);
  };
  return Object.fromEntries(ATTACK_CONDITIONS.map((condition) => [condition, under(condition)])) as Accuracies;
}

function breakDown(
  examples: readonly ScoredExample[],
  metric: AttackMetric,
  keyOf: (example: ScoredExample) => string,
): AttackBreakdown[] {
  const groups = groupBy(scoredBy(examples, metric), keyOf);
  return [...groups].map(([key, some]) => {
    const accuracy = accuraciesOf(some, (answer) => [pointOf(answer, metric)]);
    return { metric, key, examples: some.length, accuracy };
  });
}

/** By the hardness of the original gold, from easy to extra, then where it can't be told. */
export function breakDownByHardness(examples: readonly ScoredExample[]): readonly AttackBreakdown[] {
  const levels = [...HARDNESS_LEVELS, UNKNOWN_HARDNESS];
  const rankOf = ({ key }: AttackBreakdown): number => levels.findIndex((level) => level === key);
  return ATTACK_METRICS.flatMap((metric) =>
    breakDown(examples, metric, (one) => hardnessOf(one) ?? UNKNOWN_HARDNESS).sort((a, b) => rankOf(a) - rankOf(b)),
  );
}

/** By database, in the order of the examples. */
export function breakDownByDatabase(examples: readonly ScoredExample[]): readonly AttackBreakdown[] {
  return ATTACK_METRICS.flatMap((metric) => breakDown(examples, metric, ({ group }) => group.database.id));
}

/** Checks whether a component of the gold matches, as a point; nothing where the gold has none of it. */
function componentPoint({ exact }: ScoredAnswer, component: ExactComponent): readonly number[] {
  const count = exact?.components?.[component];
  return count === undefined || count.gold === 0 ? [] : [Number(isMatched(count))];
}

/** Exact match of single components, over the gold queries that have them. */
export function breakDownByComponent(examples: readonly ScoredExample[]): readonly AttackBreakdown[] {
  return EXACT_COMPONENTS.flatMap((component) => {
    const having = examples.filter(({ original }) => componentPoint(original, component).length > 0);
    if (having.length === 0) return [];
    const accuracy = accuraciesOf(having, (answer) => componentPoint(answer, component));
    return [{ metric: 'exact' as const, key: component, examples: having.length, accuracy }];
  });
}

/** Parts of about as many cases each. */
const PARTS = 3;

/** An example on perturbed tables: how hard they are, and whether the answers before and there are right. */
interface RatedCase {
  readonly difficulty: number;
  readonly before: number;
  readonly after: number;
}

function meanDifficulty(kind: DifficultyBreakdown['kind'], changes: readonly ColumnChange[]): number {
  return roundDifficulty(meanOf(changes.map(({ decision }) => difficultyOf(decision, kind))));
}

function ratedCases(
  examples: readonly ScoredExample[],
  metric: AttackMetric,
  kind: DifficultyBreakdown['kind'],
): readonly RatedCase[] {
  return examples.flatMap(({ variants }) =>
    variants
      .filter((variant) => variant.kind === kind && variant.tables.changes.length > 0)
      .map((variant) => ({
        difficulty: meanDifficulty(kind, variant.tables.changes),
        before: pointOf(variant.before, metric),
        after: pointOf(variant.after, metric),
      })),
  );
}

/** Cases in parts from easy to hard; those that are equally hard stay together, so parts may be fewer. */
function partsOf(cases: readonly RatedCase[]): readonly (readonly RatedCase[])[] {
  const sorted = cases.map(({ difficulty }) => difficulty).sort((a, b) => a - b);
  const ends = Array.from({ length: PARTS }, (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / PARTS) - 1] ?? 0);
  return ends
    .map((end, i) => cases.filter(({ difficulty }) => difficulty <= end && (i === 0 || difficulty > ends[i - 1]!)))
    .filter((part) => part.length > 0);
}

/**
 * Accuracy by how hard the candidates of a perturbation are in the mean, for each metric and kind in parts of about as
 * many cases, from easy to hard. Examples whose tables stayed as they are count nowhere.
 */
export function breakDownByDifficulty(examples: readonly ScoredExample[]): readonly DifficultyBreakdown[] {
  return ATTACK_METRICS.flatMap((metric) => {
    const scored = scoredBy(examples, metric);
    return (['RPL', 'ADD'] as const).flatMap((kind) =>
      partsOf(ratedCases(scored, metric, kind)).map((part): DifficultyBreakdown => {
        const difficulties = part.map(({ difficulty }) => difficulty);
        return {
          metric,
          kind,
          from: Math.min(...difficulties),
          to: Math.max(...difficulties),
          cases: part.length,
          accuracy: {
            original: meanOf(part.map(({ before }) => before)),
            RPL: null,
            ADD: null,
            [kind]: meanOf(part.map(({ after }) => after)),
          },
        };
      }),
    );
  });
}

/** Most broken answers first, then the larger share. */
function compareFragility(a: Fragility, b: Fragility): number {
  const names = ({ kind, dbId, table, column, candidate, tableOriginal, columnOriginal }: Fragility): string =>
    [kind, dbId, table, column, candidate, tableOriginal, columnOriginal].join('\u0000');
  return b.broken - a.broken || b.broken / b.cases - a.broken / a.cases || compareText(names(a), names(b));
}

/** What was changed, before it is counted. */
type Changed = Omit<Fragility, 'cases' | 'broken'>;

/** How often each was changed, and broke an answer; the worst first. */
function tally(cases: readonly (readonly [changed: Changed, isBroken: boolean])[]): readonly Fragility[] {
  const byName = groupBy(cases, ([changed]) => JSON.stringify(changed));
  const counted = Array.from(byName.values(), (own) => {
    return { ...own[0][0], cases: own.length, broken: own.filter(([, isBroken]) => isBroken).length };
  });
  return counted.sort(compareFragility);
}

function nameOf({ group }: ScoredExample, { kind, ref, decision }: ColumnChange): Changed {
  const { database } = group;
  const { table, column } = placedColumn(database, ref);
  return {
    kind,
    dbId: database.id,
    table: table.name,
    column: column.name,
    tableOriginal: table.originalName,
    columnOriginal: column.originalName,
    candidate: decision.candidate,
  };
}

/** Returns the metric that decides whether an answer is right. */
const metricOf = ({ columns }: ScoredAnswer): AttackMetric => (columns ? 'columns' : 'exact');

/**
 * Counts how often perturbing a column, and a candidate for it, broke an answer that was an exact match on the original
 * tables, or had the right columns.
 */
export function countFragility(examples: readonly ScoredExample[]) {
  const right = examples.filter(({ original }) => pointOf(original, metricOf(original)) > 0);
  const candidates = right.flatMap((example) =>
    example.variants.flatMap(({ after, tables }) => {
      const isBroken = pointOf(after, metricOf(after)) === 0;
      return tables.changes.map((change) => [nameOf(example, change), isBroken] as const);
    }),
  );
  const columns = candidates.map(([changed, isBroken]) => [{ ...changed, candidate: null }, isBroken] as const);
  return { columns: tally(columns), candidates: tally(candidates) };
}
