import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { command as evaluateCommand } from '../../src/cli/evaluate-command.js';
import { PerturbqlError } from '../../src/errors.js';
import type { EvaluationReport } from '../../src/evaluate/evaluation-report.js';
import type { PairVerdicts } from '../../src/evaluate/verdict-lines.js';
import { renderSpiderTables } from '../../src/formats/spider-tables.js';
import { CONCERTS } from '../evaluate/concert-database.js';
import { type Filled, TABLES, writeTinySuite } from '../evaluate/suite/tiny-suite.js';
import { runOf } from './run-of.js';

const evaluate = runOf(evaluateCommand);

const folder = mkdtempSync(join(tmpdir(), 'perturbql-evaluate-suite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

function write(name: string, content: string): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  return at(name);
}

const OLD = 'SELECT Name FROM Singer WHERE Age > 30';
const WRONG = 'SELECT Name FROM Singer WHERE Age >= 30';
const FRENCH = "SELECT count(*) FROM Singer WHERE Country = 'France'";
const FILLED: readonly Filled[] = [
  ['concerts', "INSERT INTO Singer VALUES (1, 'Ann', 20, 'France'), (2, 'Bob', 40, 'Spain')"],
  ['concerts_001', "INSERT INTO Singer VALUES (1, 'Ann', 30, 'France'), (2, 'Bob', 40, 'France')"],
];

const golds = [OLD, OLD, FRENCH, FRENCH];
const gold = write('gold.sql', golds.map((sql) => `${sql}\tconcerts\n`).join(''));
const pred = write(
  'pred.sql',
  [OLD, WRONG, "SELECT count(*) FROM Singer WHERE 'France' = Country", WRONG, ''].join('\n'),
);
const goldAsPred = write('gold-as-pred.sql', golds.map((sql) => `${sql}\n`).join(''));
const tables = write('tables.json', JSON.stringify([renderSpiderTables(CONCERTS)]));
const suite = writeTinySuite(at('suite'), CONCERTS, FILLED, [[OLD, [0, 1]]]);
mkdirSync(at('database/concerts'), { recursive: true });
const original = new Sqlite(at('database/concerts/concerts.sqlite'));
original.exec(TABLES + FILLED[0]![1]);
original.close();

const FILES = { gold, predictions: pred, tables, mode: 'ordered', timeout: '30', jobs: '1' };
const ALL = { ...FILES, suite, databases: at('database'), metrics: 'exact,execution,suite' };

async function run(options: Record<string, unknown>): Promise<string> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const progress = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await evaluate(options);
    return `${lines.join('\n')}\n`;
  } finally {
    log.mockRestore();
    progress.mockRestore();
  }
}

async function refusalOf(options: Record<string, unknown>): Promise<string> {
  const error: unknown = await run(options).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(PerturbqlError);
  return (error as PerturbqlError).render();
}

