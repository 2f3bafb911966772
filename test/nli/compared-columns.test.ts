import { describe, expect, it } from 'vitest';
import { compareColumns } from '../../src/nli/compared-columns.js';

const LIKENESS: Readonly<Record<string, number>> = { 'stadium id': 0.6, name: 0.9, year: 0.1, 'concert id': 0.8 };
const similarity = (_: string, other: string): number | null => LIKENESS[other] ?? null;
const columns = ['year', 'stadium id', 'edispl', 'name'].map((name) => ({ name, type: 'text' as const }));

describe('compareColumns', () => {
  const { others, rivals } = compareColumns('concert identifier', 'concert id', columns, similarity);

  it('puts the likeliest column first and those without a vector last', () => {
    expect(others.map(({ name }) => name)).toEqual(['name', 'stadium id', 'year', 'edispl']);
  });

  it('takes for rivals those alone that are as near as the target', () => {
    expect(rivals.map(({ name }) => name)).toEqual(['name']);
  });
});
