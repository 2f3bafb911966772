import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import { checkGold, type EvaluationPair } from '../../../src/evaluate/metric.js';
import { checkSuite, suiteIdentity, SuiteMatch } from '../../../src/evaluate/suite/suite-match.js';
import type { SuiteSettings, SuiteVerdict } from '../../../src/evaluate/suite/suite-task.js';
import { createStageContext, NOOP_HOST } from '../../../src/run/run-host.js';
import { openSuite } from '../../../src/testsuite/suite/open-suite.js';
import { packedPath } from '../../../src/testsuite/suite/suite-files.js';
import { CONCERTS } from '../concert-database.js';
import { type Filled, type TinyGold, writeTinySuite } from './tiny-suite.js';

const CONTEXT = createStageContext(0, NOOP_HOST);
const folder = mkdtempSync(join(tmpdir(), 'perturbql-suite-'));
/** By their options: starting threads takes longer than the tests. */
const metrics = new Map<string, SuiteMatch>();
afterAll(async () => {
  for (const metric of metrics.values()) await metric.close();
  rmSync(folder, { recursive: true, force: true });
});

const OLD = 'SELECT Name FROM Singer WHERE Age > 30';
const OLDEST = 'SELECT Name FROM Singer ORDER BY Age DESC LIMIT 1';
const COUNTRIES = 'SELECT DISTINCT Country FROM Singer';

/** The original can't tell > from >=, nor DISTINCT from none; `edges` can; `ties` has several oldest singers. */
const FILLED: readonly Filled[] = [
  ['concerts', "INSERT INTO Singer VALUES (1, 'Ann', 20, 'France'), (2, 'Bob', 40, 'Spain')"],
  [
    'edges',
    `INSERT INTO Singer VALUES (1, 'Ann', 30, 'France'), (2, 'Bob', 40, 'France'), (3, 'Cy', 50, 'Spain'), (4, 'Di', 10, 'Peru');
     INSERT INTO Concert VALUES (1, 1, 1, 2000, 'One'), (2, 1, 1, 2001, 'Two')`,
  ],
  ['ties', "INSERT INTO Singer VALUES (1, 'Ann', 50, 'France'), (2, 'Bob', 50, 'Spain'), (3, 'Cy', 50, 'Peru')"],
];
const GOLDS: readonly TinyGold[] = [
  [OLD, [1, 0, 2]],
  [OLDEST, [0, 1]],
  [COUNTRIES, [1]],
];

/** Counts and ages are as the rows have them; whose name it is the order of rows decides. */
const CROWDED = 'SELECT Name, count(*) FROM Singer GROUP BY Country HAVING count(*) > 1';
/** Two of the three singers of `ties`. */
const TWO = 'SELECT Name FROM Singer ORDER BY Age LIMIT 2';
const PARTIAL_GOLDS: readonly TinyGold[] = [
  [CROWDED, [], [1]],
  [TWO, [1], [2]],
];

const SUITE = openSuite(writeTinySuite(join(folder, 'suite'), CONCERTS, FILLED, [...GOLDS, ...PARTIAL_GOLDS]));

interface Asked extends Partial<SuiteSettings> {
  readonly jobs?: number;
  readonly isExplained?: boolean;
}

const DEFAULTS: SuiteSettings = { mode: 'ordered', plugLimit: 1, dropDistinct: false, tolerance: null };

function metricOf({ jobs = 1, isExplained = false, ...settings }: Asked): SuiteMatch {
  const key = JSON.stringify([jobs, isExplained, settings]);
  const known = metrics.get(key);
  if (known !== undefined) return known;
  const metric = new SuiteMatch({
    suite: SUITE,
    settings: { ...DEFAULTS, ...settings },
    jobs,
    explains: () => isExplained,
  });
  metrics.set(key, metric);
  return metric;
}

const pairOf = (gold: string, predicted: string, id = 'q'): EvaluationPair => ({
  id,
  group: id,
  database: CONCERTS,
  gold,
  predicted,
});

async function judge(gold: string, predicted: string, asked: Asked = {}): Promise<SuiteVerdict> {
  return (await metricOf(asked).judge([pairOf(gold, predicted)], CONTEXT))[0]!;
}

