import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goldColumns } from '../../../src/formats/exports/linker-export.js';
import { DEFAULT_TEMPLATE } from '../../../src/formats/exports/prompt-template.js';
import { writeExports } from '../../../src/formats/exports/write-exports.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { ownFieldsOf } from '../../../src/formats/own-fields.js';
import { mustGet } from '../../../src/present.js';
import { BIRTH_YEAR, GARDEN, HOME_COUNTRY, PLOT_GARDENER } from '../../variants/relations/names/garden-schema.js';
import { createFolder, TOWN } from '../format-fixture.js';
import { createOutput, pathsOf } from '../output-set-fixture.js';
import { renamed, setWith } from '../variant-fixture.js';

const JOINED =
  'SELECT T1.home_country FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id WHERE T1.birth_year > 1980';

test('gold columns are those outside of join conditions; a gold that can’t be read has none', () => {
  expect(goldColumns(JOINED, GARDEN)).toEqual([HOME_COUNTRY, BIRTH_YEAR]);
  expect(goldColumns(`SELECT count(*) FROM plot WHERE gardener_id IN (${JOINED})`, GARDEN)).toEqual(
    expect.arrayContaining([PLOT_GARDENER, HOME_COUNTRY, BIRTH_YEAR]),
  );
  expect(goldColumns('SELECT shoe_size FROM gardener', GARDEN)).toBeNull();
});

test('the export for the linker has every question with its schema and the columns that its gold asks for', async () => {
  const query = 'SELECT Home_Town FROM Singer WHERE Singer_ID > 1';
  const root = createFolder({
    'tables.json': JSON.stringify([TOWN]),
    'dev.json': JSON.stringify([{ db_id: 'town', question: 'Which towns?', query }]),
  });
  const paths = pathsOf('spider', { tables: join(root, 'tables.json'), examples: join(root, 'dev.json') });
  const dataset = await loadDataset(paths);
  const town = mustGet([...dataset.databases.values()][0], 'town');
  const set = setWith(dataset, [renamed(town, 0, 1, 'origin', 'origin')]);
  const { path, folder } = createOutput();
  await writeExports(['linker'], set, folder, { template: DEFAULT_TEMPLATE, fieldsOf: ownFieldsOf(set, undefined) });
  const { schemas, records } = JSON.parse(readFileSync(join(path, 'linker/data.json'), 'utf8')) as {
    schemas: [string, string[]][][];
    records: { schema: number }[];
  };
  const gold = expect.arrayContaining([[0, 1]]) as unknown;
  expect(records).toEqual([
    { question: 'Which towns?', database: 'town', schema: 0, gold },
    { question: 'Which towns?', database: 'town', schema: 1, gold },
  ]);
  expect(schemas.map(([singer]) => singer?.[1][1])).toEqual(['home town', 'origin']);
});
