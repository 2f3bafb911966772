import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSpiderExamples } from '../../src/formats/spider-dataset.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import type { PerturbedLine } from '../../src/formats/artifacts/provenance.js';
import type { Verification } from '../../src/variants/verify/verify-run.js';
import { originalRun, verifyVariant } from '../../src/variants/verify/verify-groups.js';
import { QueryRunner } from '../../src/sql/execution/query-runner.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { acceptedDecision, EXAMPLE_DATA, EXAMPLES, type ExampleData, readRecords, writeData } from './example-data.js';
import { type CliResult, hashFiles, listFiles, makeTempFolder, runCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path, cache: at('cache') });
const read = (file: string): string => readFileSync(at(file), 'utf8');
const linesOf = <T>(file: string): T[] =>
  read(file)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** Candidates of a test's own, so that no model is asked: a few columns of two databases. */
const GIVEN = [
  { db_id: 'community_garden', table: 'gardener', column: 'home country', rpl: 'native land', add: 'shoe size' },
  { db_id: 'community_garden', table: 'gardener', column: 'birth year', rpl: 'year of birth', add: 'mother tongue' },
  { db_id: 'community_garden', table: 'plot', column: 'soil type', rpl: 'kind of soil', add: 'fence color' },
  { db_id: 'planetarium', table: 'dome', column: 'total seats', rpl: 'capacity', add: 'ticket desk' },
];