describe('perturbql evaluate --suite', () => {
  it('scores, names the suite, and holds the other metrics against it', async () => {
    const report = JSON.parse(await run({ ...ALL, json: true })) as EvaluationReport;
    expect(report.execution?.outcomes).toMatchObject({ correct: 3, wrong: 1 });
    expect(report.suite).toMatchObject({ mode: 'ordered@2', notDistilled: 2, withoutGold: 0, cut: 0, undecided: 0 });
    expect(report.suite?.outcomes).toMatchObject({ correct: 2, wrong: 2 });
    expect(report.suite?.suite).toMatchObject({ path: suite, schemas: 1, databases: 2 });
    expect(report.suite?.errors.execution?.all).toMatchObject({ falsePositives: 1, falseNegatives: 0 });
    expect(report.suite?.errors.exact?.all).toMatchObject({ falsePositives: 0, falseNegatives: 0 });
    expect(report.suite?.hardness.easy.interval?.mean).toBe(0.5);
  });

  it('finds gold correct, and compares two models', async () => {
    const options = { ...FILES, suite, metrics: 'suite', predictions: goldAsPred, compare: pred };
    const text = await run(options);
    expect(text).toMatch(/^test-suite accuracy, ordered@2: 1\.000/m);
    expect(text).not.toMatch(/[0-9a-f]{64}/);
    expect(text).toContain('difference -0.500');
  });

  it('refuses gold that has no result, whatever the prediction', async () => {
    const bad = write('bad.sql', `${OLD}\tconcerts\nSELECT Nobody FROM Singer\tconcerts\n`);
    const options = { ...FILES, suite, metrics: 'suite', gold: bad, predictions: write('two.sql', `${OLD}\n${OLD}\n`) };
    expect(await refusalOf(options)).toMatch(
      /bad\.sql:2: 1 of 2 gold .*\n {2}line 2 \(bad:1\), concerts, suite: failing: no such column: Nobody\n {2}fix: /,
    );
    const report = JSON.parse(await run({ ...options, allowBadGold: true, json: true })) as EvaluationReport;
    expect(report.badGold).toEqual([
      { metric: 'suite', id: 'bad:1', line: 2, dbId: 'concerts', reason: 'failing: no such column: Nobody' },
    ]);
    expect(report.suite?.outcomes).toMatchObject({ correct: 1, 'bad-gold': 1 });
  });

  it('shows the query that decided of those with values plugged in', async () => {
    const plain = { ...ALL, metrics: 'execution,suite', plugValues: true, verdicts: at('plugged.jsonl') };
    const predicted = "SELECT Name FROM Singer WHERE Age > 'value'";
    const text = await run({ ...plain, predictions: write('values.sql', `${predicted}\n`.repeat(4)), explain: '0' });
    expect(text).toContain(`  executed as ${OLD}\n`);
    const [first] = readFileSync(at('plugged.jsonl'), 'utf8').split('\n');
    const { execution, suite: entry } = JSON.parse(first!) as PairVerdicts;
    expect(execution).toEqual({ outcome: 'correct', plugged: OLD });
    expect(entry).toEqual({ outcome: 'correct', plugged: OLD, databases: 2 });
  });

  it('prints why a pair is wrong', async () => {
    const text = await run({ ...FILES, suite, explain: '1' });
    expect(text).toContain('--explain ID shows why: gold:1, gold:3\n');
    expect(text.slice(text.indexOf('gold:1, concerts'))).toBe(`gold:1, concerts, easy
  gold        ${OLD}
  predicted   ${WRONG}
  suite       wrong; executed on 1 database
  executed as ${WRONG}
  few rows of concerts_001, the smallest database on which it differs:
  Singer
    Singer_Id | Name | Age | Country
    ----------+------+-----+--------
    1         | Ann  | 30  | France
  result of the gold
    Name
    ----
    (no rows)
  result of the prediction
    Name
    ----
    Ann
`);
  });

  it('names one database, that of the counterexample, where another one decided', async () => {
    const filled: readonly Filled[] = [
      FILLED[0]!,
      [
        'concerts_001',
        "INSERT INTO Singer VALUES (1, 'Ann', 30, 'France'), (2, 'Bob', 40, 'France'), (3, 'C', 9, 'X')",
      ],
      ['concerts_002', "INSERT INTO Singer VALUES (1, 'Eve', 30, 'Spain')"],
    ];
    const two = writeTinySuite(at('two-databases'), CONCERTS, filled, [[OLD, [0, 1, 2]]]);
    const options = { ...FILES, suite: two, verdicts: at('two.jsonl'), report: at('two.html'), explain: '1' };
    const text = await run(options);
    const { suite: entry } = JSON.parse(readFileSync(at('two.jsonl'), 'utf8').split('\n')[1]!) as PairVerdicts;
    expect([entry?.differsOn, entry?.counterexample?.database]).toEqual(['concerts_001', 'concerts_002']);
    const explained = text.slice(text.indexOf('gold:1, concerts'));
    expect(explained).toContain('few rows of concerts_002');
    expect(explained).not.toContain('concerts_001');
    expect(readFileSync(at('two.html'), 'utf8')).not.toContain('concerts_001');
  });

  it('writes counterexamples into verdicts and page', async () => {
    await run({ ...ALL, verdicts: at('verdicts.jsonl'), report: at('report.html') });
    const lines = readFileSync(at('verdicts.jsonl'), 'utf8').trim().split('\n');
    const wrong = JSON.parse(lines[1]!) as PairVerdicts;
    expect(wrong.suite).toMatchObject({ outcome: 'wrong', differsOn: 'concerts_001' });
    expect(wrong.suite?.counterexample?.tables[0]?.rows).toEqual([[1, 'Ann', 30, 'France']]);
    const page = readFileSync(at('report.html'), 'utf8');
    expect(page).toContain('Wrong pairs');
    // Those that any metric finds wrong.
    const isWrong = (line: string): boolean => /"outcome":"(?!correct)/.test(line);
    expect(page).toContain(`>${lines.filter(isWrong).length} pairs</output`);
  });

  it('names what is missing, or is no suite', async () => {
    expect(await refusalOf({ ...FILES, metrics: 'suite' })).toContain('option --suite is missing');
    expect(await refusalOf({ ...FILES, suite: at('database') })).toContain(at('database'));
    const other = writeTinySuite(at('other'), { ...CONCERTS, id: 'others' }, FILLED, []);
    expect(await refusalOf({ ...FILES, suite: other })).toMatch(/has no schema concerts\n {2}fix: /);
    const changed = writeTinySuite(at('changed'), { ...CONCERTS, foreignKeys: [] }, FILLED, []);
    expect(await refusalOf({ ...FILES, suite: changed })).toMatch(/concerts\.json.*other tables.*\n {2}fix: /);
  });

  it('refuses options that would change nothing, and files that it reads', async () => {
    expect(await refusalOf({ ...FILES, suite, metrics: 'exact' })).toContain(
      '--suite is of no use to the metrics exact',
    );
    expect(await refusalOf({ ...FILES, databases: at('nowhere'), metrics: 'exact' })).toMatch(
      /option --databases: .*nowhere is not there/,
    );
    expect(await refusalOf({ ...FILES, explain: '1' })).toContain('--explain is of no use to the metrics exact');
    expect(await refusalOf({ ...FILES, dropDistinct: true })).toContain(
      '--drop-distinct is of no use to the metrics exact',
    );
    expect(await refusalOf({ ...FILES, syntheticDatabases: true, metrics: 'exact' })).toContain(
      '--synthetic-databases is of no use to the metrics exact',
    );
    expect(await refusalOf({ ...FILES, report: pred })).toContain('is read by this run');
    expect(await refusalOf({ ...FILES, report: at('x'), verdicts: at('x') })).toContain('--verdicts writes');
    expect(await refusalOf({ ...FILES, report: folder })).toContain(`option --report: ${folder} is a folder`);
    for (const option of ['report', 'verdicts']) {
      const refusal = await refusalOf({ ...FILES, [option]: at('nope/x') });
      expect(refusal).toMatch(new RegExp(`option --${option}: there is no folder .*nope\\n {2}fix: Make it first`));
    }
    expect(existsSync(at('nope'))).toBe(false);
    expect(await refusalOf({ ...FILES, suite, explain: '4' })).toContain('4 is no id of the gold');
    expect(existsSync(at('x'))).toBe(false);
  });
});
