import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { acceptedDecision, EXAMPLE_DATA, type JsonRecord, readRecords, writeData } from '../e2e/example-data.js';
import { BINARY, type CliResult, listFiles, makeTempFolder, PROJECT, runCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });

const TABLES = readRecords(EXAMPLE_DATA.tables);
const EXAMPLE = readRecords(EXAMPLE_DATA.examples)[0]!;
const garden = (change: JsonRecord): JsonRecord[] => [{ ...TABLES[0]!, ...change }, ...TABLES.slice(1)];
const without = (record: JsonRecord, field: string): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== field));

/** A refusal names the place, the cause and the remedy, shows no stack and leaves nothing that looks like a run. */
function expectRefusal(result: CliResult, message: RegExp, out = 'out'): void {
  expect(result.stderr).toMatch(message);
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/\n {2}fix: \S/);
  expect(result.stderr).not.toMatch(/\n\s+at |fault in perturbql|\[object/);
  expect(result.stdout).toBe('');
  expectNoRun(out);
}

function expectNoRun(out: string): void {
  for (const product of ['candidates.jsonl', 'examples.json', 'tables.json', 'report.html'])
    expect(existsSync(at(out, product))).toBe(false);
  if (existsSync(at(out, 'run.json')))
    expect(JSON.parse(readFileSync(at(out, 'run.json'), 'utf8'))).toMatchObject({ complete: false });
}

let case_ = 0;
function optionsFor(tables: unknown, examples: unknown): readonly string[] {
  return writeData(at(`case-${++case_}`), tables, examples).options;
}
const refuse = (tables: unknown, examples: unknown, ...more: string[]): Promise<CliResult> =>
  run('candidates', ...optionsFor(tables, examples), '--out', 'out', ...more);

const utf16 = (value: unknown): Buffer => Buffer.from(`\uFEFF${JSON.stringify(value)}`, 'utf16le');

beforeAll(() => {
  writeFileSync(at('candidates.jsonl'), '');
});
afterAll(() => temp.remove());

describe('a wrong tables.json', () => {
  it.each<[string, unknown, RegExp]>([
    ['is not JSON', '[\n{"db_id": "x",\n}]', /tables\.json:3: this is not JSON\n {2}cause: /],
    ['is empty', '', /tables\.json[^\n]*: this is not JSON/],
    ['is one bad record', { db_id: 'x' }, /tables\.json, x: field "table_names" is missing/],
    ['is an empty array', [], /tables\.json: the list of databases is empty/],
    [
      'lacks a field',
      [without(TABLES[0]!, 'column_types')],
      /tables\.json, community_garden: field "column_types" is missing/,
    ],
    ['holds something else than records', ['x'], /tables\.json, database 0: the record is wrong/],
    [
      'has a foreign key out of range',
      garden({ foreign_keys: [[10, 99]] }),
      /dev\.json, dev:0: the schema of its database "community_garden" is left out: foreign_keys names column 99, but the columns go from 1 to 26/,
    ],
    [
      'has a foreign key to the star',
      garden({ foreign_keys: [[10, 0]] }),
      /"community_garden" is left out: foreign_keys names column 0/,
    ],
    [
      'has a primary key out of range',
      garden({ primary_keys: [-1] }),
      /"community_garden" is left out: primary_keys names column -1/,
    ],
    [
      'holds half of a character',
      garden({ table_names: ['\ude00', ...(TABLES[0]!['table_names'] as string[]).slice(1)] }),
      /"community_garden" is left out: field "table_names\.0" holds half of a surrogate pair/,
    ],
    [
      'holds a db_id twice',
      [...TABLES, TABLES[1]],
      /pottery_studio \(tables\.json, record 3\): a record can’t be used, the first for this reason: this db_id occurs twice/,
    ],
    [
      'has names of different counts',
      garden({ table_names: ['a'] }),
      /"community_garden" is left out: table_names and table_names_original differ in length/,
    ],
    [
      'is UTF-16',
      utf16(TABLES),
      /tables\.json: the file is not UTF-8 text\n {2}cause: [^\n]*\n {2}fix: Save it as UTF-8/,
    ],
  ])('that %s is refused', async (_, tables, message) => {
    expectRefusal(await refuse(tables, [EXAMPLE], '--strict'), message);
  });
});

