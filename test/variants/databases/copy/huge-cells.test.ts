import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { changeDatabase } from '../../../../src/variants/databases/copy/change-database.js';
import { materializeCopy } from '../../../../src/variants/databases/copy/materialize-copy.js';
import type { DatabaseChange } from '../../../../src/variants/databases/database-change.js';
import { createDatabase, filesIn, temporaryFolder, withDatabase } from './materialize-copy-fixture.js';

const folder = temporaryFolder();
const SOURCE = join(folder, 'source.sqlite');
const TARGET = join(folder, 'out', 'target.sqlite');

const SHIPS = (bytes: number): string => `
  CREATE TABLE ship(ship_id INTEGER PRIMARY KEY, picture, name TEXT, twice AS (2 * year), log TEXT, year INT);
  CREATE TABLE crew(name TEXT, letter TEXT, PRIMARY KEY (name)) WITHOUT ROWID;
  CREATE INDEX by_name ON ship(name, year);
  CREATE INDEX by_log ON ship(log);
  INSERT INTO ship(ship_id, picture, name, log, year) VALUES
    (3, NULL, 'Anna', 'calm', 1990),
    (-7, randomblob(${bytes}), 'Bert', replace(hex(zeroblob(${bytes})), '00', 'é'), 1991),
    (70000, zeroblob(${bytes + 5}), 'Cleo', 'calm', 1995);
  INSERT INTO crew VALUES ('Dora', replace(hex(zeroblob(${bytes})), '00', 'ab'))`;

const CHANGE: DatabaseChange = {
  renames: [{ table: 'ship', from: 'picture', to: 'photo' }],
  additions: [
    { table: 'ship', name: 'flag', before: 'picture', declaredType: 'TEXT', values: ['NL', 'PT', null] },
    { table: 'ship', name: 'age', before: null, declaredType: 'REAL', values: [1, 2.5, 3] },
    { table: 'crew', name: 'rank', before: null, declaredType: 'TEXT', values: ['mate'] },
  ],
};

/** The cells of all tables, as hashes, with what SQLite says of the file. */
function contentOf(file: string): unknown {
  return withDatabase(file, (sqlite) => {
    sqlite.function('hash', (cell) => (cell === null ? null : createHash('sha256').update(String(cell)).digest('hex')));
    const rows = ['ship', 'crew'].map((table) => {
      const columns = (sqlite.pragma(`table_xinfo(${table})`) as { readonly name: string }[]).map(({ name }) => name);
      const cells = columns.flatMap((name) => [`typeof(${name})`, `octet_length(${name})`, `hash(hex(${name}))`]);
      return [
        columns,
        sqlite
          .prepare(`SELECT ${cells.join(', ')} FROM ${table}`)
          .raw()
          .all(),
      ];
    });
    return { rows, check: sqlite.pragma('integrity_check', { simple: true }) };
  });
}

describe('cells of more than a megabyte', () => {
  it('come into tables that get columns as they would with the other cells', () => {
    createDatabase(SOURCE, SHIPS(2 << 20));
    const expected = join(folder, 'expected.sqlite');
    copyFileSync(SOURCE, expected);
    const sqlite = new Sqlite(expected);
    sqlite.unsafeMode(true);
    expect(changeDatabase(sqlite, CHANGE)).toEqual([]);
    sqlite.close();
    materializeCopy(SOURCE, TARGET, CHANGE);
    expect(contentOf(TARGET)).toEqual(contentOf(expected));
  });

  it('come from the write-ahead log that holds them', () => {
    const live = join(folder, 'live.sqlite');
    const sqlite = new Sqlite(live);
    sqlite.pragma('journal_mode = WAL');
    sqlite.exec('CREATE TABLE t(a); INSERT INTO t VALUES (1), (zeroblob(3000000))');
    for (const suffix of ['', '-wal']) copyFileSync(live + suffix, SOURCE + suffix);
    sqlite.close();
    const addition = { table: 't', name: 'n', before: 'a', declaredType: 'TEXT', values: ['p', 'q'] };
    materializeCopy(SOURCE, TARGET, { renames: [], additions: [addition] });
    const cells = 'SELECT n, octet_length(a) FROM t';
    expect(withDatabase(TARGET, (one) => one.prepare(cells).raw().all())).toEqual([
      ['p', 1],
      ['q', 3_000_000],
    ]);
    expect(filesIn(join(folder, 'out'))).toEqual(['target.sqlite']);
  });

  it('take no more memory than small ones, sampling and counting included', () => {
    const moduleAt = (path: string): string =>
      JSON.stringify(fileURLToPath(new URL(`../../../../dist/${path}`, import.meta.url)));
    const peakOf = (bytes: number): number => {
      const [file, target] = [join(folder, `${bytes}.sqlite`), join(folder, `${bytes}-target.sqlite`)];
      createDatabase(
        file,
        `CREATE TABLE t(a TEXT, b BLOB, c TEXT); INSERT INTO t VALUES ('x', zeroblob(${bytes}), 'y')`,
      );
      const addition = { table: 't', name: 'n', before: 'b', declaredType: 'TEXT', values: ['p'] };
      const change = { renames: [{ table: 't', from: 'c', to: 'd' }], additions: [addition] };
      const script = `const { materializeCopy } = await import(${moduleAt('variants/databases/copy/materialize-copy.js')});
        const { sampleTable } = await import(${moduleAt('rows/values/table-sample.js')});
        const { readUntouched } = await import(${moduleAt('sql/execution/open-untouched.js')});
        readUntouched(${JSON.stringify(file)}, (sqlite) => sampleTable(sqlite, 't'));
        materializeCopy(${JSON.stringify(file)}, ${JSON.stringify(target)}, ${JSON.stringify(change)});
        console.log(process.resourceUsage().maxRSS);`;
      const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      expect(statSync(target).size).toBeGreaterThan(bytes);
      return Number(printed) * 1024;
    };
    const [usual, large] = [peakOf(2 << 20), peakOf(64 << 20)];
    expect(large - usual).toBeLessThan(32 << 20);
  }, 60_000);
});
