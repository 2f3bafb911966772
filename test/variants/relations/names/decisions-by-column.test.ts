import { describe, expect, it } from 'vitest';
import {
  CandidatePool,
  decidedColumns,
  decidedTables,
  DecisionsByColumn,
} from '../../../../src/variants/relations/names/candidate-pool.js';
import type { Database } from '../../../../src/schema/schema.js';
import { acceptedDecision } from '../../../e2e/example-data.js';

/** Two tables of one natural name; the first has two columns of one. */
const TOWN: Database = {
  id: 'town',
  tables: [
    {
      name: 'singer',
      originalName: 'Singer',
      columns: [
        { name: 'home town', originalName: 'Home_Town', type: 'text' },
        { name: 'home town', originalName: 'HomeTown', type: 'text' },
      ],
    },
    {
      name: 'singer',
      originalName: 'tbl_singer',
      columns: [{ name: 'home town', originalName: 'Home_Town', type: 'text' }],
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
};

const NATURAL = { db_id: 'town', table: 'singer', column: 'home town' };
const column = (table: number, at: number): { table: number; column: number } => ({ table, column: at });

describe('a record is about', () => {
  it.each([
    ['Singer', 'Home_Town', column(0, 0)],
    ['Singer', 'HomeTown', column(0, 1)],
    ['tbl_singer', 'Home_Town', column(1, 0)],
  ])('the column that the schema writes %s.%s', (table_original, column_original, ref) => {
    expect(decidedColumns(TOWN, { ...NATURAL, table_original, column_original })).toEqual([ref]);
  });

  it('every column of its natural names where it has no original ones, as those of earlier versions', () => {
    const all = [column(0, 0), column(0, 1), column(1, 0)];
    expect(decidedColumns(TOWN, { ...NATURAL, column: 'Home_Town' })).toEqual(all);
    expect(decidedTables(TOWN, NATURAL)).toEqual([0, 1]);
  });

  it('a column by its natural name where the original one is of the table alone, or of another schema', () => {
    expect(decidedColumns(TOWN, { ...NATURAL, table_original: 'tbl_singer' })).toEqual([column(1, 0)]);
    const elsewhere = { ...NATURAL, table_original: 'tbl_singer', column_original: 'home_town_1' };
    expect(decidedColumns(TOWN, elsewhere)).toEqual([column(1, 0)]);
  });

  it('nothing where no name fits', () => {
    expect(decidedColumns(TOWN, { ...NATURAL, column: 'hometown' })).toEqual([]);
    expect(decidedColumns(TOWN, { ...NATURAL, table: 'singers' })).toEqual([]);
  });
});

it('decisions and candidates land on their own column each, in their order', () => {
  const of = (
    table_original: string,
    column_original: string,
    candidate: string,
  ): ReturnType<typeof acceptedDecision> =>
    acceptedDecision({ ...NATURAL, table_original, column_original, candidate });
  const old = acceptedDecision({ ...NATURAL, candidate: 'home place' });
  const decisions = [
    of('Singer', 'Home_Town', 'birthplace'),
    of('Singer', 'HomeTown', 'residence'),
    old,
    of('tbl_singer', 'Home_Town', 'native town'),
    of('Singer', 'HomeTown', 'home city'),
    acceptedDecision({ ...NATURAL, db_id: 'elsewhere', candidate: 'village' }),
  ];
  const [byColumn, pool] = [new DecisionsByColumn(decisions), new CandidatePool(decisions)];
  const expected = [
    [column(0, 0), ['birthplace', 'home place']],
    [column(0, 1), ['residence', 'home place', 'home city']],
    [column(1, 0), ['home place', 'native town']],
  ] as const;
  for (const [ref, names] of expected) {
    expect(byColumn.of(TOWN, ref).map(({ candidate }) => candidate)).toEqual(names);
    expect(pool.of(TOWN, ref, 'RPL').map(({ candidate }) => candidate)).toEqual(names);
    expect(pool.of(TOWN, ref, 'ADD')).toEqual([]);
  }
});
