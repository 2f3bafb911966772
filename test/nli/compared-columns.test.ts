import { describe, expect, it } from 'vitest';
import { compareColumns, keysAsEntities } from '../../src/nli/compared-columns.js';

const LIKENESS: Readonly<Record<string, number>> = { 'stadium id': 0.6, name: 0.9, year: 0.1, 'concert id': 0.8 };
const similarity = (name: string, other: string): number | null => (name === other ? 1 : (LIKENESS[other] ?? null));
const column = (name: string) => ({ name, type: 'text' as const });
const columns = ['year', 'stadium id', 'edispl', 'name'].map(column);

describe('compareColumns', () => {
  const { others, rivals } = compareColumns('concert identifier', 'concert id', columns, similarity);

  it('compares an addition with columns of like words, the likeliest first', () => {
    expect(others.map(({ name }) => name)).toEqual(['name', 'stadium id']);
  });

  it('takes none for a rival that differs by its number', () => {
    const players = ['home player 1', 'home player 2', 'home player'].map(column);
    const { rivals } = compareColumns('home athlete 1', 'home player 1', players, () => 0.9);
    expect(rivals.map(({ name }) => name)).toEqual(['home player 1', 'home player']);
  });

  it('compares a name of unknown words with every column, those without a vector last', () => {
    const unknown = (name: string, other: string): number | null => (name === other ? null : similarity(name, other));
    const all = compareColumns('concert identifier', 'concert id', columns, unknown).others;
    expect(all.map(({ name }) => name)).toEqual(['name', 'stadium id', 'year', 'edispl']);
  });

  it('compares with the nearest columns alone where a table is wide, and with all up to 40', () => {
    // The target is one more.
    const comparedOf = (others: number) => {
      const names = Array.from({ length: others }, (_, i) => `name ${String.fromCodePoint(0x4e00 + i)}`);
      const likeness = (_: string, other: string): number =>
        other === 'target' ? 0.5 : 1 - names.indexOf(other) / 1000;
      const { others: compared, rivals: meant } = compareColumns(
        'new',
        'target',
        names.map(column).reverse(),
        likeness,
      );
      const isNearest = compared.every(({ name }, i) => name === names[i]);
      return [compared.length, meant.length, isNearest];
    };
    expect(comparedOf(39)).toEqual([39, 39, true]);
    expect(comparedOf(299)).toEqual([16, 16, true]);
  });

  it('takes for rivals those alone that are as near as the target', () => {
    expect(rivals.map(({ name }) => name)).toEqual(['name']);
  });
});

describe('keysAsEntities', () => {
  it('reads the keys of other entities as those, but not the key of the table itself', () => {
    const keys = ['concert id', 'stadium id', 'country code', 'card kingdom foil id', 'id', 'year'].map(column);
    expect(keysAsEntities(keys, 'concerts')).toEqual([
      { name: 'stadium id', readAs: 'stadium', type: 'text' },
      { name: 'country code', readAs: 'country', type: 'text' },
    ]);
  });
});
