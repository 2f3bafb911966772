import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DatasetFormat } from '../../src/formats/dataset-formats.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { planTables } from '../../src/variants/candidates/plan-tables.js';

const SHARED = '../shared/data';

interface Shipped {
  readonly dataset: DatasetFormat;
  readonly tables: string;
  readonly examples: string;
  /** Examples that can be used, and those that can't. */
  readonly kept: number;
  readonly leftOut: number;
}

/** Sets as their authors ship them, with what is in their files. */
const SETS: Readonly<Record<string, Shipped>> = {
  bird: { dataset: 'bird', tables: 'bird/dev_tables.json', examples: 'bird/dev.json', kept: 1534, leftOut: 0 },
  'bird mini': {
    dataset: 'bird',
    tables: 'bird/dev_tables.json',
    examples: 'bird/mini_dev_postgresql.json',
    kept: 500,
    leftOut: 0,
  },
  sparc: { dataset: 'sparc', tables: 'sparc/tables.json', examples: 'sparc/dev.json', kept: 1625, leftOut: 0 },
  cosql: { dataset: 'cosql', tables: 'cosql/tables.json', examples: 'cosql/dev.json', kept: 1300, leftOut: 0 },
  spider: { dataset: 'spider', tables: 'spider/tables.json', examples: 'spider/dev.json', kept: 1034, leftOut: 0 },
  'spider-dk': {
    dataset: 'spider',
    tables: 'spider-dk/tables.json',
    examples: 'spider-dk/Spider-DK.json',
    kept: 535,
    leftOut: 0,
  },
  'spider-realistic': {
    dataset: 'spider',
    tables: 'spider/tables.json',
    examples: 'spider-realistic/spider-realistic.json',
    kept: 508,
    leftOut: 0,
  },
  'spider-syn': {
    dataset: 'spider',
    tables: 'spider/tables.json',
    examples: 'spider-syn/dev.json',
    kept: 1034,
    leftOut: 0,
  },
  wikisql: {
    dataset: 'wikisql',
    tables: 'wikisql/followup/data/tables.jsonl',
    examples: 'wikisql/test.jsonl',
    kept: 1678,
    leftOut: 14_200,
  },
};

describe.skipIf(!existsSync(SHARED))('data sets as they are shipped (skipped where ../shared/data is absent)', () => {
  it.each(Object.entries(SETS))('%s is read, and every record accounted for', async (_, set) => {
    const { dataset: format, kept, leftOut } = set;
    const paths = { tables: join(SHARED, set.tables), examples: join(SHARED, set.examples) };
    const dataset = await loadDataset({ dataset: format, ...paths, databases: null, connection: null });
    expect([dataset.size, dataset.skipped.length]).toEqual([kept, leftOut]);
    const { mentions } = planTables(dataset, 'mentioned');
    // PostgreSQL's own syntax is none of SQLite's.
    const share = set.examples.includes('postgresql') ? 0.9 : 0.99;
    expect(mentions.size / kept).toBeGreaterThanOrEqual(share);
  });
});
