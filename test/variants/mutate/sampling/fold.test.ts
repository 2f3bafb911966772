import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/errors.js';
import { idsInFold, parseFold } from '../../../../src/variants/mutate/sampling/fold.js';

const examplesOf = (groups: readonly number[]): { readonly id: string; readonly group: string }[] =>
  groups.map((group, i) => ({ id: `train:${i}`, group: `g${group}` }));

describe('idsInFold', () => {
  it('puts every example in exactly one fold, groups together, and folds of about one size', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40)), fc.integer({ min: 2, max: 10 }), fc.nat(), (groups, of, seed) => {
        const examples = examplesOf(groups);
        const folds = Array.from({ length: of }, (_, i) => idsInFold(examples, { index: i + 1, of, seed }));
        const groupOf = new Map(examples.map(({ id, group }) => [id, group]));
        expect(folds.flatMap((fold) => [...fold]).sort()).toEqual(examples.map(({ id }) => id).sort());
        const groupsIn = folds.map((fold) => new Set([...fold].map((id) => groupOf.get(id))));
        const sizes = groupsIn.map(({ size }) => size);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(new Set(groupOf.values()).size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('differs by seed', () => {
    const examples = examplesOf(Array.from({ length: 40 }, (_, i) => i));
    const [first, second] = [0, 1].map((seed) => [...idsInFold(examples, { index: 1, of: 10, seed })]);
    expect(first).toHaveLength(4);
    expect(first).not.toEqual(second);
  });
});

describe('parseFold', () => {
  it('reads the first of ten', () => {
    expect(parseFold('1/10', 3)).toEqual({ index: 1, of: 10, seed: 3 });
  });

  it.each(['0/10', '11/10', '1/1', '1', 'a/b', '1/10/2', ''])('refuses %j', (text) => {
    expect(() => parseFold(text, 0)).toThrow(ConfigError);
  });
});
