import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import { executableSql } from '../../../src/sql/execution/executable-sql.js';
import { readColumnFacts } from '../../../src/testsuite/neighbors/column-facts.js';
import { neighborsOf } from '../../../src/testsuite/neighbors/neighbors.js';
import { hasSpider, NEEDS_SPIDER, readGold, readSqlite, SPIDER } from '../../sql/spider-files.js';

/** How many rows of a result are read: an error shows before. */
const MOST_ROWS = 100;

function run(sqlite: Sqlite.Database, sql: string): string | null {
  try {
    const rows = sqlite.prepare(sql).raw().iterate();
    for (let read = 0; read < MOST_ROWS && rows.next().done !== true; read++);
    rows.return?.();
    return null;
  } catch (error) {
    return `${(error as Error).message}: ${sql}`;
  }
}

describe.skipIf(!hasSpider)(`neighbors of Spider's dev gold${NEEDS_SPIDER}`, () => {
  const golds = hasSpider ? readGold('dev_gold.sql') : [];
  const databases = hasSpider ? loadSpiderTables(join(SPIDER, 'tables.json')) : new Map<string, never>();

  it.each([...new Set(golds.map(({ dbId }) => dbId))])('of %s execute, and none repeats', (id) => {
    const [bytes, database] = [readSqlite(id), databases.get(id)];
    if (bytes === null || database === undefined) throw new Error(`Spider's ${id} is incomplete`);
    const sqlite = new Sqlite(bytes);
    const facts = readColumnFacts(sqlite, database);
    for (const { sql } of golds.filter(({ dbId }) => dbId === id)) {
      const gold = executableSql(sql, database);
      const neighbors = neighborsOf(gold, database, { seed: 1, facts }).map((neighbor) => neighbor.sql);
      expect(neighbors.flatMap((neighbor) => run(sqlite, neighbor) ?? [])).toEqual([]);
      const texts = [gold, ...neighbors].map((text) => text.replace(/\s+/g, ' ').trim());
      expect(new Set(texts).size).toBe(neighbors.length + 1);
    }
    sqlite.close();
  });

  it('are 20 to 25 for a gold on average', () => {
    const counts = golds.map(({ sql, dbId }) => {
      const database = databases.get(dbId);
      return database === undefined ? 0 : neighborsOf(sql, database, { seed: 1 }).length;
    });
    // The paper has 94 (§6.1): other kinds of changes, and repetitions.
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(mean).toBeGreaterThan(20);
    expect(mean).toBeLessThan(25);
  });
});