describe('a wrong examples file', () => {
  it.each<[string, unknown, RegExp]>([
    ['is not JSON', '[{]', /dev\.json:1: this is not JSON/],
    ['is empty', [], /dev\.json: the list of questions is empty/],
    [
      'names an unknown db_id',
      [EXAMPLE, { ...EXAMPLE, db_id: 'nowhere' }],
      /dev\.json, dev:1 [^:]*: a record can’t be used, the first for this reason: db_id "nowhere" is not in the tables file/,
    ],
    ['lacks a query', [without(EXAMPLE, 'query')], /dev\.json, dev:0: field "query" holds no SQL/],
    ['holds a number as query', [{ ...EXAMPLE, query: 7 }], /dev\.json, dev:0: field "query" holds no SQL/],
    ['is UTF-16', utf16([EXAMPLE]), /dev\.json: the file is not UTF-8 text/],
    [
      'holds half of a character',
      [EXAMPLE, { ...EXAMPLE, question: 'Who is \ud83d?' }],
      /dev\.json, dev:1 [^:]*: a record can’t be used, the first for this reason: field "question" holds half of a surrogate pair, which is no character/,
    ],
  ])('that %s is refused', async (_, examples, message) => {
    expectRefusal(await refuse(TABLES, examples, '--strict'), message);
  });
});

describe('missing or foreign files', () => {
  const { tables, examples, options } = EXAMPLE_DATA;

  it.each([
    [
      '--tables',
      ['--tables', 'nope.json', '--examples', examples],
      /nope\.json: the file can’t be read\n {2}cause: there is no such file or folder/,
    ],
    ['--examples', ['--tables', tables, '--examples', 'nope.json'], /nope\.json: the file can’t be read/],
    ['--tables as a folder', ['--tables', '.', '--examples', examples], /\.: the file can’t be read/],
    ['--index', [...options, '--index', 'nope'], /nope\/manifest\.json: the index has no manifest\.json/],
    ['--config', [...options, '--config', 'nope.json'], /nope\.json: the file can’t be read/],
    ['vectors', [...options, '--set', 'reranker.vectors=nope.bin'], /nope\.bin/],
    ['primary entities', [...options, '--set', 'tpe.annotations=nope.json'], /nope\.json: the file can’t be read/],
    [
      'a model',
      [...options, '--set', 'nli.model=nope'],
      /nope: there is no such model folder, and no pulled model of that name/,
    ],
  ])('in %s are refused', async (_, args, message) => {
    expectRefusal(await run('candidates', ...args, '--out', 'out'), message);
  });

  it.skipIf(process.platform === 'win32')(
    'that are pipes, devices or links in a circle are refused',
    async () => {
      const apart = makeTempFolder();
      onTestFinished(() => apart.remove());
      const [pipe, circle] = [join(apart.path, 'pipe'), join(apart.path, 'circle')];
      spawnSync('mkfifo', [pipe]);
      const gold = join(PROJECT, 'examples', 'gold.sql');
      symlinkSync('circle', circle);
      const random = ['--recipe', 'random', '--out', 'out'];
      const noFile =
        /(?:pipe|zero): the file can’t be read\n {2}cause: this is no regular file, but a folder, pipe or device/;
      for (const file of [pipe, '/dev/zero']) {
        expectRefusal(await run('candidates', '--tables', file, '--examples', examples, ...random), noFile);
        expectRefusal(await run('candidates', '--tables', tables, '--examples', file, ...random), noFile);
      }
      for (const args of [
        ['evaluate', '--tables', tables, '--gold', gold, '--predictions', pipe, '--metrics', 'exact'],
        ['annotate', 'status', '--project', pipe],
        ['models', 'pull', pipe, '--task', 'vectors', '--name', 'piped'],
      ])
        expectRefusal(await run(...args), /this is no regular file, but a folder, pipe or device/);
      const inCircle = /circle[^\n]*: symbolic links lead in a circle\n {2}fix: Symbolic links lead in a circle there/;
      const given = ['--tables', tables, '--examples', examples];
      expectRefusal(await run('candidates', ...given, '--recipe', 'random', '--out', join(circle, 'out')), inCircle);
      expectRefusal(await run('candidates', ...given, ...random, '--databases', circle), inCircle);
      expectRefusal(await run('augment', ...given, ...random, '--candidates', circle), inCircle);
    },
    120_000,
  );

  it.skipIf(process.platform === 'win32')(
    'that can’t be written, as the shell limits their size, are named',
    async () => {
      const limited = 'ulimit -f 1; exec "$0" "$@"';
      const args = [BINARY, 'candidates', ...options, '--recipe', 'random', '--out', at('limited')];
      const { status, stderr } = spawnSync('/bin/sh', ['-c', limited, process.execPath, ...args], {
        encoding: 'utf8',
        env: { ...process.env, PERTURBQL_CACHE: at('limited-cache') },
      });
      expect(stderr).toMatch(
        /the file would be larger than the system lets it be\n {2}fix: Raise the limit of a file’s size \(`ulimit -f`\)/,
      );
      expect(stderr).not.toMatch(/\n\s+at |fault in perturbql/);
      expect(status).toBe(2);
    },
  );

  it('in --databases are refused where a file is no SQLite database', async () => {
    mkdirSync(at('databases/community_garden'), { recursive: true });
    writeFileSync(at('databases/community_garden/community_garden.sqlite'), 'this is not a database, but it is long');
    const args = ['--tables', tables, '--examples', examples, '--databases', 'databases'];
    expectRefusal(
      await run('candidates', ...args, '--out', 'out'),
      /community_garden\.sqlite, community_garden: the file can’t be read as a SQLite database\n {2}cause: file is not a database\n {2}fix: Check that --databases/,
    );
  });

  it('in --databases are refused where there is no such folder', async () => {
    const args = ['--tables', tables, '--examples', examples, '--databases', 'no-databases'];
    expectRefusal(
      await run('candidates', ...args, '--out', 'out'),
      /no-databases: there are no databases at this path/,
    );
  });

  it.each([
    [
      '',
      'nope',
      /--candidates nope does not exist\n {2}fix: Name a run folder, a candidates\.jsonl, an annotation project or adveta:DIR/,
    ],
    ['', 'adveta:nope', /nope: the folder can’t be read/],
    ['', 'adveta:.', /\.: the folder has no spider…rpl….json/],
    ['{"db_id": "x"', 'candidates.jsonl', /candidates\.jsonl:2: this is not JSON/],
    ['{"db_id": "x"}', 'candidates.jsonl', /candidates\.jsonl:2, candidate: field "table" is missing/],
    ['{"e1": 7}', 'candidates.jsonl', /candidates\.jsonl:2, candidate: field "db_id" is missing/],
  ])('and broken lines (%s) in --candidates %s are refused', async (line, from, message) => {
    const good = acceptedDecision({
      db_id: 'community_garden',
      table: 'plot',
      column: 'plot id',
      candidate: 'plot key',
    });
    writeFileSync(at('candidates.jsonl'), `${JSON.stringify(good)}\n${line}\n`);
    expectRefusal(await run('augment', ...options, '--out', 'out', '--candidates', from), message);
  });

  it('and --candidates of another kind of file are refused', async () => {
    expectRefusal(
      await run('augment', ...options, '--out', 'out', '--candidates', tables),
      /tables\.json: this is neither candidates nor an annotation project\n {2}fix: Name a run folder/,
    );
  });

  it('in the run’s folder are kept, and the folder refused', async () => {
    mkdirSync(at('mine'));
    writeFileSync(at('mine/thesis.txt'), 'mine');
    expectRefusal(
      await run('candidates', ...options, '--recipe', 'w2v', '--out', 'mine'),
      /mine: the folder is not empty and holds no run\n {2}fix: Name an empty or new --out folder/,
      'mine',
    );
    expect(listFiles(at('mine'))).toEqual(['thesis.txt']);
  });

  it('in place of the run’s folder are refused', async () => {
    writeFileSync(at('a-file'), 'mine');
    expectRefusal(
      await run('candidates', ...options, '--recipe', 'w2v', '--out', 'a-file'),
      /a-file: [^\n]*\n {2}fix: There is a file where a folder is needed/,
    );
    expect(readFileSync(at('a-file'), 'utf8')).toBe('mine');
  });
});

