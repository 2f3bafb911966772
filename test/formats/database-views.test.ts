import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '../../src/formats/dataset.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { writeSpiderDataset } from '../../src/formats/spider-output.js';
import { isPerturbable } from '../../src/schema/column-family.js';
import { createFolder, TOWN } from './format-fixture.js';
import { createOutput, createSqlite, pathsOf, rowsOf } from './output-set-fixture.js';
import { renamed, setWith } from './variant-fixture.js';

const TOWN_SQL = `CREATE TABLE Singer (Singer_ID INTEGER PRIMARY KEY, Home_Town TEXT);
  CREATE TABLE Concert (Concert_ID INTEGER PRIMARY KEY, Singer_ID INT);
  INSERT INTO Singer VALUES (1, 'Ulm'), (2, 'Bern');
  CREATE VIEW Locals AS SELECT Home_Town, count(*) AS Number FROM Singer GROUP BY Home_Town;
  CREATE VIEW Unasked AS SELECT * FROM Concert;`;
const GOLD = "SELECT Number FROM locals WHERE Home_Town = 'Ulm'";

/** A data set in Spider's layout with a database that has views. */
async function load(golds: readonly string[], tables: object = TOWN, script = TOWN_SQL): Promise<Dataset> {
  const examples = golds.map((query) => ({ db_id: 'town', question: 'Which?', query }));
  const root = createFolder({ 'tables.json': JSON.stringify([tables]), 'dev.json': JSON.stringify(examples) });
  if (script !== '') createSqlite(script, 'database/town/town.sqlite', root);
  const at = (name: string): string => join(root, name);
  return loadDataset(
    pathsOf('spider', { tables: at('tables.json'), examples: at('dev.json'), databases: at('database') }),
  );
}

const namesOf = (dataset: Dataset): readonly string[] =>
  dataset.databases.get('town')?.tables.map(({ originalName }) => originalName) ?? [];

describe('views of the databases next to a tables.json', () => {
  it('are tables after its own where golds name them, and can’t be perturbed', async () => {
    const dataset = await load([GOLD]);
    expect(namesOf(dataset)).toEqual(['Singer', 'Concert', 'Locals']);
    const view = dataset.databases.get('town')?.tables[2];
    expect(view?.columns.map(({ originalName, name }) => [originalName, name])).toEqual([
      ['Home_Town', 'home town'],
      ['Number', 'number'],
    ]);
    expect(view?.columns.some(isPerturbable)).toBe(false);
    expect(dataset.databases.get('town')?.foreignKeys).toEqual([
      { from: { table: 1, column: 1 }, to: { table: 0, column: 0 } },
    ]);
  });

  it('leave the schema and its record as they are where no gold names them', async () => {
    const dataset = await load(['SELECT count(*) FROM Singer']);
    expect(namesOf(dataset)).toEqual(['Singer', 'Concert']);
    expect(dataset.spiderTables?.get('town')).toEqual(TOWN);
  });

  it('leave keys as they are where there are as many as columns', async () => {
    const foreign_keys = TOWN.column_names.map(() => TOWN.foreign_keys[0]);
    const dataset = await load([GOLD], { ...TOWN, foreign_keys });
    expect(dataset.spiderTables?.get('town')).toMatchObject({ foreign_keys });
  });

  it('stand in what is written, which binds without the database, with an entry in the lists by column', async () => {
    const own = { column_notes: TOWN.column_names.map((_, i) => `note ${i}`) };
    const dataset = await load([GOLD], { ...TOWN, ...own });
    const town = dataset.databases.get('town');
    if (town === undefined) throw new Error('no schema');
    const { path, folder } = createOutput();
    writeSpiderDataset(setWith(dataset, [renamed(town, 0, 1, 'birthplace', 'Birthplace')]), folder);
    const again = await loadDataset(
      pathsOf('spider', { tables: join(path, 'tables.json'), examples: join(path, 'examples.json') }),
    );
    expect(again.databases.get('town')).toEqual(town);
    const variant = again.databases.get('town__rpl_1')?.tables;
    expect(variant?.[0]?.columns[1]?.originalName).toBe('Birthplace');
    expect(variant?.[2]).toEqual(town.tables[2]);
    expect(Array.from(again.examples(), ({ query }) => query)).toEqual([GOLD, GOLD]);
    expect(again.spiderTables?.get('town')).toMatchObject({
      views: ['Locals'],
      column_notes: ['note 0', 'note 1', 'note 2', 'note 3', 'note 4', '', ''],
      primary_keys: TOWN.primary_keys,
      foreign_keys: TOWN.foreign_keys,
    });
  });

  it('can’t be perturbed where tables.json lists them, in its order', async () => {
    const listed = {
      ...TOWN,
      table_names: [...TOWN.table_names, 'people of the town'],
      table_names_original: [...TOWN.table_names_original, 'LOCALS'],
      column_names: [...TOWN.column_names, [2, 'their town']],
      column_names_original: [...TOWN.column_names_original, [2, 'Home_Town']],
      column_types: [...TOWN.column_types, 'text'],
    };
    const dataset = await load([GOLD.replace('Number', 'Home_Town')], listed);
    expect(namesOf(dataset)).toEqual(['Singer', 'Concert', 'LOCALS']);
    const columns = dataset.databases.get('town')?.tables.map((table) => table.columns.filter(isPerturbable).length);
    expect(columns).toEqual([2, 2, 0]);
    expect(dataset.spiderTables?.get('town')).toEqual(listed);
  });

  it('are nothing where the file is missing or no database', async () => {
    expect(namesOf(await load([GOLD], TOWN, ''))).toEqual(['Singer', 'Concert']);
  });

  it('return their rows', async () => {
    const dataset = await load([GOLD]);
    expect(rowsOf(dataset.sqliteFile('town', '') ?? '', GOLD)).toEqual([[1]]);
  });
});
