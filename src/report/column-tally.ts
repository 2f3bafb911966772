import type { Bucket, CandidateDecision } from '../formats/candidates-file.js';

/** A column by its natural names. */
export interface ColumnName {
  readonly dbId: string;
  readonly table: string;
  readonly column: string;
}

/** Decisions by bucket; `near` are those of any bucket that lie close to a threshold. */
export interface BucketCounts {
  RPL: number;
  ADD: number;
  rejected: number;
  near: number;
}

/** What was decided for one column. */
export interface ColumnTally extends ColumnName {
  readonly counts: BucketCounts;
  /** Distinct accepted names. */
  readonly accepted: Readonly<Record<'RPL' | 'ADD', Set<string>>>;
}

/** A name as it is compared: lower case, single spaces. */
export function comparableName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, ' ');
}

/** Orders strings by UTF-16 code unit, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders columns by database, table, column. */
export function compareColumns(a: ColumnName, b: ColumnName): number {
  return compareText(a.dbId, b.dbId) || compareText(a.table, b.table) || compareText(a.column, b.column);
}

/** Key of a column for maps. */
export function columnTallyKey({ dbId, table, column }: ColumnName): string {
  return JSON.stringify([dbId, table, column]);
}

/** No decisions yet. */
export function emptyCounts(): BucketCounts {
  return { RPL: 0, ADD: 0, rejected: 0, near: 0 };
}

/** Adds one decision. */
export function addToCounts(counts: BucketCounts, bucket: Bucket, near: boolean): void {
  counts[bucket]++;
  if (near) counts.near++;
}

/** Adds counts to counts. */
export function mergeCounts(into: BucketCounts, from: BucketCounts): void {
  into.RPL += from.RPL;
  into.ADD += from.ADD;
  into.rejected += from.rejected;
  into.near += from.near;
}

/** Counts decisions per column; columns that were to be perturbed are present even where nothing was decided. */
export class ColumnTallies {
  readonly #columns = new Map<string, ColumnTally>();

  constructor(targets: readonly ColumnName[]) {
    for (const target of targets) this.#of(target);
  }

  add(decision: CandidateDecision): void {
    const tally = this.#of({ dbId: decision.db_id, table: decision.table, column: decision.column });
    addToCounts(tally.counts, decision.bucket, decision.near);
    if (decision.bucket !== 'rejected') tally.accepted[decision.bucket].add(comparableName(decision.candidate));
  }

  /** All columns, by database, table, column. */
  sorted(): readonly ColumnTally[] {
    return [...this.#columns.values()].sort(compareColumns);
  }

  #of(name: ColumnName): ColumnTally {
    const key = columnTallyKey(name);
    let tally = this.#columns.get(key);
    if (tally === undefined) {
      const { dbId, table, column } = name;
      tally = { dbId, table, column, counts: emptyCounts(), accepted: { RPL: new Set(), ADD: new Set() } };
      this.#columns.set(key, tally);
    }
    return tally;
  }
}
