import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IndexMismatchError } from '../../../src/errors.js';
import { loadSourceValues } from '../../../src/variants/databases/source-values.js';
import { sha256Of } from '../../../src/run/sha256.js';
import type { CandidateOrigin } from '../../../src/stage.js';

const TABLES = [
  { id: 'shops "1"', title: 'Shops', columns: ['name', 'founded'], types: ['text', 'number'] },
  { id: 'cities', title: 'Cities', columns: ['name', 'mayor'], types: ['text', 'text'] },
].map((table, at) => ({
  ...table,
  rows:
    at === 0
      ? [
          ['Blue Door', '1990'],
          ['Fig', ''],
        ]
      : [['Ghent', 'M. Vos']],
}));

let folder: string;

function writeIndex(): void {
  const text = TABLES.map((table) => `${JSON.stringify(table)}\n`).join('');
  const sha256 = sha256Of(text);
  const file = { bytes: Buffer.byteLength(text), sha256 };
  const manifest = {
    kind: 'perturbql-table-index',
    version: 1,
    encoder: { name: 'none', revision: 'v0', sha256 },
    contextVersion: 1,
    dimension: 1,
    count: TABLES.length,
    columns: { min: 2, max: 2 },
    files: { 'tables.jsonl': file, 'vectors.i8': { bytes: 2, sha256 } },
    skipped: {},
  };
  writeFileSync(join(folder, 'tables.jsonl'), text);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

const origin = (table: string, title: string, column: string): CandidateOrigin => ({
  table,
  title,
  column,
  type: 'text',
  score: null,
});

describe('loadSourceValues', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'source-values-'));
    writeIndex();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('finds the sample values of a column by where it comes from', async () => {
    const founded = origin('shops "1"', 'Shops', 'founded');
    const name = origin('shops "1"', 'Shops', 'name');
    const values = await loadSourceValues(folder, [founded, name, null]);
    expect(values.of(founded)).toEqual(['1990']);
    expect(values.of(name)).toEqual(['Blue Door', 'Fig']);
  });

  it('has none for what the index does not hold', async () => {
    const known = origin('cities', 'Cities', 'mayor');
    const strange = [origin('cities', 'Towns', 'mayor'), origin('cities', 'Cities', 'river'), origin('x', 'X', 'y')];
    const values = await loadSourceValues(folder, [known, ...strange]);
    expect(values.of(known)).toEqual(['M. Vos']);
    for (const other of [...strange, null]) expect(values.of(other)).toEqual([]);
  });

  it('reads nothing where no candidate was retrieved', async () => {
    const values = await loadSourceValues(join(folder, 'absent'), [null]);
    expect(values.of(null)).toEqual([]);
  });

  it('refuses an index whose tables were changed', async () => {
    writeFileSync(join(folder, 'tables.jsonl'), '{}\n');
    await expect(loadSourceValues(folder, [origin('x', 'X', 'y')])).rejects.toThrow(IndexMismatchError);
  });
});
