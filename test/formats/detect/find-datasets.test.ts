import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findDatasets } from '../../../src/formats/detect/find-datasets.js';
import { makeTempFolder, PROJECT } from '../../e2e/run-cli.js';

const EXAMPLES = join(PROJECT, 'examples');
const QUESTIONS = 'question,query\nHow many lamps are there?,SELECT count(*) FROM lamp\n';

let temp: ReturnType<typeof makeTempFolder>;
beforeEach(() => {
  temp = makeTempFolder();
});
afterEach(() => temp.remove());

const at = (...path: string[]): string => join(temp.path, ...path);

function write(path: string, text: string): void {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
}

function writeSqlite(path: string): void {
  mkdirSync(join(at(path), '..'), { recursive: true });
  const database = new Database(at(path));
  database.exec("CREATE TABLE lamp (id INTEGER, color TEXT); INSERT INTO lamp VALUES (1, 'red')");
  database.close();
}

function copyExamples(folder: string, ...names: string[]): void {
  for (const name of names) cpSync(join(EXAMPLES, name), at(folder, name), { recursive: true });
}

describe('a file of schemas that is none', () => {
  const tables = (): Record<string, unknown>[] =>
    JSON.parse(readFileSync(join(EXAMPLES, 'tables.json'), 'utf8')) as Record<string, unknown>[];

  it.each([
    ['is cut off', () => JSON.stringify(tables(), null, 1).slice(0, 900), /tables\.json:\d+: this is not JSON/],
    ['is one object', () => '{"db_id": "x"}', /tables\.json, x: field "table_names" is missing/],
    ['is another list', () => '[{"a": 1}]', /tables\.json, database 0: field "db_id" is missing/],
  ])(
    'is named with its place where it %s, whatever else the questions could be read with',
    async (_, text, message) => {
      copyExamples('data', 'dev.json', 'database');
      write('data/tables.json', text());
      const { datasets, refused } = await findDatasets(temp.path);
      expect(datasets).toEqual([]);
      expect(refused).toEqual([expect.stringMatching(message)]);
    },
  );

  it('costs the schema that lacks a field, by name', async () => {
    copyExamples('data', 'dev.json');
    const [first, { column_names_original: _, ...second }, ...others] = tables() as [object, Record<string, unknown>];
    write('data/tables.json', JSON.stringify([first, second, ...others]));
    const [found] = (await findDatasets(temp.path)).datasets;
    expect(found).toMatchObject({
      databases: 2,
      leftOut: [{ id: 'pottery_studio (tables.json, record 1)', reason: 'field "column_names_original" is missing' }],
    });
  });
});

