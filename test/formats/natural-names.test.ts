import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { remapTables } from '../../src/formats/spider-remap.js';
import { PATH_DEFAULTS, type Dataset } from '../../src/formats/dataset.js';
import type { Database } from '../../src/schema/schema.js';

const STAY = {
  db_id: 'stay',
  table_names: ['unitstay'],
  table_names_original: ['unitstay'],
  column_names: [
    [-1, '*'],
    [0, 'unitdischargetime'],
    [0, 'StatusType'],
    [0, 'home town'],
  ],
  column_names_original: [
    [-1, '*'],
    [0, 'unitdischargetime'],
    [0, 'StatusType'],
    [0, 'hometown'],
  ],
  column_types: ['text', 'time', 'text', 'text'],
  primary_keys: [],
  foreign_keys: [],
};
const EXAMPLE = { db_id: 'stay', question: 'Which statuses are there?', query: 'SELECT StatusType FROM unitstay' };

function loadStay(): Promise<Dataset> {
  const folder = mkdtempSync(join(tmpdir(), 'natural-names-'));
  const [tables, examples] = [join(folder, 'tables.json'), join(folder, 'dev.json')];
  writeFileSync(tables, JSON.stringify([STAY]));
  writeFileSync(examples, JSON.stringify([EXAMPLE]));
  return loadDataset({ ...PATH_DEFAULTS, tables, examples });
}

describe('natural names of a data set', () => {
  test('are words where the data set only repeats identifiers', async () => {
    const { databases } = await loadStay();
    const [table] = databases.get('stay')?.tables ?? [];
    expect(table?.name).toBe('unit stay');
    expect(table?.columns.map(({ name }) => name)).toEqual(['unit discharge time', 'status type', 'home town']);
    expect(table?.columns.map(({ originalName }) => originalName)).toEqual([
      'unitdischargetime',
      'StatusType',
      'hometown',
    ]);
  });

  test('are written as the record has them for columns that are not renamed', async () => {
    const { databases, spiderTables } = await loadStay();
    const original = databases.get('stay') as Database;
    const tables = original.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column, c) =>
        c === 0 ? { ...column, name: 'ward release time', originalName: 'wardreleasetime' } : column,
      ),
    }));
    const schema = { ...original, id: 'stay__rpl', tables };
    const record = remapTables(spiderTables ?? new Map(), { schema, origin: 'stay', columns: [[0, 1, 2]] });
    expect(record).toMatchObject({
      column_names: [STAY.column_names[0], [0, 'ward release time'], ...STAY.column_names.slice(2)],
      column_names_original: [
        STAY.column_names_original[0],
        [0, 'wardreleasetime'],
        ...STAY.column_names_original.slice(2),
      ],
    });
  });

  test.skipIf(!existsSync('../shared/data/spider/tables.json'))(
    'of Spider stay as people wrote them (skipped where ../shared/data is absent)',
    async () => {
      const folder = '../shared/data/spider';
      const { databases } = await loadDataset({
        ...PATH_DEFAULTS,
        tables: join(folder, 'tables.json'),
        examples: join(folder, 'dev.json'),
      });
      const columns = databases.get('concert_singer')?.tables.flatMap((table) => table.columns) ?? [];
      expect(columns.map(({ name }) => name)).toContain('song release year');
    },
  );
});
