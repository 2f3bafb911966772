import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { readPresentTables } from '../../../src/evaluate/pair-evaluation.js';
import { hashDatabases } from '../../../src/evaluate/execution/database-hashes.js';
import { ExecutionMatch, type ExecutionVerdict } from '../../../src/evaluate/execution/execution-match.js';
import type { ExecutionMode } from '../../../src/evaluate/execution/execution-tasks.js';
import { RESULT_MODES } from '../../../src/sql/execution/result-mode.js';
import { checkGold } from '../../../src/evaluate/metric.js';
import { createStageContext, NOOP_HOST } from '../../../src/run/run-host.js';
import type { Comparison, ComparisonTask } from '../../../src/sql/execution/query-protocol.js';
import { QueryRunner } from '../../../src/sql/execution/query-runner.js';
import { PUBLISHED_MODES } from '../../../src/sql/execution/result-mode.js';
import { CONCERTS } from '../concert-database.js';
import { databaseFile, hasVerdicts, isFull, NEEDS_VERDICTS, readPairs } from '../evaluation-files.js';

const CONTEXT = createStageContext(0, NOOP_HOST);
const folder = mkdtempSync(join(tmpdir(), 'perturbql-execution-'));
const FILE = join(folder, 'concerts.sqlite');
const runner = new QueryRunner({ jobs: 2, limits: { timeoutMs: 2000, maxRows: 1000 } });

beforeAll(() => {
  const sqlite = new Sqlite(FILE);
  sqlite.exec(`
    CREATE TABLE Stadium (Id INTEGER PRIMARY KEY, Name TEXT, Capacity INTEGER);
    CREATE TABLE Concert (Concert_Id INTEGER PRIMARY KEY, Stadium_Id INTEGER, Spare_Id INTEGER, Year INTEGER, Name TEXT);
    CREATE TABLE Singer (Singer_Id INTEGER PRIMARY KEY, Name TEXT, Age INTEGER, Country TEXT);
    INSERT INTO Singer VALUES (1, 'Ann', 30, 'France'), (2, 'Bob', 40, 'France'), (3, 'Cy', 50, 'Spain');
  `);
  sqlite.close();
});

afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

async function judge(
  gold: string,
  predicted: string,
  mode: ExecutionMode = 'ordered',
  plug: boolean | { limit: number } = false,
): Promise<ExecutionVerdict> {
  const metric = new ExecutionMatch({ runner, databaseOf: () => ({ file: FILE }), mode, plug });
  const [verdict] = await metric.judge([{ id: 'q', group: 'q', database: CONCERTS, gold, predicted }], CONTEXT);
  return verdict!;
}

