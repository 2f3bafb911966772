import type Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../../src/errors.js';
import { bindQuery } from '../../../src/sql/binder.js';
import type { Database } from '../../../src/schema/schema.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import { isTrivia, tokenize } from '../../../src/sql/tokenizer.js';
import { neighborsOf } from '../../../src/testsuite/neighbors/neighbors.js';
import { openRandom, randomQuery, randomTown } from '../../sql/random-queries.js';
import { openTown, TOWN } from '../../sql/town-database.js';
import { TOWN_QUERIES } from '../../sql/town-queries.js';

const RUNS = process.env['PERTURBQL_FULL'] === '1' ? 6000 : 150;
const SAME: Readonly<Record<string, string>> = { '<>': '!=', '==': '=' };

function normal(sql: string): string {
  const tokens = tokenize(sql).filter((token) => !isTrivia(token) && token.text !== ';');
  return tokens
    .map(({ kind, text }) => (kind === 'word' || kind === 'number' ? text.toLowerCase() : (SAME[text] ?? text)))
    .join(' ');
}

/** Why SQLite refuses a query, or null; what only its data could refuse is not asked. */
function refusal(sqlite: Sqlite.Database, sql: string): string | null {
  try {
    sqlite.prepare(sql);
    return null;
  } catch (error) {
    return `${(error as Error).message}: ${sql}`;
  }
}

/** Random golds are not all right SQL. */
function isUsable(sqlite: Sqlite.Database, sql: string, database: Database): boolean {
  try {
    bindQuery(sql, database);
    return refusal(sqlite, sql) === null;
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  }
}

/** Every neighbor resolves and compiles, and no two queries are the same. */
function check(sqlite: Sqlite.Database, gold: string, database: Database): void {
  const neighbors = neighborsOf(gold, database, { seed: 3 }).map(({ sql }) => sql);
  for (const sql of neighbors) bindQuery(sql, database);
  expect(neighbors.flatMap((sql) => refusal(sqlite, sql) ?? [])).toEqual([]);
  expect(new Set([gold, ...neighbors].map(normal)).size).toBe(neighbors.length + 1);
}

describe('neighbors of any query', () => {
  it.each(TOWN_QUERIES)('are distinct, resolve and compile: %s', (gold) => {
    const sqlite = openTown();
    check(sqlite, executableSql(gold, TOWN), TOWN);
    sqlite.close();
  });

  it('are distinct, resolve and compile where the gold does, over random schemas', () => {
    const trial = randomTown.chain((town) => fc.tuple(fc.constant(town), randomQuery(town.database)));
    fc.assert(
      fc.property(trial, ([town, random]) => {
        const sqlite = openRandom(town, town.database);
        const gold = executableSql(random, town.database);
        if (isUsable(sqlite, gold, town.database)) check(sqlite, gold, town.database);
        sqlite.close();
      }),
      { numRuns: RUNS },
    );
  });
});
