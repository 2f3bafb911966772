import { describe, expect, it } from 'vitest';
import { type JudgedMutant, type PartOutcome } from '../../bench/error-reduction/parser-arms.js';
import { accuracyTable, ratesTable } from '../../bench/error-reduction/reduction-figures.js';

/** So many mutants of a relation, the first of them inconsistent. */
const mutants = (relation: string, count: number, inconsistent: number): JudgedMutant[] =>
  Array.from({ length: count }, (_, i) => ({ relation, database: `db${i % 4}`, isConsistent: i >= inconsistent }));

const outcome = (pi: number, ts: number, right: boolean): PartOutcome => ({
  mutants: [...mutants('PI', 20, pi), ...mutants('TS', 80, ts)],
  seeds: [
    { hardness: 'easy', isRight: true },
    { hardness: 'hard', isRight: true },
    { hardness: 'extra', isRight: right },
  ],
});
const FOUND = new Map([
  ['original', outcome(8, 8, false)],
  ['adaptive', outcome(4, 4, true)],
] as const);

const TITLE = { id: 'rates', title: 'Rates', model: 'parser', setting: '' };

describe('the tables of bench:error-reduction', () => {
  it('have the rates by relation, of all, and their change', () => {
    const { rows, columns } = ratesTable(FOUND, TITLE);
    expect(rows['original']).toMatchObject({ PI: 40, TS: 10, All: 16, change: null, byDatabase: '' });
    expect(rows['adaptive']).toMatchObject({ PI: 20, TS: 5, All: 8, change: -50 });
    expect(rows['adaptive']!['byDatabase']).toBe('fewer than 5 databases: no interval');
    expect(Object.keys(columns)).toEqual(['model', 'PI', 'TS', 'All', 'change', 'byDatabase']);
  });

  it('have the accuracy by hardness, and the change of hard and extra questions', () => {
    const { rows } = accuracyTable(FOUND, '');
    expect(rows['original']).toMatchObject({ easy: 100, medium: null, hard: 100, extra: 0, hardAndExtra: 50 });
    expect(rows['adaptive']).toMatchObject({ all: 100, hardAndExtra: 100, change: 100 });
  });

  it('have the changes that the paper prints for its models', () => {
    const rates = ratesTable(FOUND, TITLE).rows;
    const printed = { RS: -37.5, SS: -43.8, AS: -50 };
    for (const [name, change] of Object.entries(printed))
      expect(rates[`SyntaxSQLNet+${name}`]!['change']).toBeCloseTo(change, 0);
    const accuracy = accuracyTable(FOUND, '').rows;
    const shares = { 'SyntaxSQLNet+RS': 19, 'SyntaxSQLNet+AS': 9, 'IRNet+RS': 5, 'IRNet+SS': 9, 'IRNet+AS': -1 };
    for (const [model, change] of Object.entries(shares))
      expect(Math.round(Number(accuracy[model]!['change']))).toBe(change);
  });
});
