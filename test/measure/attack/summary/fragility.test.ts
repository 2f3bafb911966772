import { expect, it } from 'vitest';
import { countFragility } from '../../../../src/measure/attack/summary/breakdowns.js';
import type { ScoredExample } from '../../../../src/measure/attack/summary/scored-example.js';
import type { Database } from '../../../../src/schema/schema.js';

/** Two columns that read the same, as `Name` and `name ` of a sheet do. */
const DATABASE: Database = {
  id: 'sheet',
  tables: [
    {
      name: 'singer',
      originalName: 'Singer',
      columns: [
        { name: 'home town', originalName: 'home_town', type: 'text' },
        { name: 'home town', originalName: 'HomeTown', type: 'text' },
      ],
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
};

function example(column: number, outcome: 'correct' | 'wrong'): ScoredExample {
  const judged = (said: string) => ({ exact: { outcome: said }, execution: null, answer: {} });
  const change = { kind: 'RPL', ref: { table: 0, column }, decision: { candidate: 'birthplace' } };
  return {
    group: { database: DATABASE },
    original: judged('correct'),
    variants: [{ kind: 'RPL', tables: { changes: [change] }, after: judged(outcome) }],
  } as unknown as ScoredExample;
}

it('counts columns of one natural name apart, by their names in SQL', () => {
  const { columns, candidates } = countFragility([example(0, 'wrong'), example(1, 'correct'), example(1, 'wrong')]);
  const row = { kind: 'RPL', dbId: 'sheet', table: 'singer', tableOriginal: 'Singer', column: 'home town' };
  expect(columns).toEqual([
    { ...row, columnOriginal: 'home_town', candidate: null, cases: 1, broken: 1 },
    { ...row, columnOriginal: 'HomeTown', candidate: null, cases: 2, broken: 1 },
  ]);
  expect(candidates.map(({ columnOriginal, candidate }) => [columnOriginal, candidate])).toEqual([
    ['home_town', 'birthplace'],
    ['HomeTown', 'birthplace'],
  ]);
});
