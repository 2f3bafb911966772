import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { materializeCopy } from '../../src/variants/databases/copy/materialize-copy.js';
import { createAddedValues } from '../../src/rows/values/added-values.js';
import { sampleTable } from '../../src/rows/values/table-sample.js';
import type { ColumnAddition, DatabaseChange } from '../../src/variants/databases/database-change.js';
import { originalRun, type OriginalRun, verifyVariant } from '../../src/variants/verify/verify-groups.js';
import { PerturbqlError } from '../../src/errors.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import { columnKey, type Database } from '../../src/schema/schema.js';
import { executableSql } from '../../src/sql/executable-sql.js';
import { openUntouched } from '../../src/sql/execution/open-untouched.js';
import type { QueryRunner } from '../../src/sql/execution/query-runner.js';
import { foldName } from '../../src/sql/dialect.js';
import { rewriteVariant } from '../../src/sql/rename-columns.js';
import { NO_CHANGE, type SchemaChange } from '../../src/sql/schema-change.js';
import type { Rng } from '../../src/stage.js';

/** Gives the next name for a column of a database. */
export type NameSource = (database: Database, rng: Rng) => () => string;

export interface SweepVariant {
  readonly kind: 'RPL' | 'ADD';
  readonly seed: number;
  readonly names: NameSource;
}

/** What became of the gold queries of a database under its variants. */
export class SweepTally {
  equal = 0;
  tie = 0;
  /** Gold that fails, or runs too long, on its own original. */
  badGold = 0;
  nonEmpty = 0;
  /** What must not be: "different", "failed", "refused" or a database that can't be made, with the place. */
  readonly faults: string[] = [];
  readonly badQueries = new Set<string>();

  get executed(): number {
    return this.equal + this.tie + this.faults.length;
  }

  add(other: SweepTally): void {
    this.equal += other.equal;
    this.tie += other.tie;
    this.badGold += other.badGold;
    this.nonEmpty += other.nonEmpty;
    this.faults.push(...other.faults);
    for (const query of other.badQueries) this.badQueries.add(query);
  }
}

interface PlannedVariant {
  readonly schema: SchemaChange;
  readonly database: DatabaseChange;
}

/** Columns that the file has: Spider's schemas name a few that it lacks, and tables of SQLite's own. */
function presentColumns(file: string, database: Database): ReadonlySet<string> {
  const sqlite = openUntouched(file);
  try {
    const present = new Set<string>();
    database.tables.forEach(({ originalName, columns }, t) => {
      if (originalName.toLowerCase().startsWith('sqlite_')) return;
      const names = sqlite.prepare('SELECT name FROM pragma_table_xinfo(?)').pluck().all(originalName) as string[];
      const folded = new Set(names.map(foldName));
      columns.forEach((column, c) => {
        if (folded.has(foldName(column.originalName))) present.add(columnKey({ table: t, column: c }));
      });
    });
    return present;
  } finally {
    sqlite.close();
  }
}

/** A name per column of a table that none of its columns has before or after. */
function freshNames(taken: Iterable<string>, count: number, next: () => string): readonly string[] {
  const used = new Set([...taken].map(foldName));
  const names: string[] = [];
  for (let tries = 0; names.length < count; tries++) {
    const drawn = next();
    const name = tries < 1000 ? drawn : `${drawn} ${tries}`;
    if (used.has(foldName(name))) continue;
    used.add(foldName(name));
    names.push(name);
  }
  return names;
}

/** Renames every column, or adds a column for every column at a drawn place. */
class VariantPlanner {
  readonly #database: Database;
  readonly #file: string;
  readonly #present: ReadonlySet<string>;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
    this.#present = presentColumns(file, database);
  }

  plan({ kind, seed, names }: SweepVariant): PlannedVariant {
    const rng = createRng(seed, `${this.#database.id}/${kind}`);
    const next = names(this.#database, rng);
    return kind === 'RPL' ? this.#renameAll(next) : this.#addToAll(next, rng);
  }

  #columnsOf(t: number): readonly number[] {
    return [...this.#database.tables[t]!.columns.keys()].filter((column) =>
      this.#present.has(columnKey({ table: t, column })),
    );
  }

  #renameAll(next: () => string): PlannedVariant {
    const renames = new Map<string, string>();
    const renamed = this.#database.tables.flatMap((table, t) => {
      const columns = this.#columnsOf(t);
      const names = freshNames(
        table.columns.map(({ originalName }) => originalName),
        columns.length,
        next,
      );
      return columns.map((column, i) => {
        renames.set(columnKey({ table: t, column }), names[i]!);
        return { table: table.originalName, from: table.columns[column]!.originalName, to: names[i]! };
      });
    });
    return { schema: { ...NO_CHANGE, renames }, database: { renames: renamed, additions: [] } };
  }

  #addToAll(next: () => string, rng: Rng): PlannedVariant {
    const added = new Map<number, readonly string[]>();
    const sqlite = openUntouched(this.#file);
    try {
      const additions = this.#database.tables.flatMap((table, t): readonly ColumnAddition[] => {
        const columns = this.#columnsOf(t);
        if (columns.length === 0) return [];
        const present = table.columns.map(({ originalName }) => originalName);
        const names = freshNames(present, columns.length, next);
        added.set(t, names);
        const sample = sampleTable(sqlite, table.originalName);
        return columns.map((column, i) => {
          const { type, originalName } = table.columns[column]!;
          const place = columns[rng.int(columns.length + 1)];
          const request = { name: names[i]!, type, sourceValues: [], table: sample, target: originalName };
          const before = place === undefined ? null : table.columns[place]!.originalName;
          return { table: table.originalName, name: names[i]!, before, ...createAddedValues(request, rng) };
        });
      });
      return { schema: { ...NO_CHANGE, added }, database: { renames: [], additions } };
    } finally {
      sqlite.close();
    }
  }
}

