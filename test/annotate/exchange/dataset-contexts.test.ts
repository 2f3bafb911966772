import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DatasetContexts } from '../../../src/annotate/exchange/import-annotations.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../../src/formats/dataset.js';
import { createFolder } from '../../formats/format-fixture.js';
import { sampleItem, sampleRecord } from './exchange-fixture.js';

/** A museum of one table, in which two columns have one natural name. */
function writeDataset(): DatasetPaths {
  const columns = ['Country_Code', 'Home_Country', 'Height'];
  const natural = ['home country', 'home country', 'height'];
  const database = {
    db_id: 'lighthouse_museum',
    table_names: ['keeper'],
    table_names_original: ['Keeper'],
    column_names: [[-1, '*'], ...natural.map((name) => [0, name])],
    column_names_original: [[-1, '*'], ...columns.map((name) => [0, name])],
    column_types: ['text', 'number', 'text', 'number'],
    primary_keys: [],
    foreign_keys: [],
  };
  const example = { db_id: 'lighthouse_museum', question: 'Who is tallest?', query: 'SELECT max(Height) FROM Keeper' };
  const folder = createFolder({ 'tables.json': JSON.stringify([database]), 'dev.json': JSON.stringify([example]) });
  return { ...PATH_DEFAULTS, tables: join(folder, 'tables.json'), examples: join(folder, 'dev.json') };
}

describe('what a data set knows of an item', () => {
  test.each([
    ['Home_Country', 'text'],
    ['Country_Code', 'number'],
    // ADVETA's WikiSQL files have no original names.
    ['home country', 'number'],
  ])('is that of the column %s, else of the first one of its natural name', async (columnOriginal, type) => {
    const contexts = await DatasetContexts.open(writeDataset());
    try {
      const item = sampleItem({ columnOriginal, type: 'others' });
      expect(contexts.complete(sampleRecord({ item })).item.type).toBe(type);
    } finally {
      contexts.close();
    }
  });
});
