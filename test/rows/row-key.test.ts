import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { materializeCopy } from '../../src/variants/databases/copy/materialize-copy.js';
import type { DatabaseChange } from '../../src/variants/databases/database-change.js';
import { sampleTable } from '../../src/rows/values/table-sample.js';
import { renderViewScript } from '../../src/variants/databases/view-script.js';
import { readUntouched } from '../../src/sql/execution/open-untouched.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'row-key-'));
  file = join(folder, 'source.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Each row's own value next to the added one. */
const pairsOf = (sqlite: Sqlite.Database): unknown[] => sqlite.prepare('SELECT v, added FROM w ORDER BY v').raw().all();

/** A change that gives each row its own `v` again, by the order in which tables are sampled. */
function repeatValues(sqlite: Sqlite.Database): DatabaseChange {
  const values = sampleTable(sqlite, 'w').columns.find(({ name }) => name === 'v')!.cells;
  const addition = { table: 'w', name: 'added', declaredType: 'INT', before: null, values };
  return { renames: [], additions: [addition] };
}

const ROWS = ['a', 'B', 'A ', 'b', 'A', 'C', 'c ', 'c'];

describe('the order of rows', () => {
  it.each([
    'p TEXT COLLATE NOCASE, q, v INT, PRIMARY KEY (p COLLATE BINARY, q)',
    'p TEXT COLLATE NOCASE, q, v INT, PRIMARY KEY (p COLLATE RTRIM DESC, q)',
    'p TEXT, q, v INT, PRIMARY KEY (p COLLATE NOCASE, q DESC)',
    'q INT, p TEXT COLLATE RTRIM, v INT, PRIMARY KEY (p COLLATE NOCASE DESC, q)',
  ])('is that of the key’s own collation for samples, copies and views: %s', (columns) => {
    const source = new Sqlite(file);
    source.exec(`CREATE TABLE w (${columns}) WITHOUT ROWID; CREATE INDEX i ON w (q)`);
    const insert = source.prepare('INSERT INTO w (p, q, v) VALUES (?, ?, ?)');
    ROWS.forEach((p, i) => insert.run(p, (i * 5) % 8, i));
    source.close();
    const expected = ROWS.map((_, i) => [i, i]);

    const change = readUntouched(file, repeatValues);
    const stored = (sqlite: Sqlite.Database): unknown => sqlite.prepare('SELECT v FROM w').pluck().all();
    expect(change.additions[0]!.values.map(Number)).toEqual(readUntouched(file, stored));
    const copy = join(folder, 'copy.sqlite');
    materializeCopy(file, copy, change);
    expect(readUntouched(copy, pairsOf)).toEqual(expected);

    const script = readUntouched(file, (sqlite) =>
      renderViewScript(sqlite, change, { variant: 'v', database: 'd', sha256: '' }),
    );
    expect(readUntouched(file, (sqlite) => pairsOf(sqlite.exec(script)))).toEqual(expected);
  });
});
