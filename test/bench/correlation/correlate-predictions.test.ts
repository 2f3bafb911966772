import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, InputFormatError } from '../../../src/errors.js';
import { correlatePredictions } from '../../../bench/correlation/correlate-predictions.js';
import { renderCorrelationLines } from '../../../bench/correlation/report/correlation-lines.js';
import { renderCorrelationPage } from '../../../bench/correlation/report/correlation-page.js';
import { evaluate } from '../../../src/evaluate/evaluate.js';
import { renderSpiderTables } from '../../../src/formats/spider-tables.js';
import { CONCERTS } from '../../evaluate/concert-database.js';
import { rejectionOf } from '../../error-of.js';
import { type Filled, TABLES, writeTinySuite } from '../../evaluate/suite/tiny-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-correlate-predictions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

function write(name: string, lines: readonly string[]): string {
  writeFileSync(at(name), lines.map((line) => `${line}\n`).join(''));
  return at(name);
}

const OLD = 'SELECT Name FROM Singer WHERE Age > 30';
const CLOSE = 'SELECT Name FROM Singer WHERE Age >= 30';
const FRENCH = "SELECT count(*) FROM Singer WHERE Country = 'France'";
const COUNTED = "SELECT count(Singer_Id) FROM Singer WHERE Country = 'France'";
const ORIGINAL: Filled = ['concerts', "INSERT INTO Singer VALUES (1, 'Ann', 20, 'France'), (2, 'Bob', 40, 'Spain')"];
const AT_30: Filled = ['concerts_001', "INSERT INTO Singer VALUES (1, 'Ann', 30, 'France'), (2, 'Bob', 40, 'France')"];
const AT_31: Filled = ['concerts_001', "INSERT INTO Singer VALUES (1, 'Ann', 31, 'France'), (2, 'Bob', 40, 'France')"];

const gold = write(
  'gold.sql',
  [OLD, FRENCH, FRENCH].map((sql) => `${sql}\tconcerts`),
);
const same = write('same.sql', [OLD, FRENCH, COUNTED]);
const close = write('close.txt', [CLOSE, FRENCH, COUNTED]);
const bad = write('bad.sql', [CLOSE, 'SELECT Name FROM Singer', '']);
const tables = at('tables.json');
writeFileSync(tables, JSON.stringify([renderSpiderTables(CONCERTS)]));
const golds = [
  [OLD, [0, 1]],
  [FRENCH, [0, 1]],
] as const;
const suite = writeTinySuite(at('suite'), CONCERTS, [ORIGINAL, AT_30], golds);
const loose = writeTinySuite(at('loose'), CONCERTS, [ORIGINAL, AT_31], golds);
mkdirSync(at('database/concerts'), { recursive: true });
const original = new Sqlite(at('database/concerts/concerts.sqlite'));
original.exec(TABLES + ORIGINAL[1]);
original.close();

const FILES = { gold, tables, databases: at('database'), suite, jobs: 1 };
const predictions = [same, close, bad];
const report = await correlatePredictions({ ...FILES, predictions, compareSuite: loose });

describe('correlatePredictions', () => {
  it('judges each model as evaluate does, and by Spider’s script', async () => {
    expect(report.models.map(({ name }) => name)).toEqual(['same', 'close', 'bad']);
    for (const [i, file] of predictions.entries()) {
      const alone = await evaluate({ ...FILES, predictions: file });
      const spider = await evaluate({ gold, tables, predictions: file, compat: ['spider'] });
      const accuracy = {
        exact: alone.exact?.accuracy,
        'exact-spider': spider.exact?.accuracy,
        execution: alone.execution?.accuracy,
        suite: alone.suite?.accuracy,
      };
      const all = Object.entries(report.models[i]?.accuracy ?? {}).map(([metric, levels]) => [metric, levels.all]);
      expect(Object.fromEntries(all)).toEqual(accuracy);
    }
  });

  it('counts errors against the suite, and names what was judged by which mode', () => {
    expect(report.models[1]?.errors.execution?.all).toMatchObject({ falsePositives: 1, falseNegatives: 0 });
    expect(report.errors.execution?.all?.falsePositives.max).toBeCloseTo(1 / 3, 12);
    expect(report.models[0]?.errors.exact?.all).toMatchObject({ falsePositives: 0, falseNegatives: 1 });
    expect(report.evaluation).toMatchObject({
      gold,
      modes: { 'exact-spider': 'exact-spider@1', execution: 'ordered@2', suite: 'ordered@2' },
      suite: { path: suite, databases: 2 },
    });
  });

  it('tells the same against a second suite, and the pairs whose verdicts differ', () => {
    const { secondSuite } = report;
    expect(secondSuite?.suite.path).toBe(loose);
    expect(secondSuite?.models.map(({ accuracy }) => accuracy.suite?.all)).toEqual([1, 1, 1 / 3]);
    expect(secondSuite?.models[1]?.accuracy.execution).toEqual(report.models[1]?.accuracy.execution);
    expect(secondSuite?.errors.execution?.all?.falsePositives.max).toBe(0);
    expect(secondSuite?.changes).toEqual([
      { name: 'same', onlyHere: [], onlyThere: [] },
      { name: 'close', onlyHere: [], onlyThere: ['gold:0'] },
      { name: 'bad', onlyHere: [], onlyThere: ['gold:0'] },
    ]);
  });

  it('shows both suites as text and as a page, with the paper’s tables below', () => {
    const text = renderCorrelationLines(report).join('\n');
    expect(text).toMatch(/accuracy on the second suite +all +easy/);
    expect(text).toMatch(/execution +false positives .*\n +second suite .*\n +paper +6\.5 ± 1\.0, 9\.0/);
    expect(text).toMatch(/exact-spider .*\n +second suite .*\n +paper, Official +40\.0/);
    const page = renderCorrelationPage(report, '0.1.0');
    expect(page).toContain('href="#second-suite"');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('warns of gold that the suite was not distilled for, and does without databases and a second suite', async () => {
    const partly = writeTinySuite(at('partly'), CONCERTS, [ORIGINAL, AT_30], golds.slice(0, 1));
    const bare = await correlatePredictions({ ...FILES, databases: null, suite: partly, predictions: [same] });
    expect(bare.warnings).toEqual([
      `${partly} was not distilled for 2 of the gold queries: they are judged on all databases of their schemas`,
    ]);
    expect(bare.errors.execution).toBeUndefined();
    expect('secondSuite' in bare).toBe(false);
  });

  it('refuses what evaluate refuses', async () => {
    const without = await rejectionOf(ConfigError, () =>
      correlatePredictions({ ...FILES, suite: null, predictions: [same] }),
    );
    expect(without.message).toBe('option --suite is missing');
    const short = write('short.sql', [OLD]);
    await rejectionOf(InputFormatError, () => correlatePredictions({ ...FILES, predictions: [same, short] }));
  });
});
