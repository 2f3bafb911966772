import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { DatasetPaths } from '../../src/formats/dataset.js';
import { readSqliteSchema } from '../../src/formats/read-sqlite-schema.js';
import { sqlitePath } from '../../src/formats/sample-values.js';
import { renderSpiderTables } from '../../src/formats/spider-tables.js';

/** Cells of the clinic that no question quotes. */
export const CELLS = [
  'Ada Example',
  'Bo Sample',
  'Cy Model',
  '1961-03-14',
  '1979-11-02',
  '1990-07-30',
  '90210',
  '10115',
];

/** A question with its gold. */
type Asked = readonly [question: string, query: string];

/** A data set about patients, whose questions name none but for those added. */
export function writeClinic(folder: string, added: readonly Asked[] = []): DatasetPaths {
  const [databases, tables, examples] = [
    join(folder, 'database'),
    join(folder, 'tables.json'),
    join(folder, 'dev.json'),
  ];
  const file = sqlitePath(databases, 'clinic');
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Sqlite(file);
  sqlite.exec(`
    CREATE TABLE patient (id INTEGER PRIMARY KEY, full_name VARCHAR(40), birth_date DATE, zip_code TEXT, weight REAL, notes);
    INSERT INTO patient VALUES (4711, 'Ada Example', '1961-03-14', '90210', 61.25, NULL),
      (4712, 'Bo Sample', '1979-11-02', '10115', 80.5, NULL), (4713, 'Cy Model', '1990-07-30', '90210', 72.75, NULL);`);
  writeFileSync(tables, JSON.stringify([renderSpiderTables(readSqliteSchema(sqlite, 'clinic'))]));
  sqlite.close();
  const records = [
    ['How many patients are there?', 'SELECT count(*) FROM patient'],
    ['What is the mean weight of patients by zip code?', 'SELECT zip_code, avg(weight) FROM patient GROUP BY zip_code'],
    ['What are the full names and birth dates?', 'SELECT full_name, birth_date FROM patient'],
    ...added,
  ].map(([question, query]) => ({ db_id: 'clinic', question, query }));
  writeFileSync(examples, JSON.stringify(records));
  return { dataset: 'spider', tables, examples, databases, connection: null };
}
