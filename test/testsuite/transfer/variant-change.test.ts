import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../src/errors.js';
import type { Database } from '../../../src/schema/schema.js';
import { planSuiteChange, type RunVariant, variantRewriter } from '../../../src/testsuite/transfer/transfer-run.js';
import { GARDEN } from '../../variants/relations/names/garden-schema.js';

const sources = { of: () => ['Portugal'] };

/** The garden with other columns in its first table. */
function variantOf(kind: 'RPL' | 'ADD', names: readonly string[], changes: RunVariant['changes'] = []): RunVariant {
  const columns = names.map((name) => ({ name: name.replaceAll('_', ' '), originalName: name, type: 'text' as const }));
  const tables = GARDEN.tables.map((table, t) => (t === 0 ? { ...table, columns } : table));
  const schema: Database = { ...GARDEN, id: 'garden__x_1', tables };
  return { schema, original: GARDEN, kind, changes, golds: [] };
}

const added = variantOf(
  'ADD',
  ['gardener_id', 'birth_land', 'home_country', 'birth_year'],
  [
    {
      table: 'gardener',
      column: 'home_country',
      candidate: 'birth land',
      identifier: 'birth_land',
      source: 'retrieval',
      reason: 'entailment',
      origin: null,
      e1: null,
      e2: null,
    },
  ],
);
const renamed = variantOf('RPL', ['gardener_id', 'nation', 'birth_year']);

describe('planSuiteChange', () => {
  it('tells renamed columns by their places', () => {
    const renames = [{ table: 'gardener', from: 'home_country', to: 'nation' }];
    expect(planSuiteChange(renamed, sources, 7)).toEqual({ renames, additions: [], seed: 7 });
  });

  it('tells added columns by their names, with what their values are made by', () => {
    const { additions, renames } = planSuiteChange(added, sources, 7);
    expect(renames).toEqual([]);
    expect(additions).toEqual([
      {
        table: 'gardener',
        name: 'birth_land',
        words: 'birth land',
        type: 'text',
        before: 'home_country',
        target: 'home_country',
        sourceValues: ['Portugal'],
      },
    ]);
  });

  it.each([
    { what: 'lacks a column', variant: variantOf('ADD', ['gardener_id', 'birth_year']) },
    {
      what: 'has its columns in another order',
      variant: variantOf('ADD', ['home_country', 'gardener_id', 'birth_year']),
    },
    { what: 'has a column more than was renamed', variant: variantOf('RPL', ['gardener_id', 'a', 'b', 'c']) },
  ])('refuses a schema that $what', ({ variant }) => {
    expect(() => planSuiteChange(variant, sources, 0)).toThrow(InputFormatError);
  });
});

describe('variantRewriter', () => {
  it('renames as the run did, and spells out a star that an added column would widen', () => {
    expect(variantRewriter(renamed, false)("SELECT count(*) FROM gardener WHERE home_country = 'Chile'")).toBe(
      "SELECT count(*) FROM gardener WHERE nation = 'Chile'",
    );
    expect(variantRewriter(added, false)('SELECT * FROM gardener')).toBe(
      'SELECT gardener_id, home_country, birth_year FROM gardener',
    );
    expect(variantRewriter(added, true)('SELECT * FROM gardener')).toBe('SELECT * FROM gardener');
  });
});
