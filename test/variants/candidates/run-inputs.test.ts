import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { DatasetPaths } from '../../../src/formats/dataset.js';
import { loadDataset } from '../../../src/formats/load-dataset.js';
import { planTables } from '../../../src/variants/candidates/plan-tables.js';
import { writeRunInputs } from '../../../src/variants/candidates/run-inputs.js';
import { RunFolder } from '../../../src/run/run-folder.js';
import { temporaryFolder } from '../databases/copy/materialize-copy-fixture.js';

const folder = temporaryFolder();

/** A database of a clinic with a question about it. */
function clinic(): DatasetPaths {
  const sqlite = new Sqlite(join(folder, 'clinic.sqlite'));
  sqlite.exec('CREATE TABLE doctor (doc_id INTEGER PRIMARY KEY, doc_nm TEXT, qzx INTEGER)');
  sqlite.close();
  const examples = join(folder, 'dev.json');
  const question = { db_id: 'clinic', question: 'Who are the doctors?', query: 'SELECT doc_nm FROM doctor' };
  writeFileSync(examples, JSON.stringify([question]));
  const databases = join(folder, 'clinic.sqlite');
  return { dataset: 'sqlite', tables: null, examples, databases, connection: null };
}

describe('readings of a run', () => {
  it('are those of its tables, and give the same names when they are read back', async () => {
    const paths = clinic();
    const dataset = await loadDataset(paths);
    const manifest = { command: 'candidates', version: '0', seed: 0, settings: {}, inputs: {} };
    const run = RunFolder.open(join(folder, 'RUN'), manifest);
    writeRunInputs(run, paths, planTables(dataset, 'all'));
    run.finish();
    const file = join(folder, 'RUN', 'readings.jsonl');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const readings = lines.map((line) => JSON.parse(line) as { column: string | null; reading: string });
    expect(readings.map(({ column, reading }) => [column, reading])).toEqual([
      [null, 'doctor'],
      ['doc_id', 'doctor id'],
      ['doc_nm', 'doctor name'],
      ['qzx', 'qzx'],
    ]);
    const again = await loadDataset({ ...paths, readings: file });
    expect(again.databases).toEqual(dataset.databases);
  });
});
