import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { ClauseRefusal, type RefusalReason } from '../../src/compositional/clauses/clause-refusal.js';
import type { ClauseQuery } from '../../src/compositional/clauses/clause.js';
import { joinKeysOf } from '../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../src/compositional/clauses/read-clauses.js';
import { sqlOf } from '../../src/compositional/clauses/write-clauses.js';
import { ExactMatch } from '../../src/evaluate/exact/exact-match.js';
import type { Database, Example } from '../../src/schema/schema.js';
import { executableSql } from '../../src/sql/executable-sql.js';
import { executeQuery } from '../../src/sql/execution/execute-query.js';
import { DEFAULT_LIMITS, type QueryOutcome } from '../../src/sql/execution/query-outcome.js';
import { compareResults } from '../../src/sql/execution/result-comparison.js';

/** How a gold came back from its clauses. */
export type RoundTrip =
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly detail: string }
  | {
      readonly kind: 'written';
      readonly sql: string;
      readonly exact: boolean;
      /** Null where the gold has no result or its database is absent. */
      readonly equal: boolean | null;
    };

/** A database with what the bench needs of it. */
export interface BenchDatabase {
  readonly database: Database;
  readonly sqlite: Sqlite.Database | null;
  readonly golds: readonly string[];
}

/** Opens the databases of examples. */
export function openDatabases(
  folder: string,
  schemas: ReadonlyMap<string, Database>,
  examples: readonly Example[],
): ReadonlyMap<string, BenchDatabase> {
  const golds = new Map<string, string[]>();
  for (const { dbId, query } of examples) golds.set(dbId, [...(golds.get(dbId) ?? []), query]);
  const opened = [...golds].flatMap(([dbId, own]): [string, BenchDatabase][] => {
    const database = schemas.get(dbId);
    const file = join(folder, dbId, `${dbId}.sqlite`);
    const sqlite = existsSync(file) ? new Sqlite(file, { readonly: true }) : null;
    return database === undefined ? [] : [[dbId, { database, sqlite, golds: own }]];
  });
  return new Map(opened);
}

/** Whether two queries give the same rows, in the same order where the first orders them; null where it gives none. */
function giveSameRows(gold: string, other: string, { sqlite, database }: BenchDatabase): boolean | null {
  if (sqlite === null) return null;
  const run = (sql: string): QueryOutcome => executeQuery(sqlite, executableSql(sql, database), DEFAULT_LIMITS);
  const [left, right] = [run(gold), run(other)];
  if (left.kind !== 'rows') return null;
  const mode = /\border\s+by\b/i.test(gold) ? 'ordered' : 'bag';
  return right.kind === 'rows' && compareResults(left, right, mode, 'numeric') === null;
}

/** Golds to clauses and back, judged by exact set match and by what they give. */
export class RoundTripper {
  readonly #exact = new ExactMatch();
  readonly #keys = new Map<Database, ReturnType<typeof joinKeysOf>>();

  keysOf({ database, golds }: BenchDatabase): ReturnType<typeof joinKeysOf> {
    const keys = this.#keys.get(database) ?? joinKeysOf(database, golds);
    this.#keys.set(database, keys);
    return keys;
  }

  /** Judges the SQL of clauses by a gold. */
  judge(example: Example, clauses: ClauseQuery, opened: BenchDatabase): RoundTrip {
    const { database } = opened;
    const sql = sqlOf(clauses, database, this.keysOf(opened));
    const { id, query: gold } = example;
    const { outcome } = this.#exact.judgePair({ id, group: id, database, gold, predicted: sql });
    return { kind: 'written', sql, exact: outcome === 'correct', equal: giveSameRows(gold, sql, opened) };
  }

  trip(example: Example, opened: BenchDatabase, read?: () => ClauseQuery): RoundTrip {
    try {
      const own = (): ClauseQuery => clausesOf(example.query, opened.database, this.keysOf(opened));
      return this.judge(example, (read ?? own)(), opened);
    } catch (error) {
      if (!(error instanceof ClauseRefusal)) throw error;
      return { kind: 'refused', reason: error.reason, detail: error.message };
    }
  }
}
