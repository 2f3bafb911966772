import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import type { Database } from '../../../src/schema/schema.js';
import { bindQuery } from '../../../src/sql/binder.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import type { ComparisonMode } from '../../../src/sql/execution/result-comparison.js';
import { DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import { tieBreaks } from '../../../src/testsuite/distill/row-order.js';
import { createFuzzer, type Fuzzer, type TableRows } from '../../../src/rows/fuzz/fuzzer.js';
import { readColumnFacts } from '../../../src/testsuite/neighbors/column-facts.js';
import { neighborsOf, type Neighbor } from '../../../src/testsuite/neighbors/neighbors.js';
import { hasSpider, NEEDS_SPIDER, readGold, readSqlite, SPIDER } from '../../sql/spider-files.js';

const DATABASES = process.env['PERTURBQL_FULL'] === '1' ? 60 : 3;

interface GoldNeighbors {
  readonly gold: string;
  readonly mode: ComparisonMode;
  /** As suites ask whether a tie decides the gold's result. */
  readonly tieBreaks: readonly string[];
  readonly neighbors: readonly Neighbor[];
}

function refusal(sqlite: Sqlite.Database, sql: string): string | null {
  try {
    sqlite.prepare(sql);
    return null;
  } catch (error) {
    return `${(error as Error).message}: ${sql}`;
  }
}

function reversed(rows: TableRows): TableRows {
  return new Map([...rows].map(([name, own]) => [name, [...own].reverse()]));
}

/** Neighbors that are shown to be equivalent and give another result than their gold, where the gold's is determined. */
function distinguished(fuzzer: Fuzzer, rows: TableRows, golds: readonly GoldNeighbors[]): string[] {
  const [sqlite, other] = [fuzzer.materialize(rows), fuzzer.materialize(reversed(rows))];
  const [runner, check] = [new DenotationRunner(sqlite), new DenotationRunner(other)];
  const told = golds.flatMap(({ gold, mode, tieBreaks: variants, neighbors }) => {
    const meant = runner.denote(gold, mode);
    if (meant.kind !== 'rows') return [];
    const again = [check.denote(gold, mode), ...variants.map((sql) => runner.denote(sql, mode))];
    if (again.some((result) => result.kind !== 'rows' || result.hash !== meant.hash)) return [];
    const proven = neighbors.filter(({ equivalent }) => equivalent !== null);
    return proven.flatMap(({ sql, equivalent }) => {
      const found = runner.denote(sql, mode);
      return found.kind === 'rows' && found.hash === meant.hash ? [] : [`${equivalent}: ${gold} | ${sql}`];
    });
  });
  sqlite.close();
  other.close();
  return told;
}

/** The distinct golds of one schema with their neighbors. */
function goldNeighbors(sqlite: Sqlite.Database, database: Database, golds: readonly string[]): GoldNeighbors[] {
  const facts = readColumnFacts(sqlite, database);
  return [...new Set(golds.map((sql) => executableSql(sql, database)))].map((gold) => ({
    gold,
    mode: bindQuery(gold, database).select.orderBy.length > 0 ? 'ordered' : 'bag',
    tieBreaks: tieBreaks(bindQuery(gold, database)),
    neighbors: neighborsOf(gold, database, { seed: 1, facts }),
  }));
}

describe.skipIf(!hasSpider)(`neighbors of Spider's dev gold${NEEDS_SPIDER}`, () => {
  const golds = hasSpider ? readGold('dev_gold.sql') : [];
  const databases = hasSpider ? loadSpiderTables(join(SPIDER, 'tables.json')) : new Map<string, never>();

  it.each([...new Set(golds.map(({ dbId }) => dbId))])(
    'of %s compile, none repeats, and no random database tells the equivalent ones',
    (id) => {
      const [bytes, database] = [readSqlite(id), databases.get(id)];
      if (bytes === null || database === undefined) throw new Error(`Spider's ${id} is incomplete`);
      const sqlite = new Sqlite(bytes);
      const own = golds.flatMap(({ sql, dbId }) => (dbId === id ? [sql] : []));
      const all = goldNeighbors(sqlite, database, own);
      for (const { gold, neighbors } of all) {
        expect(neighbors.flatMap(({ sql }) => refusal(sqlite, sql) ?? [])).toEqual([]);
        const texts = [gold, ...neighbors.map(({ sql }) => sql)].map((text) => text.replace(/\s+/g, ' ').trim());
        expect(new Set(texts).size).toBe(neighbors.length + 1);
      }
      const file = join(SPIDER, 'database', id, `${id}.sqlite`);
      const fuzzer = createFuzzer(
        { database, file },
        all.map(({ gold }) => gold),
      );
      for (let seed = 0; seed < DATABASES; seed++)
        expect(distinguished(fuzzer, fuzzer.database(seed), all)).toEqual([]);
      fuzzer.close();
      sqlite.close();
    },
  );

  it('are 40 to 60 for a gold on average', () => {
    const counts = golds.map(({ sql, dbId }) => {
      const database = databases.get(dbId);
      return database === undefined ? 0 : neighborsOf(sql, database, { seed: 1 }).length;
    });
    // The paper has 94 (§6.1), of which 15.8 % are repetitions, and spans without a meaning of their own.
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(mean).toBeGreaterThan(40);
    expect(mean).toBeLessThan(60);
  });
});
