import type { Database as Sqlite } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/schema/schema.js';
import { SqlRewriteError } from '../../src/errors.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { JOIN_QUERIES } from './join-queries.js';
import { hasSpider, NEEDS_SPIDER, readDatabases, readGold } from './spider-files.js';
import { compareRename, openSchema, resolvedOrigins, sqliteOrigins } from './sqlite-oracle.js';
import { TOWN } from './town-database.js';
import { TOWN_QUERIES } from './town-queries.js';

/** Everything, Spider's train queries included: npm run check:full. */
const FULL = process.env['PERTURBQL_FULL'] === '1';

/** Queries whose origins SQLite tells in another way, with the reason. */
const OTHER_ORIGINS: Readonly<Record<string, string>> = {
  'SELECT name, (SELECT name FROM city WHERE id = city_id) FROM person': 'looks into a scalar subquery',
  'SELECT a.name FROM (SELECT name FROM person UNION SELECT country FROM city) a ORDER BY name':
    'takes the last SELECT of a compound',
};

/** What ALTER TABLE does not do for a view, by the queries that it concerns. */
const UNFOLLOWED: readonly (readonly [reason: string, query: RegExp])[] = [
  ['leaves NATURAL and USING as they are', /\bNATURAL\b|\bUSING\b/i],
  [
    'does not follow a name out of a subquery',
    /\bFROM \((?:SELECT|person|visit)|\bJOIN \((?:SELECT|visit)|^WITH|\(WITH/i,
  ],
  ['does not follow a name that a star gives to ORDER BY', /^SELECT \*.* ORDER BY /i],
  ['forgets the operand of an empty IN', /IN \(\)/],
];

interface Tally {
  equal: number;
  readonly unfollowed: Record<string, number>;
  readonly different: string[];
}

function tally(
  queries: readonly { readonly sql: string; readonly database: Database; readonly sqlite: Sqlite }[],
): Tally {
  const result: Tally = { equal: 0, unfollowed: {}, different: [] };
  for (const { sql, database, sqlite } of queries) {
    const verdict = compareRename(sql, database, sqlite);
    const reason = UNFOLLOWED.find(([, pattern]) => pattern.test(sql))?.[0];
    if (verdict.kind === 'equal') result.equal++;
    else if (reason === undefined) result.different.push(`${sql}: ${JSON.stringify(verdict)}`);
    else result.unfollowed[reason] = (result.unfollowed[reason] ?? 0) + 1;
  }
  return result;
}

describe('SQLite agrees on the town', () => {
  const sqlite = openSchema(TOWN);
  const queries = [...TOWN_QUERIES, ...JOIN_QUERIES].filter((sql) => !sql.startsWith('VALUES'));

  it.each(queries.filter((sql) => !(sql in OTHER_ORIGINS)))('about the origins of %s', (sql) => {
    const text = singleQuoteLiterals(sql, TOWN).sql;
    expect(resolvedOrigins(text, TOWN)).toEqual(sqliteOrigins(text, sqlite));
  });

  it('about every name, where it renames in views at all', () => {
    const { equal, unfollowed, different } = tally(queries.map((sql) => ({ sql, database: TOWN, sqlite })));
    expect(different).toEqual([]);
    expect(Object.keys(unfollowed).sort()).toEqual(UNFOLLOWED.map(([reason]) => reason).sort());
    expect(equal).toBeGreaterThan(90);
  });
});

describe.skipIf(!hasSpider)(`SQLite agrees on Spider's gold queries${NEEDS_SPIDER}`, () => {
  const databases: ReadonlyMap<string, Database> = hasSpider ? readDatabases() : new Map<string, Database>();

  it.each(FULL ? ['dev_gold.sql', 'train_gold.sql'] : ['dev_gold.sql'])('of %s', (file) => {
    const open = new Map<string, Sqlite>();
    const queries = readGold(file).flatMap(({ sql, dbId }) => {
      const database = databases.get(dbId);
      if (database === undefined) return [];
      const sqlite = open.get(dbId) ?? openSchema(database);
      open.set(dbId, sqlite);
      return isResolved(sql, database) ? [{ sql, database, sqlite }] : [];
    });
    const others = queries.filter(({ sql, database, sqlite }) => {
      const text = singleQuoteLiterals(sql, database).sql;
      return JSON.stringify(resolvedOrigins(text, database)) !== JSON.stringify(sqliteOrigins(text, sqlite));
    });
    expect(others.map(({ sql }) => sql)).toEqual([]);
    const { equal, unfollowed, different } = tally(queries);
    expect(different).toEqual([]);
    const left = Object.values(unfollowed).reduce((sum, count) => sum + count, 0);
    expect(equal + left).toBe(queries.length);
    // Nine train queries order `SELECT *` by one of its columns.
    expect(left).toBeLessThanOrEqual(file.startsWith('dev') ? 0 : 9);
  });
});

function isResolved(sql: string, database: Database): boolean {
  try {
    singleQuoteLiterals(sql, database);
    return true;
  } catch (error) {
    if (error instanceof SqlRewriteError) return false;
    throw error;
  }
}
