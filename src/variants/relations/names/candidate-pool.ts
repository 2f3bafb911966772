import { getOrMake } from '../../../present.js';
import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { columnKey, type ColumnRef, type Database } from '../../../schema/schema.js';
import { spacedName } from '../../../schema/name-identity.js';
import { naturalName } from '../../../schema/natural-name.js';
import { groupBy } from '../../../run/group-by.js';

/** The names in a record for the column that it is about. */
type DecidedNames = Pick<CandidateDecision, 'table' | 'table_original' | 'column' | 'column_original'>;

/**
 * Positions of what has the original name; where nothing has, or none is given, of all that have the natural one, or
 * whose identifier has its words: files of earlier versions call `MaxTemp` "max temp".
 */
function positionsOf(
  named: readonly { readonly name: string; readonly originalName: string }[],
  original: string | undefined,
  natural: string,
): readonly number[] {
  const all = [...named.entries()];
  const exact = all.filter(([, { originalName }]) => originalName === original);
  if (exact.length > 0) return exact.map(([position]) => position);
  const key = spacedName(natural);
  const sameName = all.filter(([, { name }]) => spacedName(name) === key);
  const found =
    sameName.length > 0 ? sameName : all.filter(([, { originalName }]) => naturalName(originalName) === key);
  return found.map(([position]) => position);
}

/**
 * The tables of a database that a record is about: the one of its original name. A record without one, or with one that
 * the schema lacks, is about the tables of its natural name.
 */
export function decidedTables(
  { tables }: Database,
  { table, table_original }: Pick<DecidedNames, 'table' | 'table_original'>,
): readonly number[] {
  return positionsOf(tables, table_original, table);
}

/** The columns of a database that a record is about, told as its tables are; empty where the schema has none. */
export function decidedColumns(database: Database, names: DecidedNames): readonly ColumnRef[] {
  return decidedTables(database, names).flatMap((table) =>
    positionsOf(database.tables[table]?.columns ?? [], names.column_original, names.column).map((column) => ({
      table,
      column,
    })),
  );
}

/** Decisions by the column that they are about. */
export class DecisionsByColumn {
  readonly #byDatabase: ReadonlyMap<string, readonly CandidateDecision[]>;
  readonly #byColumn = new WeakMap<Database, ReadonlyMap<string, readonly CandidateDecision[]>>();

  constructor(decisions: Iterable<CandidateDecision>) {
    this.#byDatabase = groupBy([...decisions], ({ db_id }) => db_id);
  }

  /** In the order given; empty where nothing was decided for the column. */
  of(database: Database, ref: ColumnRef): readonly CandidateDecision[] {
    const columns = getOrMake(this.#byColumn, database, () => this.#place(database));
    return columns.get(columnKey(ref)) ?? [];
  }

  #place(database: Database): ReadonlyMap<string, readonly CandidateDecision[]> {
    // Many records are about one column, which is looked up once.
    const known = new Map<string, readonly ColumnRef[]>();
    const placed = new Map<string, CandidateDecision[]>();
    for (const decision of this.#byDatabase.get(database.id) ?? []) {
      const { table, table_original, column, column_original } = decision;
      const names = JSON.stringify([table, table_original, column, column_original]);
      const refs = getOrMake(known, names, () => decidedColumns(database, decision));
      for (const ref of refs) {
        getOrMake(placed, columnKey(ref), () => []).push(decision);
      }
    }
    return placed;
  }
}

export type PerturbationKind = 'RPL' | 'ADD';

/** Accepted candidates by column, from a run, a file or human annotation. */
export class CandidatePool {
  readonly #byKind: Readonly<Record<PerturbationKind, DecisionsByColumn>>;
  /** Number of candidates. */
  readonly size: number;

  constructor(decisions: Iterable<CandidateDecision>) {
    const accepted = [...decisions].filter(({ bucket }) => bucket !== 'rejected');
    const of = (kind: PerturbationKind): DecisionsByColumn =>
      new DecisionsByColumn(accepted.filter(({ bucket }) => bucket === kind));
    this.#byKind = { RPL: of('RPL'), ADD: of('ADD') };
    this.size = accepted.length;
  }

  /** Candidates of one column, in the order they were given; empty where there are none. */
  of(database: Database, ref: ColumnRef, kind: PerturbationKind): readonly CandidateDecision[] {
    return this.#byKind[kind].of(database, ref);
  }
}
