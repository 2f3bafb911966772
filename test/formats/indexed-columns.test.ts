import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { PATH_DEFAULTS } from '../../src/formats/dataset.js';
import { readSqliteSchema } from '../../src/formats/read-sqlite-schema.js';
import { materializeCopy } from '../../src/variants/databases/copy/materialize-copy.js';
import { linkedColumnGroups } from '../../src/variants/relations/names/new-column-names.js';
import type { Database } from '../../src/schema/schema.js';
import { makeTempFolder } from '../e2e/run-cli.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

const JOBS = `CREATE TABLE job (job_id INTEGER PRIMARY KEY, title TEXT, skills TEXT, pay INTEGER);
  CREATE TABLE offer (offer_id INTEGER PRIMARY KEY, job_id INTEGER REFERENCES job (job_id));
  CREATE VIRTUAL TABLE job_search USING fts5 (title, skills, content='job', content_rowid='job_id');
  INSERT INTO job VALUES (1, 'baker', 'bread', 9); INSERT INTO job_search (job_search) VALUES ('rebuild');`;

/** The columns that keep their names, but for those of views and virtual tables, which all do. */
const fixedOf = ({ tables }: Database): string[] =>
  tables.flatMap((table) =>
    table.isView === true ? [] : table.columns.flatMap((one) => (one.fixed === true ? [one.originalName] : [])),
  );

describe('columns that a full-text index reads by name', () => {
  it('are not perturbed, all others are', () => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(JOBS);
    const schema = readSqliteSchema(sqlite, 'jobs');
    sqlite.close();
    expect(fixedOf(schema)).toEqual(['job_id', 'title', 'skills']);
    // Nor by a key that refers to one.
    expect([...linkedColumnGroups(schema)]).toEqual([]);
  });

  it.each(["fts4 (title, content='job')", 'fts5 (title, content="job")', "fts5(title,content=job, tokenize='porter')"])(
    'are found in the index’s own text: %s',
    (index) => {
      const sqlite = new Sqlite(':memory:');
      sqlite.exec(`CREATE TABLE job (title TEXT, pay INTEGER); CREATE VIRTUAL TABLE s USING ${index}`);
      expect(fixedOf(readSqliteSchema(sqlite, 'jobs'))).toEqual(['title']);
      sqlite.close();
    },
  );

  it.each(["fts5 (title, content='')", 'fts5 (title)'])('are none where it keeps its own content: %s', (index) => {
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(`CREATE TABLE job (title TEXT); CREATE VIRTUAL TABLE s USING ${index}`);
    expect(fixedOf(readSqliteSchema(sqlite, 'jobs'))).toEqual([]);
    sqlite.close();
  });

  it('are told of next to a tables.json, too', async () => {
    const folder = join(temp.path, 'database', 'jobs');
    mkdirSync(folder, { recursive: true });
    const sqlite = new Sqlite(join(folder, 'jobs.sqlite'));
    sqlite.exec(JOBS);
    sqlite.close();
    const record = {
      db_id: 'jobs',
      table_names: ['job'],
      table_names_original: ['job'],
      column_names: [[-1, '*'], ...['job id', 'title', 'skills', 'pay'].map((name) => [0, name])],
      column_names_original: [[-1, '*'], ...['job_id', 'title', 'skills', 'pay'].map((name) => [0, name])],
      column_types: ['text', 'number', 'text', 'text', 'number'],
      primary_keys: [1],
      foreign_keys: [],
    };
    writeFileSync(join(temp.path, 'tables.json'), JSON.stringify([record]));
    const question = { db_id: 'jobs', question: 'Which jobs are there?', query: 'SELECT title FROM job' };
    writeFileSync(join(temp.path, 'dev.json'), JSON.stringify([question]));
    const dataset = await loadDataset({
      ...PATH_DEFAULTS,
      tables: join(temp.path, 'tables.json'),
      examples: join(temp.path, 'dev.json'),
      databases: join(temp.path, 'database'),
    });
    expect(fixedOf(dataset.databases.get('jobs')!)).toEqual(['job_id', 'title', 'skills']);
    expect(dataset.notes).toEqual([
      'jobs: title, skills, job_id of job are not renamed: job_search finds them by name',
    ]);
  });

  it('stay in a copy whose other columns are renamed, and the index finds its rows', () => {
    const [source, target] = ['source.sqlite', 'target.sqlite'].map((name) => join(temp.path, name)) as [
      string,
      string,
    ];
    rmSync(source, { force: true });
    const original = new Sqlite(source);
    original.exec(JOBS);
    original.close();
    const rename = (from: string, to: string): { table: string; from: string; to: string } => ({
      table: 'job',
      from,
      to,
    });
    materializeCopy(source, target, { renames: [rename('pay', 'wage')], additions: [] });
    const copy = new Sqlite(target, { readonly: true });
    const found = copy.prepare(
      `SELECT wage FROM job_search JOIN job ON job_search.rowid = job_id WHERE job_search MATCH 'bread'`,
    );
    expect(found.pluck().all()).toEqual([9]);
    copy.close();
    expect(() => materializeCopy(source, target, { renames: [rename('title', 'headline')], additions: [] })).toThrow(
      /job_search can’t follow the change: it takes its content from job by name/,
    );
  });
});