describe('what is found', () => {
  it('of Spider: tables, databases, gold, predictions, and what there is to learn from', async () => {
    copyExamples('data/spider', 'tables.json', 'dev.json', 'database', 'gold.sql', 'pred.sql');
    cpSync(at('data/spider/dev.json'), at('data/spider/train_spider.json'));
    const { datasets, refused } = await findDatasets(temp.path);
    expect(refused).toEqual([]);
    expect(datasets).toEqual([
      {
        paths: {
          dataset: 'spider',
          tables: at('data/spider/tables.json'),
          examples: at('data/spider/dev.json'),
          databases: at('data/spider/database'),
          connection: null,
        },
        train: at('data/spider/train_spider.json'),
        gold: at('data/spider/gold.sql'),
        predictions: at('data/spider/pred.sql'),
        questions: 30,
        toLearnFrom: 30,
        databases: 3,
        withRows: 3,
        leftOut: [],
      },
    ]);
  });

  it('of BIRD: the databases of the split', async () => {
    write('bird/dev_tables.json', '');
    cpSync(join(EXAMPLES, 'tables.json'), at('bird/dev_tables.json'));
    const record = { question_id: 0, db_id: 'planetarium', question: 'How many?', SQL: 'SELECT count(*) FROM Session' };
    write('bird/dev.json', JSON.stringify([record]));
    cpSync(join(EXAMPLES, 'database'), at('bird/dev_databases'), { recursive: true });
    cpSync(join(EXAMPLES, 'database'), at('bird/train_databases'), { recursive: true });
    const [found] = (await findDatasets(temp.path)).datasets;
    expect(found).toMatchObject({
      paths: { dataset: 'bird', tables: at('bird/dev_tables.json'), databases: at('bird/dev_databases') },
      questions: 1,
    });
  });

  it.each([
    ['lamps.db', 'lamps.db'],
    ['data/lamps/lamps.sqlite', 'data'],
  ])('of SQLite: %s, as a file or a folder', async (file, databases) => {
    writeSqlite(file);
    write('questions.csv', QUESTIONS);
    const { datasets } = await findDatasets(temp.path);
    expect(datasets).toMatchObject([
      { paths: { dataset: 'sqlite', tables: null, examples: at('questions.csv'), databases: at(databases) } },
    ]);
  });

  it.each([
    ['tables/lamp.csv', 'tables'],
    ['tables/house/lamp.csv', 'tables'],
  ])('of CSV: %s', async (file, tables) => {
    write(file, 'id,color\n1,red\n');
    write('questions.csv', QUESTIONS);
    const { datasets } = await findDatasets(temp.path);
    expect(datasets).toMatchObject([{ paths: { dataset: 'csv', tables: at(tables), databases: null } }]);
  });

  it.each([
    ['sqlite', () => writeSqlite('library.sqlite')],
    ['csv', () => write('tables/lamp.csv', 'id,color\n1,red\n')],
  ])('of %s: each file of questions, with the training questions to learn from', async (format, writeTables) => {
    writeTables();
    for (const name of ['test', 'train', 'dev']) write(`${name}.csv`, QUESTIONS);
    const { datasets } = await findDatasets(temp.path);
    expect(datasets.map(({ paths, train }) => [paths.dataset, paths.examples, train])).toEqual([
      [format, at('dev.csv'), at('train.csv')],
      [format, at('test.csv'), at('train.csv')],
    ]);
  });

  it('of SQLite: training questions alone, and those next to questions rather than others', async () => {
    writeSqlite('a/lamps.sqlite');
    write('a/train.csv', QUESTIONS);
    writeSqlite('b/lamps/lamps.sqlite');
    for (const name of ['one/dev', 'one/train', 'two/dev', 'two/train']) write(`b/${name}.csv`, QUESTIONS);
    const { datasets } = await findDatasets(temp.path);
    expect(datasets.map(({ paths, train }) => [paths.examples, train])).toEqual([
      [at('a/train.csv'), null],
      [at('b/one/dev.csv'), at('b/one/train.csv')],
      [at('b/two/dev.csv'), at('b/two/train.csv')],
    ]);
  });

  it('is nothing in an empty folder, in a run, or of files of other things', async () => {
    write('notes.json', '[{"question": "?"}]');
    write('package.json', '{}');
    copyExamples('RUN', 'tables.json', 'dev.json', 'database');
    write('RUN/run.json', '{}');
    expect(await findDatasets(temp.path)).toEqual({ datasets: [], refused: [] });
  });

  it('has rows first', async () => {
    copyExamples('a', 'tables.json', 'dev.json');
    copyExamples('deep/down/b', 'tables.json', 'dev.json', 'database');
    const { datasets } = await findDatasets(temp.path);
    expect(datasets.map(({ paths }) => paths.databases)).toEqual([at('deep/down/b/database'), null]);
  });

  it('has rows where a link leads to them, which the paths keep', async () => {
    copyExamples('elsewhere', 'database', 'dev.json');
    copyExamples('data', 'tables.json');
    symlinkSync(at('elsewhere/database'), at('data/database'));
    symlinkSync('../elsewhere/dev.json', at('data/dev.json'));
    symlinkSync('nowhere', at('data/train.json'));
    symlinkSync('..', at('data/up'));
    rmSync(at('elsewhere/database/planetarium'), { recursive: true });
    const { datasets } = await findDatasets(at('data'));
    expect(datasets).toMatchObject([
      {
        paths: { examples: at('data/dev.json'), databases: at('data/database') },
        train: null,
        databases: 3,
        withRows: 2,
      },
    ]);
  });

  it('says what looks like a data set and can’t be read', async () => {
    copyExamples('.', 'tables.json');
    write('dev.json', '[{"db_id": "nowhere", "question": "?", "query": "SELECT 1"}]');
    const { datasets, refused } = await findDatasets(temp.path);
    expect(datasets).toEqual([]);
    expect(refused).toEqual([expect.stringContaining('db_id "nowhere" is not in the tables file')]);
  });
});
