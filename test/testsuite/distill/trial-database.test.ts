import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { sameResult } from '../../../src/sql/execution/result-mode.js';
import type { GoldCase } from '../../../src/testsuite/distill/gold-cases.js';
import { type NeighborVerdict, TrialDatabase } from '../../../src/testsuite/distill/trial-database.js';

const goldOf = (sql: string, more: Partial<GoldCase> = {}): GoldCase => ({
  position: 0,
  sql,
  mode: 'bag',
  neighbors: [],
  open: [],
  tieBreaks: [],
  isOrderSensitive: false,
  partial: null,
  underData: new Map(),
  reads: new Set(['sale']),
  ...more,
});

let trial: TrialDatabase;
const open = (...amounts: readonly (number | bigint)[]): TrialDatabase => {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec('CREATE TABLE sale (amount)');
  const insert = sqlite.prepare('INSERT INTO sale VALUES (?)');
  for (const amount of amounts) insert.run(amount);
  return (trial = new TrialDatabase(sqlite));
};
afterEach(() => trial.close());

/** What is said of a neighbor that gives the second number where the gold gives the first. */
function judged(gold: number | bigint, neighbor: number | bigint, mode: GoldCase['mode']): NeighborVerdict {
  const one = goldOf('SELECT amount FROM sale WHERE rowid = 1', { mode });
  const database = open(gold, neighbor);
  return database.judge(one, database.resultOf(one)!, 'SELECT amount FROM sale WHERE rowid = 2');
}

describe('TrialDatabase', () => {
  it.each([
    [12345678901.25, 12345678901.75, 'same'],
    [12345678901.25, 12345678903.25, 'told'],
    [12345678901n, 12345678901.75, 'same'],
    [12345678901n, 12345678902n, 'told'],
    [12345678901.25, 12345678902n, 'same'],
    [1e20, 1.00000000000001e20, 'same'],
    [1234567.25, 1234567.75, 'told'],
    [0.1 + 0.2, 0.3, 'same'],
  ] as const)('tells %s from %s as execution metrics do: %s', (gold, neighbor, verdict) => {
    const rows = (value: number | bigint) => ({ kind: 'rows', columns: ['amount'], rows: [[value]] }) as const;
    const match = sameResult(rows(gold), rows(neighbor), { mode: 'bag', tolerance: null }, false);
    expect(match === 'equal' ? 'same' : 'told').toBe(verdict);
    for (const mode of ['bag', 'ordered'] as const) {
      expect(judged(gold, neighbor, mode)).toBe(verdict);
      trial.close();
    }
  });

  it('takes a result for determinate where ties and orders of rows change nothing that counts', () => {
    const first = goldOf('SELECT amount FROM sale LIMIT 1', { isOrderSensitive: true });
    const settled = goldOf('SELECT min(amount) FROM sale', { tieBreaks: ['SELECT max(amount) FROM sale'] });
    for (const [other, isDeterminate] of [
      [12345678901.75, true],
      [12345678909.75, false],
    ] as const) {
      const database = open(12345678901.25, other);
      for (const gold of [first, settled]) {
        expect(database.isDeterminate(gold, database.resultOf(gold)!, 'full')).toBe(isDeterminate);
      }
      database.close();
    }
  });
});