function writeCandidates(): string {
  const file = at('candidates.jsonl');
  const decisions = GIVEN.flatMap(({ rpl, add, ...column }) => [
    acceptedDecision({ ...column, candidate: rpl }),
    acceptedDecision({ ...column, candidate: add, bucket: 'ADD' }),
  ]);
  writeFileSync(file, decisions.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

let data: ExampleData;
let inputsBefore: Readonly<Record<string, string>>;
let written: CliResult;

const augment = (out: string, ...more: string[]): Promise<CliResult> =>
  run('augment', ...data.options, '--candidates', at('candidates.jsonl'), '--out', out, ...more);

beforeAll(async () => {
  inputsBefore = hashFiles(EXAMPLES);
  const wanted = new Set(GIVEN.map(({ db_id }) => db_id));
  const examples = readRecords(EXAMPLE_DATA.examples).filter(({ db_id }) => wanted.has(db_id as string));
  const star = {
    db_id: 'planetarium',
    question: 'Show every dome.',
    query: 'SELECT * FROM Dome WHERE "Total Seats" > 1',
  };
  const quoted = {
    db_id: 'community_garden',
    question: 'Who is Portuguese?',
    query: 'SELECT full_name FROM gardener WHERE home_country = "Portugal"',
  };
  data = writeData(at('data'), readRecords(EXAMPLE_DATA.tables), [...examples, star, quoted]);
  writeCandidates();
  written = await augment('A');
  expect(written.code, written.stderr).toBe(0);
}, 120_000);

afterAll(() => temp.remove());

describe('the databases of augment', () => {
  it('are in Spider’s layout, one for each db_id of tables.json', () => {
    const ids = [...loadSpiderTables(at('A/tables.json')).keys()];
    expect(listFiles(at('A/database'))).toEqual(ids.map((id) => join(id, `${id}.sqlite`)).sort());
  });

  it('have the columns of their schemas, in order, and every original cell', () => {
    const schemas = loadSpiderTables(at('A/tables.json'));
    const originals = new Map(linesOf<PerturbedLine>('A/provenance.jsonl').map((l) => [l.db_id, l.original_db_id]));
    for (const [id, { tables }] of schemas) {
      const origin = originals.get(id)!;
      const variant = new SqliteDatabase(at('A/database', id, `${id}.sqlite`), { readonly: true });
      const before = new SqliteDatabase(join(EXAMPLE_DATA.databases, origin, `${origin}.sqlite`), { readonly: true });
      const source = loadSpiderTables(EXAMPLE_DATA.tables).get(origin)!;
      tables.forEach(({ originalName, columns }, t) => {
        const names = variant.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(originalName);
        expect(names).toEqual(columns.map((column) => column.originalName));
        const kept = id.includes('__add_')
          ? source.tables[t]!.columns.map((column) => column.originalName)
          : (names as string[]);
        const select = `SELECT rowid, ${kept.map((name) => `"${name}"`).join(', ')} FROM "${originalName}"`;
        expect(variant.prepare(select).raw().all()).toEqual(
          before.prepare(`SELECT rowid, * FROM "${originalName}"`).raw().all(),
        );
      });
      variant.close();
      before.close();
    }
  });

  it('leave the inputs as they were', () => {
    expect(hashFiles(EXAMPLES)).toEqual(inputsBefore);
  });

  it('are said beforehand, with the room that they need', async () => {
    expect(written.stderr).toMatch(/writing \d+ databases \(copy\), at most [\d.]+ [kM]B/);
    const { code, stdout, files } = await augment('nowhere', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/databases \(copy\): at most \d+, [\d.]+ [kM]B/);
    expect(files.some((file) => file.startsWith('nowhere'))).toBe(false);
  });

  it('are the same bytes when an interrupted run goes on', async () => {
    cpSync(at('A'), at('resumed'), { recursive: true });
    const manifest = JSON.parse(read('resumed/run.json')) as { complete: boolean };
    writeFileSync(at('resumed/run.json'), `${JSON.stringify({ ...manifest, complete: false }, null, 2)}\n`);
    const [first, second] = listFiles(at('resumed/database'));
    rmSync(at('resumed/database', first!));
    // What a killed process leaves of a file that it was writing.
    writeFileSync(at('resumed/database', `${second!}.tmp`), 'half');
    for (const product of ['examples.json', 'report.json', 'report.html']) rmSync(at('resumed', product));
    expect((await augment('resumed')).code).toBe(0);
    rmSync(at('resumed/database', `${second!}.tmp`), { force: true });
    expect(hashFiles(at('resumed'))).toEqual(hashFiles(at('A')));
  });

  it('are not written where there are none to start from, and can be left out', async () => {
    const none = await augment('none', '--materialize', 'none');
    expect(none.code).toBe(0);
    expect(existsSync(at('none/database'))).toBe(false);
    const verified = await run('verify', 'none');
    expect(verified.code).toBe(2);
    expect(verified.stderr).toMatch(
      /the run has no databases to execute on\n {2}fix: Give --synthetic-databases, or run `perturbql augment` with --databases/,
    );
  });

  it('are said without a size where rows are made, as none is known', async () => {
    const options = data.options.slice(0, data.options.indexOf('--databases'));
    const rest = ['--candidates', 'candidates.jsonl', '--synthetic-databases', '--no-verify', '--out', 'made'];
    const planned = await run('augment', ...options, ...rest, '--dry-run');
    expect(planned.stdout).toMatch(/^databases \(copy\): at most \d+$/m);
    const { code, stderr } = await run('augment', ...options, ...rest);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^writing \d+ databases \(copy\)$/m);
  });

  it('put added columns last where that is asked for', async () => {
    expect((await augment('last', '--add-position', 'last', '--no-verify')).code).toBe(0);
    const originals = loadSpiderTables(EXAMPLE_DATA.tables);
    for (const [id, { tables }] of loadSpiderTables(at('last/tables.json'))) {
      if (!id.includes('__add_')) continue;
      const before = originals.get(id.split('__')[0]!)!;
      tables.forEach(({ columns }, t) =>
        expect(columns.slice(0, before.tables[t]!.columns.length)).toEqual(before.tables[t]!.columns),
      );
    }
  });
});

describe('perturbql verify', () => {
  it('finds every result equal, as augment does by itself', async () => {
    const { code, stdout } = await run('verify', 'A');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /gold SQL executed +equal\n {2}RPL +\d+\n {2}ADD +\d+\n {2}RPL with the gold query of the original: \d+\n {2}results with rows: 100\.0%\n$/,
    );
    expect(written.stdout).toContain(stdout.split('\n')[1]!);
    expect(JSON.parse(read('A/report.json'))).toMatchObject({ verification: { items: [], withoutDatabase: 0 } });
  });

  it('exits with 3 and names the variant where a row is another, or its query fails', async () => {
    cpSync(at('A'), at('broken'), { recursive: true });
    const line = linesOf<PerturbedLine>('broken/provenance.jsonl').find(
      ({ kind, changes }) => kind === 'RPL' && changes.some(({ column }) => column === 'home_country'),
    )!;
    const file = at('broken/database', line.db_id, `${line.db_id}.sqlite`);
    const sqlite = new SqliteDatabase(file);
    sqlite.pragma('foreign_keys = OFF');
    sqlite.exec("DELETE FROM gardener WHERE native_land = 'Portugal'");
    sqlite.close();
    const failing = linesOf<PerturbedLine>('broken/provenance.jsonl').find(({ kind }) => kind === 'ADD')!;
    copyFileSync(file, at('broken/database', failing.db_id, `${failing.db_id}.sqlite`));
    const { code, stdout } = await run('verify', 'broken', '--json');
    expect(code).toBe(3);
    const { items, RPL } = JSON.parse(stdout) as Verification;
    expect(RPL.different).toBeGreaterThan(0);
    expect(items.map(({ verdict }) => verdict)).toContain('failed');
    expect(items.find(({ source, kind }) => source === line.source && kind === 'RPL')).toMatchObject({
      verdict: 'different',
      db_id: line.db_id,
    });
  });

  it('does not pass where a database is gone, can’t be read, or the run is not finished', async () => {
    cpSync(at('A'), at('gone'), { recursive: true });
    const lines = linesOf<PerturbedLine>('gone/provenance.jsonl');
    const variant = lines.find(({ kind }) => kind === 'RPL')!;
    rmSync(at('gone/database', variant.db_id), { recursive: true });
    const gone = await run('verify', 'gone', '--json');
    expect(gone.code).toBe(3);
    expect((JSON.parse(gone.stdout) as Verification).items).toEqual(
      expect.arrayContaining([expect.objectContaining({ db_id: variant.db_id, verdict: 'failed' })]),
    );
    for (const id of ['community_garden', 'planetarium'])
      writeFileSync(at('gone/database', id, `${id}.sqlite`), 'garbage '.repeat(600));
    const unreadable = await run('verify', 'gone', '--json');
    expect(unreadable.code).toBe(3);
    expect((JSON.parse(unreadable.stdout) as Verification).RPL['bad-gold']).toBe(0);
    const manifest = JSON.parse(read('gone/run.json')) as object;
    writeFileSync(at('gone/run.json'), JSON.stringify({ ...manifest, complete: false }));
    const unfinished = await run('verify', 'gone');
    expect([unfinished.code, unfinished.stdout]).toEqual([2, '']);
    expect(unfinished.stderr).toMatch(/the run is not finished/);
  });

  it('takes a tie only for a result that depends on row order on both sides', async () => {
    const sqlite = at('ties/shop/shop.sqlite');
    mkdirSync(at('ties/shop'), { recursive: true });
    new SqliteDatabase(sqlite)
      .exec("CREATE TABLE item (name TEXT, price INT); INSERT INTO item VALUES ('a', 1), ('b', 1), ('c', 2)")
      .close();
    const runner = new QueryRunner({ jobs: 1 });
    const { signal } = new AbortController();
    const tied = { file: sqlite, sql: 'SELECT name FROM item ORDER BY price LIMIT 1' };
    const original = originalRun(tied, await runner.run(tied, signal));
    const verdictOf = async (sql: string): Promise<string> =>
      (await verifyVariant(runner, original, { file: sqlite, sql }, signal)).verdict;
    expect(await verdictOf('SELECT name FROM item ORDER BY price, name DESC LIMIT 1')).toBe('different');
    expect(await verdictOf("SELECT 'garbage', 1, 2")).toBe('different');
    expect(await verdictOf('SELECT name FROM item ORDER BY price LIMIT 1')).toBe('equal');
    await runner.close();
  });

  it.each([
    ['nowhere', /nowhere: there is no such folder\n {2}fix/],
    ['data', /this is not a run/],
  ])('refuses %s', async (folder, message) => {
    const { code, stderr, stdout } = await run('verify', folder);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});

describe('inputs that change or hold nothing', () => {
  it('a resumed run does not mix databases of two versions', async () => {
    cpSync(EXAMPLE_DATA.databases, at('edited'), { recursive: true });
    const files = ['--tables', data.tables, '--examples', data.examples, '--databases', at('edited')];
    const given = ['augment', ...files, '--candidates', at('candidates.jsonl'), '--no-verify', '--out', 'mixed'];
    expect((await run(...given)).code).toBe(0);
    const sqlite = new SqliteDatabase(at('edited/community_garden/community_garden.sqlite'));
    sqlite.exec('UPDATE harvest SET harvest_weight = harvest_weight + 1');
    sqlite.close();
    const again = await run(...given);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/another configuration:\n {2}databases changed since the run was made/);
  });

  it('one SQLite file serves as the databases', async () => {
    const file = join(EXAMPLE_DATA.databases, 'planetarium/planetarium.sqlite');
    writeFileSync(at('ask.csv'), 'question,sql\nHow many domes?,SELECT count(*) FROM Dome WHERE City IS NOT NULL\n');
    const options = ['--dataset', 'sqlite', '--databases', file, '--examples', 'ask.csv'];
    const { code, stderr, stdout } = await run(
      'augment',
      ...options,
      '--candidates',
      at('candidates.jsonl'),
      '--out',
      'one',
    );
    expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/equal\n {2}RPL +1\n {2}ADD +1\n/)]);
    expect(stderr).toMatch(/writing 3 databases \(copy\), at most [1-9]/);
  });

  it('examples of another format are refused with the first reason', async () => {
    const { code, stderr } = await run('augment', '--dataset', 'bird', ...data.options, '--out', 'wrong');
    expect(code).toBe(2);
    expect(stderr).toMatch(/dev\.json, dev:0: it has no SQL/);
  });
});

