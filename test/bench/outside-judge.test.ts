import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FigureTable } from '../../bench/bench-figures.js';
import { compareOutside } from '../../bench/suite/outside-judge.js';
import { renderSpiderTables } from '../../src/formats/spider-tables.js';
import { CONCERTS } from '../evaluate/concert-database.js';
import { type Filled, writeTinySuite } from '../evaluate/suite/tiny-suite.js';

const HAS_PYTHON = spawnSync('python3', ['-c', 'import sqlite3']).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'bench-outside-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const GOLD = "SELECT DISTINCT Name, Age FROM Singer WHERE Country <> 'Peru' ORDER BY Age";
const PREDICTIONS: Readonly<Record<string, string>> = {
  turned: 'SELECT Age, Name FROM Singer WHERE Country ! = "value" ORDER BY Age ASC',
  unordered: "SELECT Name, Age FROM Singer WHERE Country <> 'Peru' ORDER BY Name",
  narrow: "SELECT Name FROM Singer WHERE Country <> 'Peru' ORDER BY Age",
  broken: 'SELECT Nme FROM Singer',
};
const ORIGINAL: Filled = ['concerts', "INSERT INTO Singer VALUES (1, 'Bo', 20, 'France'), (2, 'Ann', 30, 'Peru')"];
const MADE: Filled = ['concerts_001', "INSERT INTO Singer VALUES (1, 'Bo', 20, 'France'), (2, 'Ann', 30, 'France')"];

describe('bench:suite --outside', () => {
  it('has Python judge the unpacked suite by the published rule, and counts where the two differ', async (context) => {
    context.skip(!HAS_PYTHON, 'python3 is not there');
    const suite = writeTinySuite(at('suite'), CONCERTS, [ORIGINAL, MADE], [[GOLD, [0, 1]]]);
    writeFileSync(at('gold.sql'), `${GOLD}\tconcerts\n`);
    writeFileSync(at('tables.json'), JSON.stringify([renderSpiderTables(CONCERTS)]));
    const predictions = Object.entries(PREDICTIONS).map(([name, sql]) => {
      writeFileSync(at(`${name}.txt`), `${sql}\n`);
      return at(`${name}.txt`);
    });
    const tables: FigureTable[] = [];
    const holds = await compareOutside(
      process.cwd(),
      { tables: at('tables.json'), gold: at('gold.sql'), predictions, suite },
      { print: () => undefined, tell: () => undefined, record: (table) => void tables.push(table) },
    );
    expect(holds).toBe(true);
    const correct = Object.entries(tables[0]?.rows ?? {}).map(([name, row]) => [name, row['correct']]);
    expect(Object.fromEntries(correct)).toEqual({ turned: 1, unordered: 0, narrow: 0, broken: 0, all: 1 });
  });
});
