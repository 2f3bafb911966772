import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDrSpiderDataset } from '../../../src/formats/dr-spider/dr-spider-dataset.js';
import { createFolder, faultOf } from '../format-fixture.js';
import { createSqlite, pathsOf } from '../output-set-fixture.js';

/** A schema of one table in the form of Spider's tables.json. */
const schema = (id: string, table: string, columns: readonly string[]): unknown => ({
  db_id: id,
  table_names: [table],
  table_names_original: [table],
  column_names: [[-1, '*'], ...columns.map((name) => [0, name.toLowerCase()])],
  column_names_original: [[-1, '*'], ...columns.map((name) => [0, name])],
  column_types: ['text', ...columns.map(() => 'text')],
  primary_keys: [],
  foreign_keys: [],
});

const ask = (dbId: string, query: string, q: number): unknown => ({
  db_id: dbId,
  question: 'Who?',
  query,
  q_id_spider_dev: q,
  query_toks: [],
  sql: {},
});

const FILES = {
  'DB_schema_synonym/questions_pre_perturbation.json': [ask('pets', 'SELECT name FROM pet', 3)],
  'DB_schema_synonym/questions_post_perturbation.json': [ask('pets_0', 'SELECT title FROM pet', 3)],
  'DB_schema_synonym/tables_post_perturbation.json': [schema('pets_0', 'pet', ['title', 'age'])],
  'NLQ_others/questions_pre_perturbation.json': [ask('pets', 'SELECT age FROM pet', 5)],
  'NLQ_others/questions_post_perturbation.json': [ask('pets', 'SELECT age FROM pet', 5)],
  'Spider-dev/tables.json': [schema('pets', 'pet', ['name', 'age'])],
};

function release(): string {
  const folder = createFolder({});
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  for (const [name, content] of Object.entries(FILES)) write(name, JSON.stringify(content));
  write(
    'DB_schema_synonym/database_post_perturbation/pets_0/pets_0.sqlite',
    readFileSync(createSqlite("CREATE TABLE pet (title TEXT, age TEXT); INSERT INTO pet VALUES ('Rex', '3')", 'a.db')),
  );
  write(
    'Spider-dev/databases/pets/pets.sqlite',
    readFileSync(createSqlite("CREATE TABLE pet (name TEXT, age TEXT); INSERT INTO pet VALUES ('Rex', '3')", 'b.db')),
  );
  return folder;
}

describe('loadDrSpiderDataset', () => {
  it('reads the folder of all sets: each example with what it was, on the databases of both', () => {
    const dataset = loadDrSpiderDataset(pathsOf('dr-spider', { examples: release() }));
    expect([...dataset.examples()].map(({ id, dbId }) => `${id} ${dbId}`)).toEqual([
      'DB_schema_synonym:0 pets_0',
      'NLQ_others:0 pets',
    ]);
    const [renamed, asked] = dataset.pairs ?? [];
    expect(renamed).toMatchObject({ kind: 'DB_schema_synonym', origin: 'pets', keepsRows: true });
    expect(renamed?.before.query).toBe('SELECT name FROM pet');
    expect(renamed?.rowsBefore).toMatch(/pets\.sqlite$/);
    expect(renamed?.rowsAfter).toMatch(/pets_0\.sqlite$/);
    expect(asked).toMatchObject({ kind: 'NLQ_others', keepsRows: false });
    expect(dataset.hasRows('pets_0')).toBe(true);
  });

  it('reads one set by itself, with the schemas before it given', () => {
    const folder = release();
    const dataset = loadDrSpiderDataset(
      pathsOf('dr-spider', {
        examples: join(folder, 'DB_schema_synonym'),
        tables: join(folder, 'Spider-dev', 'tables.json'),
      }),
    );
    expect(dataset.size).toBe(1);
  });

  it('refuses a given path that is not there, though the sets have files of their own', () => {
    for (const input of ['tables', 'databases']) {
      const paths = pathsOf('dr-spider', { examples: release(), [input]: '/nope' });
      expect(faultOf(() => loadDrSpiderDataset(paths)).fix).toContain(`--${input}`);
    }
  });

  it('says what is missing', () => {
    const empty = createFolder({});
    expect(faultOf(() => loadDrSpiderDataset(pathsOf('dr-spider', { examples: empty }))).message).toContain(
      'questions_post_perturbation.json',
    );
  });
});