describe('ExecutionMatch', () => {
  it.each([
    [
      'SELECT Name FROM Singer ORDER BY Age',
      'SELECT Name FROM Singer ORDER BY Age DESC',
      ['bag', 'set', 'bag-any-column-order'],
    ],
    [
      'SELECT Name FROM Singer ORDER  BY\nAge',
      'SELECT Name FROM Singer ORDER BY Age DESC',
      ['bag', 'set', 'bag-any-column-order'],
    ],
    ['SELECT Name FROM Singer', 'SELECT Name FROM Singer ORDER BY Age DESC', RESULT_MODES],
    ['SELECT Country FROM Singer', 'SELECT DISTINCT Country FROM Singer', ['set']],
    [
      'SELECT Name, Age FROM Singer',
      'SELECT Age, Name FROM Singer',
      ['bag-any-column-order', 'ordered-any-column-order'],
    ],
    ['SELECT 0.1 + 0.2', 'SELECT 0.3', RESULT_MODES],
    ['SELECT count(*) FROM Singer', 'SELECT 3.0', RESULT_MODES],
    [
      'SELECT Name FROM Singer WHERE Country = "Spain"',
      "SELECT Name FROM Singer WHERE Country = 'Spain'",
      RESULT_MODES,
    ],
    ['SELECT Name FROM Singer WHERE Age ! = 30', 'SELECT Name FROM Singer WHERE Age != 30', RESULT_MODES],
    ['SELECT count(DISTINCT Country) FROM Singer', 'SELECT count(Country) FROM Singer', []],
  ])('%s against %s is correct in these modes', async (gold, predicted, modes: readonly string[]) => {
    for (const mode of RESULT_MODES) {
      const { outcome } = await judge(gold, predicted, mode);
      expect([mode, outcome]).toEqual([mode, modes.includes(mode) ? 'correct' : 'wrong']);
    }
  });

  it.each([
    ['SELECT Name, Age FROM Singer', 'SELECT Age, Name FROM Singer', ['test-suite']],
    ['SELECT Country FROM Singer', 'SELECT DISTINCT Country FROM Singer', ['bird']],
    ['SELECT 0.1 + 0.2', 'SELECT 0.3', []],
    ['SELECT count(*) FROM Singer', 'SELECT 3.0', ['test-suite', 'bird']],
    ['SELECT Name FROM Singer WHERE Age > 99', 'SELECT Age, Name FROM Singer WHERE Age > 99', ['test-suite', 'bird']],
    ['SELECT Name FROM Singer', 'SELECT Name FROM Singer WHERE Age > 99', []],
    ['SELECT Name FROM Singer ORDER BY Age', 'SELECT Name FROM Singer ORDER BY Age DESC', ['bird']],
    // For the published test-suite evaluator an ORDER BY anywhere in the gold is one of the result.
    [
      'SELECT Name FROM Singer WHERE Age IN (SELECT Age FROM Singer ORDER BY Age)',
      'SELECT Name FROM Singer ORDER BY Age DESC',
      ['bird'],
    ],
    ['SELECT year(curdate())', 'SELECT 2020', ['test-suite']],
    [
      'SELECT Name FROM Singer WHERE Singer_Id = 1',
      "SELECT Name FROM Singer WHERE Singer_Id = ' value '",
      ['test-suite'],
    ],
  ])('%s against %s is correct by these published evaluators', async (gold, predicted, modes: readonly string[]) => {
    for (const mode of PUBLISHED_MODES) {
      const { outcome } = await judge(gold, predicted, mode);
      expect([mode, outcome === 'correct']).toEqual([mode, modes.includes(mode)]);
    }
  });

  it.each([
    ['SELECT Name FROM Singer WHERE Age > 99', ' ', 'correct'],
    ['SELECT Name FROM Singer WHERE Age > 99', '-- I do not know', 'correct'],
    ['SELECT Name FROM Singer WHERE Age > 99', ' ; /* nothing */ ;', 'correct'],
    ['SELECT Name FROM Singer WHERE Age > 99', 'PRAGMA foreign_keys = 0', 'correct'],
    ['SELECT Name FROM Singer WHERE Age > 99', 'PRAGMA no_such_pragma', 'correct'],
    ['SELECT Name FROM Singer WHERE Age > 99', 'PRAGMA journal_mode = wal', 'refused'],
    ['SELECT Name FROM Singer WHERE Age > 99', 'PRAGMA table_info(Singer)', 'refused'],
    ['SELECT Name FROM Singer', ' ', 'wrong'],
    ['SELECT Name FROM Singer', '; SELECT Name FROM Singer; -- all', 'correct'],
    ['SELECT Name FROM Singer', 'SELECT Name FROM Singer;;', 'refused'],
    ['SELECT Name FROM Singer', "SELECT Name FROM Singer WHERE Name <> 'a;;b' ;", 'correct'],
    ['SELECT 1', "SELECT CAST(x'41ff' AS TEXT)", 'failing'],
    ["SELECT CAST(x'41ff' AS TEXT)", "SELECT CAST(x'41ff' AS TEXT)", 'bad-gold'],
  ])('executes for BIRD as Python’s sqlite3 does: %s against %j is %s', async (gold, predicted, outcome) => {
    expect((await judge(gold, predicted, 'bird')).outcome).toBe(outcome);
  });

  it.each([
    ['empty', ' '],
    ['unparsable', 'I do not know.'],
    ['unparsable', 'nan'],
    ['unparsable', 'NULL'],
    ['unparsable', 'none'],
    ['unparsable', 'SELECT FROM Singer'],
    ['unparsable', "SELECT 'a"],
    ['failing', 'SELECT Colour FROM Singer'],
    ['refused', 'DROP TABLE Singer'],
    ['refused', 'SELECT 3; SELECT 3'],
    ['refused', "ATTACH 'x' AS y"],
    ['too-large', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n'],
    ['timed-out', 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n'],
  ])('says %s of %s, and the database stays', async (outcome, predicted) => {
    const before = readFileSync(FILE);
    expect((await judge('SELECT count(*) FROM Singer', predicted)).outcome).toBe(outcome);
    expect(readFileSync(FILE).equals(before)).toBe(true);
  });

  it('says so when the gold gives no result', async () => {
    expect(await judge('SELECT Colour FROM Singer', 'SELECT 1')).toMatchObject({
      outcome: 'bad-gold',
      reason: expect.stringMatching(/^failing: no such column/) as string,
      goldRows: null,
    });
  });

  it('plugs values where it is told to, and says which', async () => {
    const gold = "SELECT Name FROM Singer WHERE Country = 'France' AND Age > 35";
    const predicted = "SELECT Name FROM Singer WHERE Age > 1 AND Country = 'value'";
    expect((await judge(gold, predicted)).outcome).toBe('wrong');
    const verdict = await judge(gold, predicted, 'ordered', true);
    expect(verdict.outcome).toBe('correct');
    expect(verdict.alternative).toBeGreaterThan(0);
    expect(await judge(gold, predicted, 'ordered', { limit: 2 })).toMatchObject({ outcome: 'wrong', isCut: true });
  });

  it('names its mode, its version and the databases', async () => {
    const metric = new ExecutionMatch({ runner, databaseOf: () => ({ file: FILE }), mode: 'set', plug: true });
    expect(metric.fingerprint).toBe('execution-set-plugged-500@2');
    const hashes = await hashDatabases([
      ['concerts', { file: FILE }],
      ['concerts', { file: FILE }],
    ]);
    expect(Object.keys(hashes)).toEqual(['concerts']);
    expect(hashes['concerts']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('runs a pair on a file with setup scripts', async () => {
    const setup = ['CREATE TEMP VIEW Singer AS SELECT Singer_Id, Name, Age AS Years, Country FROM main.Singer'];
    const metric = new ExecutionMatch({
      runner,
      databaseOf: ({ id }) => (id === 'view' ? { file: FILE, setup } : { file: FILE }),
      mode: 'ordered',
    });
    const pair = {
      group: 'q',
      database: CONCERTS,
      gold: 'SELECT count(*) FROM Singer',
      predicted: 'SELECT Years FROM Singer LIMIT 1',
    };
    const pairs = [
      { ...pair, id: 'view', gold: 'SELECT max(Years) FROM Singer', predicted: 'SELECT 50' },
      { ...pair, id: 'file' },
    ];
    expect((await metric.judge(pairs, CONTEXT)).map(({ outcome }) => outcome)).toEqual(['correct', 'failing']);
    const [view, file] = [{ file: FILE, setup }, { file: FILE }].map((source) => ['concerts', source] as const);
    const [one, other] = [await hashDatabases([view!, file!]), await hashDatabases([file!])];
    expect(one['concerts']).not.toBe(other['concerts']);
  });

  it('runs each pair once, however often it comes', async () => {
    const asked: ComparisonTask[] = [];
    const counting = {
      compare: async (tasks: readonly ComparisonTask[]): Promise<readonly Comparison[]> => {
        asked.push(...tasks);
        return tasks.map(() => ({ reference: 1, candidate: { at: 0, outcome: { kind: 'rows', match: 'different' } } }));
      },
    } as unknown as QueryRunner;
    const metric = new ExecutionMatch({ runner: counting, databaseOf: () => ({ file: FILE }), mode: 'bag' });
    const pair = { id: 'q', group: 'q', database: CONCERTS, gold: 'SELECT 1', predicted: 'SELECT 2' };
    const verdicts = await metric.judge([pair, { ...pair, id: 'again' }, { ...pair, predicted: 'SELECT 3' }], CONTEXT);
    expect(asked.map(({ candidates }) => candidates)).toEqual([['SELECT 2'], ['SELECT 3']]);
    expect(verdicts.map(({ id }) => id)).toEqual(['q', 'again', 'q']);
  });

  it('compares with a tolerance that its name tells', async () => {
    const exact = new ExecutionMatch({ runner, databaseOf: () => ({ file: FILE }), mode: 'ordered' });
    const tolerant = new ExecutionMatch({
      runner,
      databaseOf: () => ({ file: FILE }),
      mode: 'ordered',
      tolerance: 0.01,
    });
    const pair = {
      id: 'q',
      group: 'q',
      database: CONCERTS,
      gold: 'SELECT avg(Age) / 3 FROM Singer',
      predicted: 'SELECT 13.33',
    };
    expect(tolerant.fingerprint).toBe('execution-ordered-tolerance-0.01@2');
    expect((await exact.judge([pair], CONTEXT))[0]?.outcome).toBe('wrong');
    expect((await tolerant.judge([pair], CONTEXT))[0]?.outcome).toBe('correct');
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const metric = new ExecutionMatch({ runner, databaseOf: () => ({ file: FILE }), mode: 'bag' });
    const pair = { id: 'q', group: 'q', database: CONCERTS, gold: 'SELECT 1', predicted: 'SELECT 1' };
    stop.abort(new Error('enough'));
    await expect(metric.judge([pair], { ...CONTEXT, signal: stop.signal })).rejects.toThrow('enough');
    await expect(metric.judge([pair], CONTEXT)).resolves.toMatchObject([{ outcome: 'correct' }]);
  });
});

describe('readPresentTables', () => {
  it('lists the tables of a file, and says where there is none', () => {
    expect(readPresentTables(FILE)).toEqual(new Set(['stadium', 'concert', 'singer']));
    expect(() => readPresentTables(join(folder, 'absent.sqlite'))).toThrow(InputFormatError);
  });
});

const hasRows = hasVerdicts && existsSync(databaseFile('concert_singer'));

describe.skipIf(!hasRows)(`execution over Spider's databases${NEEDS_VERDICTS}`, () => {
  const some = isFull ? /./ : /concert_singer|world_1/;

  it('finds gold correct against itself in each mode', async () => {
    const pairs = readPairs('gold').filter(({ database }) => some.test(database.id));
    const modes = isFull ? RESULT_MODES : (['ordered-any-column-order'] as const);
    for (const mode of modes) {
      const metric = new ExecutionMatch({
        runner: spiderRunner,
        databaseOf: ({ database: { id } }) => ({ file: databaseFile(id) }),
        mode,
      });
      expect(await checkGold(metric, pairs, CONTEXT)).toEqual([]);
    }
  });

  it.skipIf(!isFull)('ends on predictions that do not end, and counts them', async () => {
    const pairs = readPairs('dev_2').filter(({ database }) => /car_1|world_1/.test(database.id));
    const fast = new QueryRunner({ limits: { timeoutMs: 500 } });
    const metric = new ExecutionMatch({
      runner: fast,
      databaseOf: ({ database: { id } }) => ({ file: databaseFile(id) }),
      mode: 'ordered',
    });
    const verdicts = await metric.judge(pairs, CONTEXT);
    await fast.close();
    expect(verdicts.filter(({ outcome }) => outcome === 'timed-out' || outcome === 'too-large').length).toBeGreaterThan(
      3,
    );
  });
});

const spiderRunner = new QueryRunner();
afterAll(() => spiderRunner.close());
