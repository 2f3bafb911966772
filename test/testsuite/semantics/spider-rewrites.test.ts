import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSpiderTables } from '../../../src/formats/spider-tables.js';
import { executableSql } from '../../../src/sql/executable-sql.js';
import { hasSpider, NEEDS_SPIDER, readGold, SPIDER } from '../../sql/spider-files.js';
import { DistilledSuite } from './distilled-suite.js';
import { rewritesOf } from './rewrites.js';

const BUDGET = { randomDatabases: 10, targetedDatabases: 1, redundancy: 1, allRound: 2 };

describe.skipIf(!hasSpider)(`suites of Spider's schemas${NEEDS_SPIDER}`, () => {
  const golds = hasSpider ? readGold('dev_gold.sql') : [];
  const databases = hasSpider ? loadSpiderTables(join(SPIDER, 'tables.json')) : new Map<string, never>();

  it.each(['battle_death', 'orchestra', 'real_estate_properties'])('%s: golds and their rewrites pass', (id) => {
    const database = databases.get(id)!;
    const own = [...new Set(golds.flatMap(({ sql, dbId }) => (dbId === id ? [executableSql(sql, database)] : [])))];
    const file = join(SPIDER, 'database', id, `${id}.sqlite`);
    const suite = new DistilledSuite({ database, file, golds: own, seed: 1, budget: BUDGET, data: 'observed' });
    try {
      const rewritten = own.flatMap((gold) => [
        { gold, kind: 'none', sql: gold },
        ...rewritesOf(gold, database).map((rewrite) => ({ gold, ...rewrite })),
      ]);
      const refused = rewritten.filter(({ gold, sql }) => suite.differsOn(gold, sql) !== null);
      expect(refused).toEqual([]);
    } finally {
      suite.close();
    }
  });
});