describe('databases as views', () => {
  beforeAll(async () => {
    const views = await augment('V', '--materialize', 'views');
    expect(views.code, views.stderr).toBe(0);
    expect(views.stdout).toMatch(/equal/);
  });

  it('are scripts without a copy of the original', () => {
    const files = listFiles(at('V/database'));
    expect(files.length).toBeGreaterThan(4);
    expect(files.every((file) => /__(rpl|add)_\d+\.sql$/.test(file))).toBe(true);
  });

  it('give the same data set', () => {
    for (const file of ['examples.json', 'tables.json', 'gold.sql', 'provenance.jsonl'])
      expect(read(`V/${file}`)).toBe(read(`A/${file}`));
  });

  it('are verified over the originals, which have to be the same', async () => {
    const missing = await run('verify', 'V');
    expect([missing.code, missing.stdout]).toEqual([2, '']);
    expect(missing.stderr).toMatch(/the original of database \w+ is not there\n {2}fix: Give --databases/);
    expect((await run('verify', 'V', '--databases', EXAMPLE_DATA.databases)).code).toBe(0);
    cpSync(EXAMPLE_DATA.databases, at('other'), { recursive: true });
    const sqlite = new SqliteDatabase(at('other/community_garden/community_garden.sqlite'));
    sqlite.exec('DELETE FROM harvest');
    sqlite.close();
    const other = await run('verify', 'V', '--databases', 'other');
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/another one than the views were written for/);
  });
});