describe('a file with a byte order mark', () => {
  it('is read as it is without', async () => {
    const bom = (value: unknown): string => `\uFEFF${JSON.stringify(value)}`;
    const options = optionsFor(bom(TABLES), bom([EXAMPLE]));
    expect((await run('candidates', ...options, '--out', 'out', '--dry-run')).code).toBe(0);
  });
});

describe('what one question or column has wrong', () => {
  const decide = (out: string, tables: unknown, examples: unknown): Promise<CliResult> =>
    run('augment', ...optionsFor(tables, examples), '--recipe', 'w2v', '--out', out);

  /** The garden with other natural and original names of its second and third column. */
  const renamed = (...names: string[]): JsonRecord[] => {
    const replace = (field: string): unknown =>
      (TABLES[0]![field] as [number, string][]).map(([table, name], i) => [table, names[i - 2] ?? name]);
    return garden({ column_names: replace('column_names'), column_names_original: replace('column_names_original') });
  };

  it('is reported, counted and left out where a gold query does not parse', async () => {
    const examples = [EXAMPLE, { ...EXAMPLE, query: 'SELECT count( FROM WHERE' }];
    const { code, stdout, stderr } = await decide('unparsed', TABLES, examples);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^4 examples: 2 original, 1 RPL, 1 ADD; 2 variants left out/);
    expect(stdout).toMatch(/\n {2}note: dev:1 was left out: expected /);
    const report = JSON.parse(readFileSync(at('unparsed/report.json'), 'utf8')) as { skipped: unknown[] };
    expect(report.skipped).toMatchObject([{ count: 1 }]);
    expect(JSON.stringify(report.skipped)).toContain('dev:1');
    const page = readFileSync(at('unparsed/report.html'), 'utf8');
    expect(page).toContain('dev:1');
    // The same number as in the terminal: one gold stands for two variants.
    expect(page).toMatch(/2\svariants could not be made/);
  });

  const RECORDS = [EXAMPLE, without(EXAMPLE, 'db_id'), 'x', null];
  const SAID = [
    /dev:1 \(dev\.json, record 1\) was left out: field "db_id" is missing/,
    /dev:2 .*an object is expected, not text/,
    /dev:3 .*null/,
  ];

  it('is said in the terminal where a record can’t be read, before and after the work, and of a finished run', async () => {
    const options = [...optionsFor(TABLES, RECORDS), '--recipe', 'w2v'];
    for (const command of ['candidates', 'augment']) {
      const made = await run(command, ...options, '--out', `records-${command}`);
      expect(made.code, made.stderr).toBe(0);
      const again = await run(command, ...options, '--out', `records-${command}`);
      expect(again.stdout).toContain('already complete');
      for (const sentence of SAID) {
        expect(made.stderr).toMatch(new RegExp(`^warning: ${sentence.source}$`, 'm'));
        expect(made.stdout).toMatch(new RegExp(`^ {2}note: ${sentence.source}$`, 'm'));
        expect(again.stdout).toMatch(sentence);
      }
    }
  });

  it('is said by an audit, too', async () => {
    const { stdout } = await run('audit', ...optionsFor(TABLES, RECORDS));
    expect(stdout).toContain('3 examples left out by the reader\n');
    for (const sentence of SAID) expect(stdout).toMatch(new RegExp(`^note: ${sentence.source}$`, 'm'));
  });

  it('is reported by a dry run too', async () => {
    const examples = [EXAMPLE, { ...EXAMPLE, query: 'SELECT nothing FROM nowhere' }];
    const { code, stdout } = await run('candidates', ...optionsFor(TABLES, examples), '--out', 'out', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 questions on 1 database: /);
    expect(stdout).toMatch(/\n {2}note: dev:1 was left out: .*nowhere/);
  });

  it.each([
    ['300 characters', 'x'.repeat(300), /its name has 300 characters, more than 100/],
    ['nothing but emoji', '🌱🌱', /its name has no letters/],
    ['nothing but punctuation', '?!...', /its name has no letters/],
  ])('is reported where the name of a column is %s', async (what, name, reason) => {
    const examples = [{ ...EXAMPLE, query: `SELECT "${name}" , home_country FROM gardener` }];
    const { code, stderr } = await decide(what, renamed(name), examples);
    expect(code, stderr).toBe(0);
    expect(readFileSync(at(what, 'report.json'), 'utf8')).toMatch(reason);
    // The other column of the query is perturbed all the same.
    expect(JSON.parse(readFileSync(at(what, 'examples.json'), 'utf8'))).toHaveLength(3);
  });

  it('is nothing where a table has one column', async () => {
    const narrow = {
      db_id: 'narrow',
      table_names: ['country'],
      table_names_original: ['country'],
      column_names: [
        [-1, '*'],
        [0, 'country name'],
      ],
      column_names_original: [
        [-1, '*'],
        [0, 'country_name'],
      ],
      column_types: ['text', 'text'],
      primary_keys: [],
      foreign_keys: [],
    };
    const examples = [{ db_id: 'narrow', question: 'Which?', query: 'SELECT country_name FROM country' }];
    // None of the example databases is this one.
    const paths = optionsFor([narrow], examples).slice(0, 4);
    const { code, stdout, stderr } = await run('augment', ...paths, '--recipe', 'w2v', '--out', 'narrow');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^3 examples: 1 original, 1 RPL, 1 ADD/);
  });

  it('is reported where no question can be used at all', async () => {
    const { code, stdout, stderr } = await decide('nothing', TABLES, [{ ...EXAMPLE, query: 'DROP TABLE gardener' }]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^1 example: 1 original, 0 RPL, 0 ADD; 2 variants left out/);
  });
});
