import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import type { CorpusEntry } from '../../src/retriever/corpus-reader.js';
import { openCorpus } from '../../src/retriever/open-corpus.js';
import type { CorpusTable } from '../../src/stage.js';
import { createFiles, createFolder, readAll } from './retriever-fixture.js';

const WDC = join('test', 'fixtures', 'wdc');

async function readPath(path: string): Promise<CorpusEntry[]> {
  return readAll(await openCorpus(path));
}

function tablesOf(entries: readonly CorpusEntry[]): CorpusTable[] {
  return entries.flatMap((entry) => (entry.kind === 'table' ? [entry.table] : []));
}

function skipsOf(entries: readonly CorpusEntry[]): string[] {
  return entries.flatMap((entry) => (entry.kind === 'skipped' ? [`${entry.where}: ${entry.reason}`] : []));
}

async function packTar(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, Buffer.from(content));
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

describe('a JSONL corpus', () => {
  it('reads compact tables, types given or guessed, numbers as text', async () => {
    const lines = [
      {
        id: 'a',
        domain: 'music',
        title: 'Operas',
        columns: ['Opera', 'Year'],
        types: ['text', 'time'],
        rows: [['Tosca', 1900]],
      },
      {
        id: 7,
        title: 'Cars',
        columns: ['model', 'is_electric', 'sold on'],
        rows: [
          ['Zoe', true, '2019-04-01'],
          ['Up', 'no', null],
        ],
      },
      { columns: ['x', 'y'] },
    ];
    const folder = await createFiles({
      'c.jsonl': `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\r\n')}\n\n`,
    });
    expect(tablesOf(await readPath(join(folder, 'c.jsonl')))).toEqual([
      { id: 'a', title: 'Operas', columns: ['opera', 'year'], types: ['text', 'time'], rows: [['Tosca', '1900']] },
      {
        id: '7',
        title: 'Cars',
        columns: ['model', 'is electric', 'sold on'],
        types: ['text', 'boolean', 'time'],
        rows: [
          ['Zoe', 'true', '2019-04-01'],
          ['Up', 'no', ''],
        ],
      },
      { id: 'c.jsonl:3', title: '', columns: ['x', 'y'], types: ['text', 'text'], rows: [] },
    ]);
  });

  it('keeps three rows, each as long as the header', async () => {
    const rows = [['1'], ['2', 'b', 'c'], ['3', 'x'.repeat(300)], ['4', 'd']];
    const folder = await createFiles({ 'c.jsonl': JSON.stringify({ columns: ['n', 'letter'], rows }) });
    const [table] = tablesOf(await readPath(join(folder, 'c.jsonl')));
    expect(table!.rows.map((row) => row.map((cell) => cell.length))).toEqual([
      [1, 0],
      [1, 1],
      [1, 80],
    ]);
  });

  it('skips broken lines with file and line', async () => {
    const lines = ['{', '[]', 'null', '{"columns":"a"}', '{"columns":["a","b"],"types":["text"]}', '{"columns":["a"]}'];
    const folder = await createFiles({ 'c.jsonl': lines.join('\n') });
    const entries = await readPath(join(folder, 'c.jsonl'));
    expect(skipsOf(entries)).toEqual([1, 2, 3, 4, 5].map((line) => `c.jsonl:${line}: malformed record`));
    expect(tablesOf(entries)).toHaveLength(1);
  });

  it('reads .gz, and says of a cut one that it is cut', async () => {
    const text = Array.from({ length: 500 }, (_, n) => JSON.stringify({ id: `${n}`, columns: ['a', `b${n}`] })).join(
      '\n',
    );
    const zipped = gzipSync(text);
    const folder = await createFiles({ 'c.jsonl.gz': zipped, 'cut.jsonl.gz': zipped.subarray(0, 900) });
    expect(tablesOf(await readPath(join(folder, 'c.jsonl.gz')))).toHaveLength(500);
    const cut = readPath(join(folder, 'cut.jsonl.gz'));
    await expect(cut).rejects.toThrow(InputFormatError);
  });

  const tabfact = join('..', 'shared', 'data', 'tables', 'tabfact.jsonl.gz');
  it.skipIf(!existsSync(tabfact))(
    'reads the shared TabFact tables (skipped where ../shared/data is absent)',
    async () => {
      const entries = await readPath(tabfact);
      expect(tablesOf(entries)).toHaveLength(16573);
      expect(skipsOf(entries)).toEqual([]);
    },
  );
});

