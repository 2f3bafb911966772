import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_CONSTRAINTS } from '../../../src/rows/constraints/mine-constraints.js';
import { DatabaseMaker } from '../../../src/testsuite/distill/database-maker.js';
import { type GoldCase, readGoldCases } from '../../../src/testsuite/distill/gold-cases.js';
import { type JudgedDatabase, judgeAll } from '../../../src/testsuite/distill/judged-database.js';
import { reduceDatabase } from '../../../src/testsuite/distill/reduce-database.js';
import type { TableRows } from '../../../src/rows/fuzz/fuzzer.js';
import { GOLDS, Library } from './library.js';

const MANY = 60_000;

let library: Library;
let gold: GoldCase;
let maker: DatabaseMaker;

beforeAll(() => {
  library = new Library();
  const task = library.task([GOLDS.filter]);
  [gold] = readGoldCases(task, NO_CONSTRAINTS).cases as [GoldCase];
  maker = new DatabaseMaker(task, [gold]);
});

afterAll(() => {
  maker.close();
  library.remove();
});

function judged(rows: TableRows): JudgedDatabase {
  return { origin: maker.randomOrigin(0), rows, ...judgeAll(maker.load(rows)!, [gold], () => false) };
}

/** A random database, and what is left of it where the neighbors that it distinguishes are told so many times. */
function reduced(repeats: number): { readonly whole: JudgedDatabase; readonly left: JudgedDatabase } {
  const whole = judged(maker.rowsOf(maker.randomOrigin(0))!);
  const [judgment] = whole.golds;
  const neighbors = Array.from({ length: repeats }, () => [...judgment!.told].map((one) => ({ ...one }))).flat();
  const golds = [{ ...judgment!, told: new Set(neighbors) }];
  return { whole, left: judged(reduceDatabase(maker, [{ ...gold, neighbors }], { ...whole, golds }, 1000)) };
}

it('takes rows away until each is needed for what was told', () => {
  const { whole, left } = reduced(1);
  expect(left.size).toBeLessThan(whole.size / 4);
  expect(left.golds[0]!.told).toEqual(whole.golds[0]!.told);
});

it('ends after so many runs of neighbors, with fewer rows that tell all that was told', () => {
  const told = reduced(1).whole.golds[0]!.told.size;
  const { whole, left } = reduced(Math.ceil(MANY / told));
  expect(left.size).toBeLessThan(whole.size);
  expect(left.size).toBeGreaterThan(reduced(1).left.size);
  expect(left.golds[0]!.told).toEqual(whole.golds[0]!.told);
});
