import { type ColumnName, columnNameOf } from '../../report/column-tally.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { CandidatePool, PerturbationKind } from '../relations/names/candidate-pool.js';
import type { KeptVariant } from './perturbed-dataset.js';
import { linkedColumnGroups, type LinkedKeys } from '../relations/names/new-column-names.js';

/** Why no variant changes a column that was to be perturbed. */
type UnchangedReason = 'no name' | 'no fitting name';

/** A column that was to be perturbed in a bucket and is as it was in all variants. */
export interface UnchangedColumn extends ColumnName {
  readonly bucket: PerturbationKind;
  readonly reason: UnchangedReason;
}

/** Keeps account of the columns that variants change, and of those that they were to change. */
export class UnchangedColumns {
  readonly #linkedKeys: LinkedKeys;
  readonly #without = new Map<string, UnchangedColumn>();
  readonly #changed = new Set<string>();

  constructor(linkedKeys: LinkedKeys) {
    this.#linkedKeys = linkedKeys;
  }

  note(database: Database, { changes, without }: KeptVariant, pool: CandidatePool): void {
    const keyOf = (ref: ColumnRef, bucket: PerturbationKind): string => `${database.id}/${columnKey(ref)}/${bucket}`;
    for (const change of changes) this.#changed.add(keyOf(change.ref, change.kind));
    for (const { ref, kind: bucket } of without) {
      const key = keyOf(ref, bucket);
      if (this.#without.has(key)) continue;
      const hasNames = this.#namesakes(database, ref, bucket).some((one) => pool.of(database, one, bucket).length > 0);
      const reason = hasNames ? 'no fitting name' : 'no name';
      this.#without.set(key, { ...columnNameOf(database, ref), bucket, reason });
    }
  }

  /** Each column once in each bucket; those that another variant changes are none. */
  list(): readonly UnchangedColumn[] {
    return [...this.#without].flatMap(([key, column]) => (this.#changed.has(key) ? [] : [column]));
  }

  /** The columns whose names are the column's too. */
  #namesakes(database: Database, ref: ColumnRef, bucket: PerturbationKind): readonly ColumnRef[] {
    if (bucket !== 'RPL' || this.#linkedKeys !== 'same') return [ref];
    return linkedColumnGroups(database).get(columnKey(ref)) ?? [ref];
  }
}