describe('a WDC corpus', () => {
  it('reads a table stored by column, header cell first', async () => {
    const entries = await readPath(join(WDC, 'by-column.json'));
    expect(tablesOf(entries)).toEqual([
      {
        id: 'by-column.json',
        title: 'Operas by first performance - Great operas of the world',
        columns: ['opera', 'composer', 'first performed'],
        types: ['text', 'text', 'number'],
        rows: [
          ['Tosca', 'Puccini', '1900'],
          ['Aida', 'Verdi', '1871'],
          ['Fidelio', 'Beethoven', '1805'],
        ],
      },
    ]);
  });

  it('minds header row, missing header, table type, orientation and language', async () => {
    const entries = await readPath(join(WDC, 'mixed.jsonl'));
    expect(tablesOf(entries).map(({ title, columns, rows }) => [title, columns, rows[0]])).toEqual([
      ['Largest lakes', ['lake', 'area', 'depth'], ['Superior', '82,103', '406']],
      ['Liste der Städte', ['stadt', 'einwohner', 'bürgermeister'], ['Hamburg', '1841179', 'Peter Tschentscher']],
      ['Rainfall by year - Rainfall', ['2001', '2002'], ['12', '13']],
      ['Cars compared', ['model', 'price'], ['Roadster', '21,000']],
    ]);
    expect(
      entries.flatMap((entry) => (entry.kind === 'table' && entry.language !== null ? [entry.language] : [])),
    ).toEqual(['de']);
    expect(skipsOf(entries)).toEqual([
      'mixed.jsonl:2: no header',
      'mixed.jsonl:3: entity table, not relational',
      'mixed.jsonl:7: malformed WDC record',
    ]);
  });

  it('reads on after a table of more records than a function takes arguments', async () => {
    const wide = { relation: [['name', 'Ann']], tableType: 'RELATION', tableOrientation: 'VERTICAL' };
    const huge = { ...wide, relation: Array.from({ length: 200_000 }, () => ['a', 'b']) };
    const folder = await createFiles({ 'c.jsonl': [huge, wide].map((one) => JSON.stringify(one)).join('\n') });
    expect(await readPath(join(folder, 'c.jsonl'))).toHaveLength(2);
  });

  it('reads .tar, .tar.gz and zipped files in them, the same tables as the plain files', async () => {
    const files: Record<string, string | Buffer> = {};
    for (const name of (await readdir(WDC)).sort()) files[name] = await readFile(join(WDC, name));
    const plain = tablesOf([
      ...(await readPath(join(WDC, 'by-column.json'))),
      ...(await readPath(join(WDC, 'mixed.jsonl'))),
    ]);
    const tar = await packTar(files);
    const inner = {
      'by-column.json.gz': gzipSync(files['by-column.json']!),
      'mixed.jsonl': files['mixed.jsonl']!,
      'README.txt': 'no table',
    };
    const folder = await createFiles({
      'a.tar': tar,
      'b.tar.gz': gzipSync(tar),
      'c.tgz': gzipSync(await packTar(inner)),
    });
    for (const name of ['a.tar', 'b.tar.gz', 'c.tgz']) {
      const tables = tablesOf(await readPath(join(folder, name)));
      expect(tables.map((table) => ({ ...table, id: '' }))).toEqual(plain.map((table) => ({ ...table, id: '' })));
      expect(tables[0]!.id).toMatch(new RegExp(`^${name}/by-column\\.json`, 'u'));
    }
  });

  it('counts files of other kinds in an archive, and unzips .GZ', async () => {
    const table = JSON.stringify({ id: 'a', columns: ['name', 'age'] });
    const folder = await createFiles({
      'a.tar': await packTar({ 'x/A.JSONL.GZ': gzipSync(table), 'x/b.csv': 'name,age\nAnn,3\n' }),
    });
    const entries = await readPath(join(folder, 'a.tar'));
    expect(tablesOf(entries).map(({ id }) => id)).toEqual(['a']);
    expect(skipsOf(entries)).toEqual(['a.tar/x/b.csv: unknown kind of file in an archive']);
  });

  it('reports an archive that is cut off', async () => {
    const tar = gzipSync(await packTar({ 'a.json': await readFile(join(WDC, 'by-column.json')) }));
    const folder = await createFiles({
      'a.tar.gz': tar.subarray(0, tar.length - 60),
      'no.tar': 'not an archive at all',
    });
    await expect(readPath(join(folder, 'a.tar.gz'))).rejects.toThrow(InputFormatError);
    await expect(readPath(join(folder, 'no.tar'))).rejects.toThrow(InputFormatError);
  });
});

describe('a CSV corpus', () => {
  it('takes header, delimiter and title from the file', async () => {
    const folder = await createFiles({
      'city_parks.csv':
        '\uFEFFPark Name,Area (ha),"Opened, year"\r\n"Elm ""Old"" Park",12.5,1901\r\nOak Park,3,1950\r\n',
      'rivers.tsv': 'river\tlength\nNile\t6650\n',
      'semicolon.csv': 'name;price\nA, B;3\n',
      'empty.csv': '',
    });
    const entries = await readPath(folder);
    expect(
      tablesOf(entries).map(({ id, title, columns, types, rows }) => ({ id, title, columns, types, row: rows[0] })),
    ).toEqual([
      {
        id: 'city_parks.csv',
        title: 'city parks',
        columns: ['park name', 'area', 'opened, year'],
        types: ['text', 'number', 'number'],
        row: ['Elm "Old" Park', '12.5', '1901'],
      },
      {
        id: 'rivers.tsv',
        title: 'rivers',
        columns: ['river', 'length'],
        types: ['text', 'number'],
        row: ['Nile', '6650'],
      },
      {
        id: 'semicolon.csv',
        title: 'semicolon',
        columns: ['name', 'price'],
        types: ['text', 'number'],
        row: ['A, B', '3'],
      },
    ]);
    expect(skipsOf(entries)).toEqual(['empty.csv: empty file']);
  });

  it('reads only the start of a large file, and skips one with an open quote', async () => {
    const large = `name,age\n${'Ann,30\n'.repeat(400_000)}`;
    const folder = await createFiles({ 'large.csv.gz': gzipSync(large), 'open.csv': 'a,b\n"never closed,1\n' });
    const entries = await readPath(folder);
    expect(tablesOf(entries)).toMatchObject([
      {
        title: 'large',
        rows: [
          ['Ann', '30'],
          ['Ann', '30'],
          ['Ann', '30'],
        ],
      },
    ]);
    expect(skipsOf(entries)).toEqual(['open.csv: malformed CSV']);
  });
});

