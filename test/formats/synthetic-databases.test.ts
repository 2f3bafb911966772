import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Dataset } from '../../src/formats/dataset.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { createSyntheticDatabase } from '../../src/formats/synthetic-databases.js';
import { executableSql } from '../../src/sql/executable-sql.js';

const EXAMPLES = { dataset: 'spider', tables: 'examples/tables.json', examples: 'examples/dev.json' } as const;

function load(more: { readonly databases?: string; readonly seed?: number } = {}): Promise<Dataset> {
  return loadDataset({ ...EXAMPLES, databases: null, connection: null, syntheticDatabases: true, ...more });
}

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-synthetic-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const goldsOf = (dataset: Dataset, id: string): string[] =>
  [...dataset.examples()].flatMap(({ dbId, query }) => (dbId === id ? [query] : []));

describe('synthetic databases', () => {
  it('have rows that nearly every gold query finds, with keys that refer to rows', async () => {
    const dataset = await load();
    let [golds, found] = [0, 0];
    for (const id of dataset.synthetic ?? []) {
      const database = dataset.databases.get(id)!;
      const sqlite = new Sqlite(createSyntheticDatabase(database, goldsOf(dataset, id), 0));
      onTestFinished(() => void sqlite.close());
      expect(sqlite.pragma('foreign_key_check')).toEqual([]);
      for (const gold of goldsOf(dataset, id)) {
        golds++;
        if (sqlite.prepare(executableSql(gold, database)).raw().get() !== undefined) found++;
      }
    }
    expect(golds).toBe(dataset.size);
    expect(found / golds).toBeGreaterThan(0.9);
  });

  it('have the same bytes for the same seed, others for another', async () => {
    const dataset = await load();
    const [id = ''] = dataset.synthetic ?? [];
    const bytes = (seed: number): string =>
      createSyntheticDatabase(dataset.databases.get(id)!, goldsOf(dataset, id), seed).toString('base64');
    expect(bytes(3)).toBe(bytes(3));
    expect(bytes(4)).not.toBe(bytes(3));
  });

  it('are made below the scratch folder, for schemas that the data set has no rows for', async () => {
    const folder = scratch();
    const dataset = await load({ databases: 'examples/database' });
    expect(dataset.synthetic).toBeUndefined();
    expect(dataset.notes ?? []).toEqual([]);
    const made = await load();
    const [id = ''] = made.synthetic ?? [];
    expect(made.synthetic).toHaveLength(3);
    expect(made.notes).toEqual([
      '3 databases have no rows in the data set: synthetic ones are made from schema and gold queries (seed 0)',
    ]);
    expect(made.hasRows(id)).toBe(true);
    const file = made.sqliteFile(id, folder)!;
    expect(file.startsWith(folder)).toBe(true);
    expect(existsSync(file)).toBe(true);
    expect(made.sampleValues(made.databases.get(id)!).flat(2)).toEqual([]);
  });

  it('pass over a table of SQLite’s own, and a query that can’t be read', () => {
    const column = { name: 'name', originalName: 'name', type: 'text' } as const;
    const tables = ['sqlite_sequence', 'city'].map((name) => ({ name, originalName: name, columns: [column] }));
    const database = { id: 'world', tables, primaryKeys: [], foreignKeys: [] };
    const sqlite = new Sqlite(
      createSyntheticDatabase(database, ["SELECT name FROM city WHERE name = 'Oslo'", 'SELECT FROM'], 0),
    );
    onTestFinished(() => void sqlite.close());
    expect(sqlite.prepare("SELECT count(*) > 0 FROM city WHERE name = 'Oslo'").pluck().get()).toBe(1);
  });
});