/**
 * A database with every column renamed, written to a file.
 * @returns its schema, and what rewrites a query to it, null where that is refused
 */
export function renamedWorld(
  database: Database,
  file: string,
  target: string,
  variant: Omit<SweepVariant, 'kind'>,
): { readonly schema: Database; readonly rewrite: (query: string) => string | null } {
  const planned = new VariantPlanner(database, file).plan({ ...variant, kind: 'RPL' });
  materializeCopy(file, target, planned.database);
  const tables = database.tables.map((table, t) => ({
    ...table,
    columns: table.columns.map((column, c) => {
      const originalName = planned.schema.renames.get(columnKey({ table: t, column: c })) ?? column.originalName;
      return { ...column, originalName };
    }),
  }));
  return {
    schema: { ...database, tables },
    rewrite: (query) => {
      const sql = rewrite(query, database, planned.schema);
      return typeof sql === 'string' ? sql : null;
    },
  };
}

/** Executes the gold queries of one database on variants in which every column is perturbed. */
export async function sweepDatabase(
  runner: QueryRunner,
  database: Database,
  file: string,
  queries: readonly string[],
  variants: readonly SweepVariant[],
): Promise<SweepTally> {
  const tally = new SweepTally();
  const signal = new AbortController().signal;
  const originals = await Promise.all(
    [...new Set(queries)].map(async (query): Promise<readonly [string, OriginalRun]> => {
      const task = { file, sql: executableSql(query, database) };
      return [query, originalRun(task, await runner.run(task, signal))];
    }),
  );
  const planner = new VariantPlanner(database, file);
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-sweep-'));
  try {
    mkdirSync(folder, { recursive: true });
    for (const [number, variant] of variants.entries()) {
      const target = join(folder, `${number}.sqlite`);
      const label = `${database.id} ${variant.kind} ${variant.seed}`;
      const planned = planner.plan(variant);
      try {
        materializeCopy(file, target, planned.database);
      } catch (error) {
        if (!(error instanceof PerturbqlError)) throw error;
        tally.faults.push(`${label}: the database can't be made: ${error.message}`);
        continue;
      }
      await Promise.all(
        originals.map(async ([query, original]) => {
          const sql = rewrite(query, database, planned.schema);
          if (sql instanceof PerturbqlError) {
            if (original.outcome.kind !== 'rows') countBadGold(tally, query);
            else tally.faults.push(`${label}: refused, ${sql.message}: ${query}`);
            return;
          }
          const task = { file: target, sql };
          const { verdict, rows, detail } = await verifyVariant(runner, original, task, signal);
          if (verdict === 'equal' || verdict === 'tie') {
            tally[verdict]++;
            if (rows !== null && rows > 0) tally.nonEmpty++;
          } else if (verdict === 'bad-gold' || verdict === 'timed-out') countBadGold(tally, query);
          else tally.faults.push(`${label}: ${verdict}, ${detail ?? ''}: ${query} => ${sql}`);
        }),
      );
      rmSync(target, { force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tally;
}

function countBadGold(tally: SweepTally, query: string): void {
  tally.badGold++;
  tally.badQueries.add(query);
}

function rewrite(query: string, database: Database, change: SchemaChange): string | PerturbqlError {
  try {
    return rewriteVariant(query, database, change).sql;
  } catch (error) {
    if (error instanceof PerturbqlError) return error;
    throw error;
  }
}

/** Names that break what takes names for words: keywords, quotes, dots, spaces, other scripts, others' names, aliases. */
export const adversarialNames: NameSource = (database, rng) => {
  const others = database.tables.flatMap(({ originalName, columns }) => [
    originalName,
    ...columns.map((column) => column.originalName),
  ]);
  const odd = ['select', 'order', 'group', 'table', 'from', 'values', 'index', 'to', 'end', 'null', 'limit', 'desc'];
  const quoted = [
    'two words',
    'it"s',
    "o'clock",
    'a.b',
    '😀',
    'naïve',
    '[x]',
    '`tick`',
    '50%',
    '#',
    '1st',
    'a--b',
    '/*',
  ];
  const aliases = ['T1', 'T2', 'T3', 't', 'rowid', 'count', 'true', 'current_date'];
  const all = [...odd, ...quoted, ...aliases, ...others];
  let rest: string[] = [];
  return () => {
    if (rest.length === 0) rest = [...shuffled(all, rng)];
    return rest.pop()!;
  };
};
