import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_CONSTRAINTS } from '../../../src/rows/constraints/mine-constraints.js';
import { DatabaseMaker } from '../../../src/testsuite/distill/database-maker.js';
import type { DatabaseOrigin } from '../../../src/testsuite/suite/suite-manifest.js';
import { readGoldCases, type GoldCase, type PlacedNeighbor } from '../../../src/testsuite/distill/gold-cases.js';
import { NeighborTally } from '../../../src/testsuite/distill/neighbor-tally.js';
import type { TrialDatabase } from '../../../src/testsuite/distill/trial-database.js';
import type { TableRows } from '../../../src/rows/fuzz/fuzzer.js';
import { GOLDS, Library } from './library.js';

/** Two of the three names born after 1900, and one page count of four within the bounds. */
const ROWS: TableRows = new Map([
  ['author', [1, 2, 3].map((id) => [id, `name ${id}`, id === 1 ? 'Sweden' : 'UK', id === 2 ? 1815 : 1950])],
  ['book', [90, 120, 250, 310].map((pages, id) => [id, 1, `title ${id}`, pages, 8])],
]);

let library: Library;
let golds: readonly [GoldCase, GoldCase];
let maker: DatabaseMaker;
let trial: TrialDatabase;

beforeAll(() => {
  library = new Library();
  const task = library.task([GOLDS.filter, GOLDS.between]);
  golds = readGoldCases(task, NO_CONSTRAINTS).cases as [GoldCase, GoldCase];
  maker = new DatabaseMaker(task, golds);
  trial = maker.load(ROWS)!;
});

afterAll(() => {
  maker.close();
  library.remove();
});

/** The first neighbor of a gold that the database distinguishes, or doesn't. */
function neighborOf(gold: GoldCase, isTold: boolean): PlacedNeighbor {
  const result = trial.resultOf(gold)!;
  return gold.open.find(({ sql }) => (trial.judge(gold, result, sql) === 'told') === isTold)!;
}

function targetedAt({ position }: GoldCase, { place }: PlacedNeighbor): DatabaseOrigin {
  return { kind: 'aimed', gold: position, neighbor: place, seed: 1 };
}

describe('a tally of neighbors', () => {
  it('takes from a random database what it tells of every gold', () => {
    const tally = new NeighborTally(golds, 2);
    expect(tally.take(trial, maker.randomOrigin(1))).toBe(true);
    for (const gold of golds) {
      expect(tally.isLeft(gold, neighborOf(gold, true))).toBe(false);
      expect(tally.isLeft(gold, neighborOf(gold, false))).toBe(true);
    }
  });

  it('takes from a database that distinguishes the neighbor it is targeted at all that it says of every gold', () => {
    const tally = new NeighborTally(golds, 2);
    expect(tally.take(trial, targetedAt(golds[0], neighborOf(golds[0], true)))).toBe(true);
    expect(tally.isLeft(golds[1], neighborOf(golds[1], true))).toBe(false);
  });

  it('takes nothing from a database that misses what it is targeted at', () => {
    const tally = new NeighborTally(golds, 2);
    tally.take(trial, maker.randomOrigin(1));
    const before = golds.map((gold) => tally.wanted(gold));
    expect(tally.take(trial, targetedAt(golds[0], neighborOf(golds[0], false)))).toBe(false);
    expect(golds.map((gold) => tally.wanted(gold))).toEqual(before);
  });

  it('counts a database once for the neighbor that it is targeted at', () => {
    const tally = new NeighborTally(golds, 2);
    const target = neighborOf(golds[0], true);
    expect(tally.take(trial, targetedAt(golds[0], target))).toBe(true);
    expect(tally.wanted(golds[0])).toContain(target);
  });

  it('wants a neighbor until so many databases distinguish it', () => {
    const tally = new NeighborTally(golds, 2);
    const told = neighborOf(golds[0], true);
    tally.take(trial, maker.randomOrigin(1));
    expect(tally.wanted(golds[0])).toContain(told);
    tally.take(trial, maker.randomOrigin(2));
    expect(tally.wanted(golds[0])).not.toContain(told);
    expect(tally.wanted(golds[0])).toContain(neighborOf(golds[0], false));
  });
});
