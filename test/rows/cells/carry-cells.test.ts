import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { carryCells, HUGE_CELL, rootPage, type CarriedCell } from '../../../src/rows/cells/carry-cells.js';
import { errorOf } from '../../error-of.js';

function temporaryFile(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-cells-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return (name) => join(folder, name);
}

function write(file: string, sql: string): void {
  const sqlite = new Sqlite(file);
  sqlite.exec(sql);
  sqlite.close();
}

const hash = (cell: unknown): string =>
  createHash('sha256')
    .update(cell as string | Buffer)
    .digest('hex');

/** All rows, with hashes of what may be long, and what SQLite says of the file. */
function contentOf(file: string, table: string): unknown {
  const sqlite = new Sqlite(file, { readonly: true });
  sqlite.function('hash', (cell) => (cell === null ? null : hash(cell)));
  const select = sqlite.prepare(`SELECT rowid, a, b, typeof(c), octet_length(c), hash(c), d FROM ${table}`);
  const rows = select.raw().safeIntegers().all();
  const check = sqlite.pragma('integrity_check', { simple: true });
  const schema = sqlite.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  sqlite.close();
  return { rows, check, schema };
}

/** A row's huge cell goes from the second column of one table to the third of another. */
function carried(source: string, rowids: readonly bigint[]): CarriedCell[] {
  const sqlite = new Sqlite(source, { readonly: true });
  const root = rootPage(sqlite, 'given');
  sqlite.close();
  return rowids.map((rowid) => ({ table: 'taken', rowid, column: 2, from: { root, rowid, column: 1 } }));
}

const ROWIDS = [-9_007_199_254_740_993n, -1n, 0n, 127n, 128n, 300_000n, 9_223_372_036_854_775_807n];
const CREATE = 'CREATE TABLE taken(a, b, c, d TEXT, UNIQUE (a)); CREATE INDEX by_d ON taken(d, b);';

describe('carryCells', () => {
  it.each([
    ['pages of 512 bytes', 'PRAGMA page_size = 512'],
    ['pages of 65536 bytes', 'PRAGMA page_size = 65536'],
    ['auto-vacuum', 'PRAGMA page_size = 1024; PRAGMA auto_vacuum = FULL'],
    ['UTF-16', "PRAGMA encoding = 'UTF-16le'"],
  ])('puts cells among others, with %s', (_, pragma) => {
    const at = temporaryFile();
    const [source, target, expected] = [at('source'), at('target'), at('expected')];
    const cell = (i: number): string =>
      i % 2 === 0 ? `replace(hex(zeroblob(${300_000 + i})), '0', 'é${i}')` : `randomblob(${HUGE_CELL + 7 * i})`;
    const given = ROWIDS.map(
      (rowid, i) => `INSERT INTO given(rowid, x, y, z) VALUES (${rowid}, ${i}, ${cell(i)}, 'z');`,
    );
    // Rows among them, so that the tree has inner pages.
    const others = `INSERT INTO given(rowid, x) SELECT value, 'small' FROM json_each('[${Array.from({ length: 900 }, (_, i) => 1000 + i).join()}]');`;
    write(source, `${pragma}; CREATE TABLE first(x); CREATE TABLE given(x, y, z); ${given.join('')} ${others}`);
    const select = (huge: string): string =>
      `INSERT INTO taken(rowid, a, b, c, d) SELECT rowid, rowid, x, ${huge}, printf('%.*c', rowid % 90, 'd') FROM s.given`;
    write(target, `${pragma}; ATTACH '${source}' AS s; ${CREATE} ${select('NULL')}`);
    write(expected, `${pragma}; ATTACH '${source}' AS s; ${CREATE} ${select('y')}`);
    carryCells(source, target, carried(source, ROWIDS));
    expect(contentOf(target, 'taken')).toEqual(contentOf(expected, 'taken'));
  });

  it('gives records of any length, those included that no blob alone has', () => {
    const at = temporaryFile();
    const [source, target] = [at('source'), at('target')];
    // Where the length of a blob’s type grows by a byte: 2 n + 12 = 2 ** 21.
    const lengths = Array.from({ length: 24 }, (_, i) => 2 ** 20 - 24 + i);
    const rows = lengths.map(
      (length) => `INSERT INTO given(rowid, x, y) VALUES (${length}, 1, randomblob(${length}));`,
    );
    write(source, `CREATE TABLE given(x, y); ${rows.join('')}`);
    write(
      target,
      `ATTACH '${source}' AS s; CREATE TABLE taken(a, b, c); INSERT INTO taken(rowid) SELECT rowid FROM s.given`,
    );
    carryCells(source, target, carried(source, lengths.map(BigInt)));
    const sqlite = new Sqlite(target);
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    sqlite.prepare('ATTACH ? AS s').run(source);
    const same = 'SELECT count(*) FROM taken t JOIN s.given g ON t.rowid = g.rowid AND t.c = g.y AND t.a IS NULL';
    expect(sqlite.prepare(same).pluck().get()).toBe(lengths.length);
    sqlite.close();
  });

  it('names a file whose tree leads nowhere', () => {
    const at = temporaryFile();
    const [source, target] = [at('source'), at('target')];
    write(source, 'CREATE TABLE given(x, y); INSERT INTO given VALUES (1, zeroblob(2000000))');
    write(target, 'CREATE TABLE taken(a, b, c); INSERT INTO taken(rowid) VALUES (1), (5)');
    const error = errorOf(InputFormatError, () => carryCells(source, target, carried(source, [5n])));
    expect(error.message).toBe('row 5 of a table is not where its tree leads');
  });
});