describe('stars and double quotes', () => {
  const starOf = (out: string): string =>
    (JSON.parse(read(`${out}/examples.json`)) as { query: string; db_id: string }[]).find(
      ({ query, db_id }) => db_id.startsWith('planetarium__add') && query.includes('"Total Seats" > 1'),
    )!.query;

  it('expand a star under ADD, unless it is to be kept: then the result is wider, and said to be', async () => {
    expect(starOf('A')).toMatch(/^SELECT "Dome ID", /);
    const kept = await augment('kept', '--keep-star');
    expect(kept.code).toBe(0);
    expect(starOf('kept')).toMatch(/^SELECT \* FROM Dome/);
    expect(kept.stdout).toMatch(/equal +kept-star.*\n {2}RPL +\d+ +0.*\n {2}ADD +\d+ +[1-9]/);
  });

  it('write double-quoted strings in single quotes in variants, count them, and leave the original alone', () => {
    const records = JSON.parse(read('A/examples.json')) as { question: string; query: string }[];
    const queries = records.filter(({ question }) => question === 'Who is Portuguese?').map(({ query }) => query);
    expect(queries[0]).toContain('= "Portugal"');
    expect(queries.slice(1).map((query) => query.includes("= 'Portugal'"))).toEqual([true, true]);
    const databases = loadSpiderTables(data.tables);
    const literals = loadSpiderExamples(data.examples, databases)
      .map(({ query, dbId }) => singleQuoteLiterals(query, databases.get(dbId)!).edits.length)
      .reduce((sum, count) => sum + count);
    expect((JSON.parse(read('A/report.json')) as { literals: number }).literals).toBe(2 * literals);
  });
});

