import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { FigureTable } from '../../bench/bench-figures.js';
import { runSuiteBench } from '../../bench/suite/run-suite-bench.js';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import { renderSpiderTables } from '../../src/formats/spider-tables.js';
import { rejectionOf } from '../error-of.js';
import { CONCERTS } from '../evaluate/concert-database.js';
import { type Filled, TABLES, writeTinySuite } from '../evaluate/suite/tiny-suite.js';

const folder = mkdtempSync(join(tmpdir(), 'bench-paper-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const OLD = 'SELECT Name FROM Singer WHERE Age > 30';
const CLOSE = 'SELECT Name FROM Singer WHERE Age >= 30';
const ORIGINAL: Filled = ['concerts', "INSERT INTO Singer VALUES (1, 'Ann', 20, 'France')"];
const AT_30: Filled = ['concerts_001', "INSERT INTO Singer VALUES (1, 'Ann', 30, 'France')"];
const suite = writeTinySuite(at('suite'), CONCERTS, [ORIGINAL, AT_30], [[OLD, [0, 1]]]);
const before = writeTinySuite(at('before'), CONCERTS, [ORIGINAL], [[OLD, [0]]]);

writeFileSync(at('gold.sql'), `${OLD}\tconcerts\n`);
writeFileSync(at('tables.json'), JSON.stringify([renderSpiderTables(CONCERTS)]));
mkdirSync(at('predictions'));
for (const [name, sql] of Object.entries({ first: OLD, second: CLOSE, third: 'SELECT 1' })) {
  writeFileSync(at(`predictions/${name}.txt`), `${sql}\n`);
}
mkdirSync(at('database/concerts'), { recursive: true });
const original = new Sqlite(at('database/concerts/concerts.sqlite'));
original.exec(TABLES + ORIGINAL[1]);
original.close();

const FILES = [
  ...['--gold', at('gold.sql'), '--tables', at('tables.json'), '--databases', at('database')],
  ...['--predictions', at('predictions')],
];

async function run(...args: readonly string[]): Promise<{ readonly text: string; readonly tables: FigureTable[] }> {
  const lines: string[] = [];
  const tables: FigureTable[] = [];
  const print = (line: string): void => void lines.push(line);
  const record = (table: FigureTable): void => void tables.push(table);
  await runSuiteBench(['--paper-tables', ...FILES, ...args], process.cwd(), { print, tell: () => undefined, record });
  return { text: lines.join('\n'), tables };
}

describe('bench:suite --paper-tables', () => {
  it('records errors, correlations and models against both suites, next to the paper', async () => {
    const { text, tables } = await run('--suite', suite, '--compare-suite', before);
    expect(text).toContain('Kendall τ with the suite, percent');
    const [errors, correlations, models] = tables;
    expect(tables.map(({ id }) => id)).toEqual(['paper-errors', 'paper-correlations', 'paper-models']);
    expect(errors?.rows['execution-falsePositives-all']).toMatchObject({ beforeMax: 0, paperMean: 6.5, nowMax: 100 });
    expect(errors?.rows['exact-spider-falseNegatives-easy']).toMatchObject({ paperMean: null });
    expect(correlations?.rows['exact-all']).toMatchObject({ now: 100, paper: 91 });
    expect(models?.rows['second']).toMatchObject({ execution: 100, suite: 0, before: 100, onlyNow: 0, onlyBefore: 1 });
  });

  it('leaves the columns of the second suite empty where none is named', async () => {
    const [errors] = (await run('--suite', suite)).tables;
    expect(errors?.rows['execution-falsePositives-all']).toMatchObject({ nowMax: 100, beforeMax: null });
  });

  it('refuses a run without a suite, and a folder without predictions', async () => {
    await rejectionOf(ConfigError, () => run());
    await rejectionOf(InputFormatError, () => run('--suite', suite, '--predictions', at('database')));
  });
});