describe('SuiteMatch', () => {
  it('finds every gold query correct against itself', async () => {
    const golds = [OLD, OLDEST, COUNTRIES, 'SELECT count(*) FROM Concert', 'SELECT Name FROM Singer ORDER BY random()'];
    const pairs = golds.map((gold, i) => pairOf(gold, '', String(i)));
    expect(await checkGold(metricOf({}), pairs, CONTEXT)).toEqual([]);
  });

  it('tells what the original does not', async () => {
    expect(await judge(OLD, 'SELECT Name FROM Singer WHERE Age >= 30')).toMatchObject({
      outcome: 'wrong',
      differsOn: 'edges',
      databases: 1,
      isDistilled: true,
    });
    expect(await judge(OLD, 'SELECT s.Name FROM Singer AS s WHERE NOT s.Age <= 30')).toMatchObject({
      outcome: 'correct',
      differsOn: null,
      databases: 3,
    });
  });

  it('judges on the databases that the gold is determinate on alone, the original last', async () => {
    const other = 'SELECT Name FROM Singer WHERE Age = (SELECT max(Age) FROM Singer) ORDER BY Name DESC LIMIT 1';
    expect(await judge(OLDEST, other)).toMatchObject({ outcome: 'correct', databases: 2 });
    expect(await judge(OLDEST, "SELECT 'Cy' WHERE EXISTS (SELECT 1 FROM Singer WHERE Age = 50)")).toMatchObject({
      outcome: 'wrong',
      differsOn: 'concerts',
      databases: 2,
    });
    const three = "SELECT 'France' UNION SELECT 'Spain' UNION SELECT 'Peru'";
    expect(await judge(COUNTRIES, three)).toMatchObject({ outcome: 'correct', databases: 1 });
  });

  it('judges by what is determinate of the gold’s result where the order of rows decides the rest', async () => {
    const right = [
      'SELECT max(Name), count(*) FROM Singer GROUP BY Country HAVING count(*) >= 2',
      "SELECT 'Ann', 2",
      CROWDED,
    ];
    for (const sql of right) expect(await judge(CROWDED, sql)).toMatchObject({ outcome: 'correct', databases: 1 });
    expect(await judge(CROWDED, CROWDED.replace('BY Country', 'BY Singer_Id'))).toMatchObject({
      outcome: 'wrong',
      reason: 'it has 0 rows, the gold query 1 in any order of rows',
      differsOn: 'edges',
    });
    expect(await judge(CROWDED, "SELECT 'Cy', 2")).toMatchObject({
      outcome: 'wrong',
      reason: 'it has rows that the gold does not have in any order of rows',
    });
    const swapped = 'SELECT count(*), Name FROM Singer GROUP BY Country HAVING count(*) > 1';
    expect((await judge(CROWDED, swapped)).outcome).toBe('wrong');
    expect((await judge(CROWDED, swapped, { mode: 'bag-any-column-order' })).outcome).toBe('correct');
  });

  it('judges by whole results, then by parts', async () => {
    const other = 'SELECT Name FROM Singer ORDER BY Age, Name DESC LIMIT 2';
    expect(await judge(TWO, other)).toMatchObject({ outcome: 'correct', databases: 2 });
    const tied =
      'SELECT Name FROM Singer WHERE Age IN (10, 30) OR Age = 50 AND Singer_Id IN (1, 2, 3) AND (SELECT min(Age) FROM Singer) = 50 ORDER BY Age';
    expect(await judge(TWO, tied)).toMatchObject({
      outcome: 'wrong',
      differsOn: 'ties',
      databases: 2,
      reason: 'it has more than 2 rows, as many as the gold query has in any order of rows',
    });
  });

  it('shows few rows also where a part of the gold’s result counts, and says that it is one of several', async () => {
    const predicted = CROWDED.replace('BY Country', 'BY Singer_Id');
    const { counterexample } = await judge(CROWDED, predicted, { isExplained: true });
    expect(counterexample).toMatchObject({
      database: 'edges',
      isGoldPartial: true,
      tables: [{ name: 'Singer', count: 2 }],
      gold: { count: 1 },
      predicted: { count: 0 },
    });
  });

  it('judges gold that it was not distilled for on all databases', async () => {
    const gold = 'SELECT count(*) FROM Singer';
    expect(await judge(gold, 'SELECT count(Name) FROM Singer')).toMatchObject({
      outcome: 'correct',
      databases: 3,
      isDistilled: false,
    });
  });

  it('leaves databases out on which the order of rows decides the result of such gold', async () => {
    const gold = 'SELECT Country FROM Singer ORDER BY Age DESC LIMIT 1';
    const largest = 'SELECT Country FROM Singer WHERE Age = (SELECT max(Age) FROM Singer)';
    expect(await judge(gold, largest)).toMatchObject({ outcome: 'correct', isDistilled: false });
    expect(await judge(gold, gold.replace(' DESC', ''))).toMatchObject({ outcome: 'wrong' });
    expect(await judge('SELECT random() FROM Singer', 'SELECT 1 FROM Singer')).toMatchObject({ outcome: 'wrong' });
  });

  it('leaves databases out on which such gold finds nothing, unless it does so on all', async () => {
    const rows = "FROM Singer WHERE Country = 'Peru' AND Age <";
    const oldest = (most: number): string => `SELECT Age ${rows} ${most} ORDER BY Age DESC LIMIT 1`;
    expect(await judge(`SELECT max(Age) ${rows} 20`, oldest(20))).toMatchObject({ outcome: 'correct' });
    expect(await judge(`SELECT max(Age) ${rows} 5`, oldest(5))).toMatchObject({ outcome: 'wrong' });
  });

  it.each([
    ['', 'empty', undefined],
    ['I do not know', 'unparsable', 'not-a-select'],
    ['SELECT Nme FROM Singer', 'failing', 'no such column: Nme'],
    ['DROP TABLE Singer', 'refused', 'not-a-select'],
    ['WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c', 'timed-out', /rows/],
  ])('says of %j that it is %s', async (predicted, outcome, reason) => {
    const verdict = await judge(OLD, predicted, { isExplained: true });
    expect([verdict.outcome, verdict.counterexample]).toEqual([outcome, null]);
    if (reason === undefined) expect(verdict.reason).toBeUndefined();
    else expect(verdict.reason).toMatch(reason);
  });

  it('says of gold without a result that it is bad', async () => {
    expect(await judge('SELECT Nme FROM Singer', OLD)).toMatchObject({
      outcome: 'bad-gold',
      reason: 'failing: no such column: Nme',
    });
  });

  it('takes the first plugged query that passes all databases', async () => {
    const gold = "SELECT Name FROM Singer WHERE Age > 30 AND Country = 'France'";
    const predicted = "SELECT Name FROM Singer WHERE Country = 'value' AND Age > 1";
    expect((await judge(gold, predicted)).outcome).toBe('wrong');
    const plugged = await judge(gold, predicted, { plugLimit: 500 });
    expect(plugged).toMatchObject({ outcome: 'correct', databases: 2, isCut: false });
    expect(plugged.alternative).toBeGreaterThan(0);
    expect(plugged.plugged).toBe("SELECT Name FROM Singer WHERE Country = 'France' AND Age > 30");
    expect(await judge(gold, predicted, { plugLimit: 2 })).toMatchObject({ outcome: 'wrong', isCut: true });
  });

  it('compares in the mode that is asked for', async () => {
    const [gold, swapped] = ['SELECT Name, Age FROM Singer', 'SELECT Age, Name FROM Singer'];
    expect((await judge(gold, swapped)).outcome).toBe('wrong');
    expect((await judge(gold, swapped, { mode: 'bag-any-column-order' })).outcome).toBe('correct');
    const [all, some] = ['SELECT Country FROM Singer', COUNTRIES];
    expect((await judge(all, some)).outcome).toBe('wrong');
    expect((await judge(all, some, { mode: 'set' })).outcome).toBe('correct');
    const [exact, near] = ['SELECT avg(Age) FROM Singer', 'SELECT avg(Age) + 0.001 FROM Singer'];
    expect((await judge(exact, near)).outcome).toBe('wrong');
    expect((await judge(exact, near, { tolerance: 0.01 })).outcome).toBe('correct');
  });

  it('drops DISTINCT where it is asked to', async () => {
    const plain = 'SELECT Country FROM Singer';
    expect((await judge(COUNTRIES, plain)).outcome).toBe('wrong');
    expect(await judge(COUNTRIES, plain, { dropDistinct: true })).toMatchObject({
      outcome: 'correct',
      isDistilled: true,
    });
  });

  it('shows few rows on which the results differ, of the smallest database', async () => {
    const { counterexample } = await judge(OLD, 'SELECT Name FROM Singer WHERE Age >= 30', { isExplained: true });
    expect(counterexample).toEqual({
      database: 'edges',
      tables: [
        {
          name: 'Singer',
          columns: ['Singer_Id', 'Name', 'Age', 'Country'],
          rows: [[1, 'Ann', 30, 'France']],
          count: 1,
        },
      ],
      gold: { columns: ['Name'], rows: [], count: 0 },
      predictedSql: 'SELECT Name FROM Singer WHERE Age >= 30',
      predicted: { columns: ['Name'], rows: [['Ann']], count: 1 },
    });
  });

  it('shows the rows on which a prediction fails', async () => {
    const predicted = 'SELECT Name FROM Singer WHERE Age > 30 AND abs(Age - 40 - 9223372036854775807 - 1) > 0';
    const verdict = await judge(OLD, predicted, { isExplained: true });
    expect(verdict).toMatchObject({ outcome: 'failing', reason: 'integer overflow' });
    expect(verdict.counterexample).toMatchObject({
      database: 'edges',
      tables: [{ name: 'Singer', rows: [[2, 'Bob', 40, 'France']], count: 1 }],
      predicted: { failure: 'integer overflow' },
    });
  });

  it('looks no further than the database that decides', async () => {
    const folderOf = writeTinySuite(join(folder, 'early'), CONCERTS, FILLED, GOLDS);
    rmSync(packedPath(folderOf, CONCERTS.id, 'ties'));
    const metric = new SuiteMatch({ suite: openSuite(folderOf), settings: DEFAULTS, jobs: 1 });
    const wrong = 'SELECT Name FROM Singer WHERE Age >= 30';
    expect((await metric.judge([pairOf(OLD, wrong)], CONTEXT))[0]).toMatchObject({ outcome: 'wrong', databases: 1 });
    await expect(metric.judge([pairOf(OLD, OLD)], CONTEXT)).rejects.toThrow(/missing/);
    await metric.close();
  });

  it('keeps gold apart that is one without DISTINCT', async () => {
    const pairs = ['SELECT Country FROM Singer', COUNTRIES].map((gold, i) => pairOf(gold, gold, String(i)));
    const verdicts = await metricOf({ dropDistinct: true }).judge(pairs, CONTEXT);
    expect(verdicts.map(({ isDistilled, databases }) => [isDistilled, databases])).toEqual([
      [false, 3],
      [true, 1],
    ]);
  });

  it('ends its threads when it is stopped', async () => {
    const stop = new AbortController();
    const metric = new SuiteMatch({ suite: SUITE, settings: DEFAULTS, jobs: 1 });
    const judged = metric.judge([pairOf(OLD, OLD)], { ...CONTEXT, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(judged).rejects.toThrow('enough');
    await metric.close();
  });

  it('shows none that was not asked for', async () => {
    expect((await judge(OLD, COUNTRIES)).counterexample).toBeNull();
  });

  it('says the same with any number of threads, of pairs in any order', async () => {
    const predictions = [OLD, 'SELECT Name FROM Singer WHERE Age >= 30', OLDEST, '', 'SELECT 1'];
    const pairs = [OLD, OLDEST, COUNTRIES].flatMap((gold, g) =>
      predictions.map((predicted, p) => pairOf(gold, predicted, `${g}.${p}`)),
    );
    const one = await metricOf({ isExplained: true }).judge(pairs, CONTEXT);
    const two = await metricOf({ isExplained: true, jobs: 2 }).judge([...pairs].reverse(), CONTEXT);
    expect([...two].reverse()).toEqual(one);
  });

  it('names the schema that a suite lacks, and the one that it has otherwise', () => {
    expect(() => checkSuite(SUITE, [{ ...CONCERTS, id: 'other' }])).toThrow(/no schema other/);
    const [first, ...rest] = CONCERTS.tables;
    const changed = { ...CONCERTS, tables: [{ ...first!, columns: first!.columns.slice(0, 2) }, ...rest] };
    expect(() => checkSuite(SUITE, [changed])).toThrow(InputFormatError);
    expect(() => checkSuite(SUITE, [CONCERTS])).not.toThrow();
  });

  it('says the same where databases stay open, and one call that is aborted leaves the others', async () => {
    const open = new SuiteMatch({ suite: SUITE, settings: DEFAULTS, jobs: 1, keepsOpen: true });
    const pairs = GOLDS.flatMap(([gold]) => GOLDS.map(([predicted]) => pairOf(gold, predicted)));
    const expected = await metricOf({}).judge(pairs, CONTEXT);
    const controller = new AbortController();
    const stopped = open.judge(pairs, createStageContext(0, { ...NOOP_HOST, signal: controller.signal }));
    const going = [open.judge(pairs, CONTEXT), open.judge([...pairs].reverse(), CONTEXT)] as const;
    controller.abort(new Error('gone'));
    await expect(stopped).rejects.toThrow('gone');
    expect(await going[0]).toEqual(expected);
    expect([...(await going[1])].reverse()).toEqual(expected);
    expect(await open.judge(pairs, CONTEXT)).toEqual(expected);
    await open.close();
  });

  it('refuses a database that is damaged', async () => {
    const suite = openSuite(writeTinySuite(join(folder, 'damaged'), CONCERTS, FILLED, GOLDS));
    writeFileSync(packedPath(suite.path, CONCERTS.id, 'edges'), 'no gzip');
    const metric = new SuiteMatch({ suite, settings: DEFAULTS, jobs: 1 });
    await expect(metric.judge([pairOf(OLD, OLD)], CONTEXT)).rejects.toThrow(InputFormatError);
    await metric.close();
  });

  it('names what it was computed on', () => {
    const settings = { mode: 'bag', plugLimit: 500, dropDistinct: true, tolerance: 0.1 } as const;
    const metric = new SuiteMatch({ suite: SUITE, settings });
    expect(metric.mode).toBe('bag-tolerance-0.1-plugged-500-no-distinct@2');
    expect(suiteIdentity(SUITE, [CONCERTS])).toMatchObject({ path: SUITE.path, schemas: 1, databases: 3 });
    expect(suiteIdentity(SUITE, [CONCERTS]).sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