describe('further forms', () => {
  beforeAll(async () => {
    writeFileSync(at('prompt.txt'), 'Use {dialect}.\n---\n{schema}\nQ: {question}');
    const forms = ['--export', 'jsonl', '--export', 'parquet', '--export', 'chat', '--prompt-template', 'prompt.txt'];
    const { code, stderr } = await augment('F', '--no-verify', ...forms);
    expect(code, stderr).toBe(0);
  });

  it('hold each record once, alike in JSON lines and Parquet, with distinct ids', async () => {
    const records = JSON.parse(read('F/examples.json')) as { query: string; db_id: string }[];
    const kinds = ['original', 'rpl', 'add'];
    const rows = kinds.flatMap((kind) => linesOf<{ id: string; query: string }>(`F/jsonl/data/${kind}.jsonl`));
    expect(rows.map(({ query }) => query).sort()).toEqual(records.map(({ query }) => query).sort());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(records.length);
    for (const kind of kinds) {
      const bytes = new Uint8Array(readFileSync(at(`F/parquet/data/${kind}.parquet`)));
      expect(await parquetReadObjects({ file: bytes.buffer })).toEqual(linesOf(`F/jsonl/data/${kind}.jsonl`));
    }
    expect(read('F/parquet/README.md')).toContain('path: data/rpl.parquet');
  });

  it('name the types that the databases declare, of variants too', () => {
    const schemas = ['original', 'rpl', 'add'].flatMap((kind) =>
      linesOf<{ schema: string }>(`F/jsonl/data/${kind}.jsonl`),
    );
    const types = new Set(
      schemas.flatMap(({ schema }) => [...schema.matchAll(/ ([A-Z]+),?$/gm)].map(([, type]) => type)),
    );
    expect(types).toContain('REAL');
    expect(types).not.toContain('NUMERIC');
  });

  it('ask a chat by the template', () => {
    const [first] = linesOf<{ messages: { role: string; content: string }[] }>('F/chat/chat.jsonl');
    const { question, query } = readRecords(data.examples)[0] as { question: string; query: string };
    expect(first!.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    expect(first!.messages[0]!.content).toBe('Use SQLite.');
    expect(first!.messages[1]!.content).toMatch(/^CREATE TABLE gardener \(\n {2}gardener_id INTEGER,/);
    expect(first!.messages[1]!.content.endsWith(`\nQ: ${question}`)).toBe(true);
    expect(first!.messages[2]!.content).toBe(query);
  });

  it.each([
    ['{schema} only', /the user’s message lacks \{question\}/],
    ['{question} {tables}', /unknown placeholder \{tables\}/],
  ])('refuse the template %s', async (text, message) => {
    writeFileSync(at('bad.txt'), text);
    const { code, stderr } = await augment('G', '--export', 'chat', '--prompt-template', 'bad.txt');
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