describe('an SQLite corpus', () => {
  function createDatabase(path: string, mode: string): void {
    const database = new Database(path);
    database.pragma(`journal_mode = ${mode}`);
    database.exec(`CREATE TABLE "Concert ""Hall" (Hall_ID INTEGER PRIMARY KEY, hallName TEXT, seats INTEGER, photo BLOB);
      INSERT INTO "Concert ""Hall" VALUES (1, 'Musikverein', 9007199254740993, x'00ff'), (2, NULL, 1700, NULL);
      CREATE TABLE empty_one (a TEXT, b TEXT); CREATE VIEW shown AS SELECT * FROM empty_one;`);
    database.close();
  }

  it.each(['delete', 'wal'])('gives one table per table, and leaves the file alone (%s journal)', async (mode) => {
    const folder = await createFolder();
    const path = join(folder, 'city_music.sqlite');
    createDatabase(path, mode);
    const [before, names] = [await readFile(path), await readdir(folder)];
    expect(tablesOf(await readPath(path))).toEqual([
      {
        id: 'city_music.sqlite#Concert "Hall',
        title: 'city music: concert "hall',
        columns: ['hall id', 'hall name', 'seats', 'photo'],
        types: ['number', 'text', 'number', 'text'],
        rows: [
          ['1', 'Musikverein', '9007199254740993', ''],
          ['2', '', '1700', ''],
        ],
      },
      {
        id: 'city_music.sqlite#empty_one',
        title: 'city music: empty one',
        columns: ['a', 'b'],
        types: ['text', 'text'],
        rows: [],
      },
    ]);
    expect(await readdir(folder)).toEqual(names);
    expect(await readFile(path)).toEqual(before);
  });

  it('skips files of 0 bytes, of other content, and broken ones', async () => {
    const folder = await createFolder();
    createDatabase(join(folder, 'broken.db'), 'delete');
    const bytes = await readFile(join(folder, 'broken.db'));
    await writeFile(join(folder, 'broken.db'), bytes.fill(0x55, 100, 4000));
    await writeFile(join(folder, 'empty.db'), '');
    await writeFile(join(folder, 'text.sqlite'), 'just text');
    expect(skipsOf(await readPath(folder))).toEqual([
      'broken.db: malformed SQLite file',
      'empty.db: not an SQLite file',
      'text.sqlite: not an SQLite file',
    ]);
  });
});

describe('a folder of all kinds', () => {
  it('is read in the order of its paths; other and broken files are counted, hidden ones are not read', async () => {
    const table = (id: string): string => JSON.stringify({ id, columns: ['name', 'age'] });
    const folder = await createFiles({
      'b.jsonl': table('b'),
      'a.json': `[${table('a1')}, ${table('a2')}]`,
      '.hidden.jsonl': table('hidden'),
      'notes.md': '# notes',
      'cut.jsonl.gz': gzipSync(table('cut')).subarray(0, 20),
    });
    await mkdir(join(folder, 'aa'));
    await writeFile(join(folder, 'aa', 'Z.csv'), 'x,y\n1,2\n');
    await writeFile(join(folder, 'aa', 'lines.json'), `${table('l1')}\n${table('l2')}\n`);
    const entries = await readPath(folder);
    expect(tablesOf(entries).map(({ id }) => id)).toEqual(['a1', 'a2', 'aa/Z.csv', 'l1', 'l2', 'b']);
    expect(skipsOf(entries)).toEqual(['cut.jsonl.gz: unreadable file', 'notes.md: unknown kind of file']);
  });

  it('stops when it is aborted', async () => {
    const folder = await createFiles({ 'b.jsonl': '{"columns":["a","b"]}' });
    const reader = await openCorpus(folder);
    const read = async (): Promise<void> => {
      for await (const entry of reader.read(AbortSignal.abort(new Error('stopped by the test'))))
        expect(entry).toBeNull();
    };
    await expect(read()).rejects.toThrow('stopped by the test');
  });

  it('refuses a path that does not exist, and a file of an unknown kind', async () => {
    const folder = await createFiles({ 'table.xlsx': '' });
    await expect(openCorpus(join(folder, 'none'))).rejects.toThrow(InputFormatError);
    await expect(openCorpus(join(folder, 'table.xlsx'))).rejects.toThrow('unknown kind');
  });
});
