import type { ColumnChange } from '../../../variants/relations/names/draw-perturbation.js';
import { placedColumn } from '../../../schema/schema.js';
import type { Fragility } from '../attack-report.js';
import type { AttackMetric } from '../../../victims/answer-metrics.js';
import type { ScoredAnswer, ScoredExample, ScoredVariant } from './scored-example.js';
import { pointOf } from '../../judged-answer.js';

type Counted = { -readonly [K in keyof Fragility]: Fragility[K] };

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Most broken answers first, then the larger share. */
function compareFragility(a: Fragility, b: Fragility): number {
  const names = ({ kind, dbId, table, column, candidate, tableOriginal, columnOriginal }: Fragility): string =>
    [kind, dbId, table, column, candidate, tableOriginal, columnOriginal].join('\u0000');
  return b.broken - a.broken || b.broken / b.cases - a.broken / a.cases || compareText(names(a), names(b));
}

class FragilityTally {
  readonly #byKey = new Map<string, Counted>();

  add(named: Omit<Fragility, 'cases' | 'broken'>, isBroken: boolean): void {
    const key = JSON.stringify(named);
    const counted = this.#byKey.get(key) ?? { ...named, cases: 0, broken: 0 };
    counted.cases++;
    if (isBroken) counted.broken++;
    this.#byKey.set(key, counted);
  }

  list(): readonly Fragility[] {
    return [...this.#byKey.values()].sort(compareFragility);
  }
}

function nameOf({ group }: ScoredExample, { kind, ref, decision }: ColumnChange): Omit<Fragility, 'cases' | 'broken'> {
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

/** How often perturbing a column, and a candidate for it, broke an exact match. */
export interface Fragilities {
  readonly columns: readonly Fragility[];
  readonly candidates: readonly Fragility[];
}

/**
 * Counts the answers that were an exact match on the original tables, or had the right columns, by what was changed in
 * the perturbed ones.
 */
export function countFragility(examples: readonly ScoredExample[]): Fragilities {
  const [columns, candidates] = [new FragilityTally(), new FragilityTally()];
  const count = (example: ScoredExample, variant: ScoredVariant): void => {
    const isBroken = pointOf(variant.after, metricOf(variant.after)) === 0;
    for (const change of variant.tables.changes) {
      const named = nameOf(example, change);
      columns.add({ ...named, candidate: null }, isBroken);
      candidates.add(named, isBroken);
    }
  };
  for (const example of examples) {
    if (pointOf(example.original, metricOf(example.original)) === 0) continue;
    for (const variant of example.variants) count(example, variant);
  }
  return { columns: columns.list(), candidates: candidates.list() };
}
