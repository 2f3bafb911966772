import { compareText } from '../present.js';
import type { Bucket, CandidateDecision } from '../formats/artifacts/candidates.js';
import { countedName } from '../schema/name-identity.js';
import { columnAt, type ColumnRef, type Database } from '../schema/schema.js';

/** A column by its natural names, and by those that the schema writes, which are its identity where they are known. */
export interface ColumnName {
  readonly dbId: string;
  readonly table: string;
  readonly tableOriginal?: string | undefined;
  readonly column: string;
  readonly columnOriginal?: string | undefined;
}

/** The name of a column of a database. */
export function columnNameOf(database: Database, ref: ColumnRef): ColumnName {
  const [table, column] = [database.tables[ref.table], columnAt(database, ref)];
  return {
    dbId: database.id,
    table: table?.name ?? '',
    tableOriginal: table?.originalName,
    column: column.name,
    columnOriginal: column.originalName,
  };
}

/** Decisions by bucket; `near` are the borderline ones of any bucket, close to a threshold. */
export interface BucketCounts {
  RPL: number;
  ADD: number;
  rejected: number;
  near: number;
}

/** The decisions for one column. */
export interface ColumnTally extends ColumnName {
  readonly counts: BucketCounts;
  /** Distinct accepted names. */
  readonly accepted: Readonly<Record<'RPL' | 'ADD', Set<string>>>;
  /** Of the accepted additions those close to the column in topic. */
  readonly close: Set<string>;
}

/** Orders columns by database, table, column; those of one natural name by original name. */
export function compareColumns(a: ColumnName, b: ColumnName): number {
  return (
    compareText(a.dbId, b.dbId) ||
    compareText(a.table, b.table) ||
    compareText(a.tableOriginal ?? '', b.tableOriginal ?? '') ||
    compareText(a.column, b.column) ||
    compareText(a.columnOriginal ?? '', b.columnOriginal ?? '')
  );
}

/** Key of a column for maps. */
export function columnTallyKey({ dbId, table, tableOriginal, column, columnOriginal }: ColumnName): string {
  return JSON.stringify([dbId, tableOriginal ?? table, columnOriginal ?? column]);
}

/**
 * Names as reports have them: natural ones, with the original one of a table or column only where two share a natural
 * one.
 */
export class ReportedNames {
  readonly #shared = new Set<string>();

  constructor(databases: Iterable<Database>) {
    for (const { id, tables } of databases) {
      this.#noteShared(tables, [id]);
      for (const { originalName, columns } of tables) this.#noteShared(columns, [id, originalName]);
    }
  }

  /** A column as a report names it. */
  of(name: ColumnName): ColumnName {
    return { dbId: name.dbId, ...this.within(name) };
  }

  /** The same without its database. */
  within({ dbId, table, tableOriginal, column, columnOriginal }: ColumnName): Omit<ColumnName, 'dbId'> {
    return {
      table,
      ...(this.#isShared([dbId], table) ? { tableOriginal } : {}),
      column,
      ...(this.#isShared([dbId, tableOriginal], column) ? { columnOriginal } : {}),
    };
  }

  #isShared(place: readonly (string | undefined)[], name: string): boolean {
    return this.#shared.has(JSON.stringify([...place, name]));
  }

  #noteShared(named: readonly { readonly name: string }[], place: readonly string[]): void {
    const known = new Set<string>();
    for (const { name } of named) {
      if (known.has(name)) this.#shared.add(JSON.stringify([...place, name]));
      known.add(name);
    }
  }
}

/** No decisions yet. */
export function emptyCounts(): BucketCounts {
  return { RPL: 0, ADD: 0, rejected: 0, near: 0 };
}

/** Adds one decision. */
export function addToCounts(counts: BucketCounts, bucket: Bucket, isBorderline: boolean): void {
  counts[bucket]++;
  if (isBorderline) counts.near++;
}

/** Adds counts to counts. */
export function mergeCounts(into: BucketCounts, from: BucketCounts): void {
  into.RPL += from.RPL;
  into.ADD += from.ADD;
  into.rejected += from.rejected;
  into.near += from.near;
}

/** The name of the column that a decision is about. */
export function decidedColumnName(decision: CandidateDecision): ColumnName {
  const { db_id: dbId, table, table_original: tableOriginal, column, column_original: columnOriginal } = decision;
  return { dbId, table, tableOriginal, column, columnOriginal };
}

/** Counts decisions per column; columns that were to be perturbed are present even where nothing was decided. */
export class ColumnTallies {
  readonly #columns = new Map<string, ColumnTally>();

  constructor(targets: readonly ColumnName[]) {
    for (const target of targets) this.#of(target);
  }

  add(decision: CandidateDecision): void {
    const tally = this.#of(decidedColumnName(decision));
    addToCounts(tally.counts, decision.bucket, decision.near);
    if (decision.bucket === 'rejected') return;
    tally.accepted[decision.bucket].add(countedName(decision.candidate));
    if (decision.goes_with === 'column') tally.close.add(countedName(decision.candidate));
  }

  /** All columns, by database, table, column. */
  sorted(): readonly ColumnTally[] {
    return [...this.#columns.values()].sort(compareColumns);
  }

  #of(name: ColumnName): ColumnTally {
    const key = columnTallyKey(name);
    let tally = this.#columns.get(key);
    if (tally === undefined) {
      tally = { ...name, counts: emptyCounts(), accepted: { RPL: new Set(), ADD: new Set() }, close: new Set() };
      this.#columns.set(key, tally);
    }
    return tally;
  }
}
