import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepPlain } from '../../src/naturalness/wordy-turn.js';

const keep = (names: readonly string[], own: string): readonly string[] => {
  const kept = keepPlain(names, own);
  return names.filter((_, i) => kept[i]);
};

describe('keepPlain', () => {
  it('drops what only says the column in more words, where another name replaces it', () => {
    expect(keep(['name of nation', 'nation'], 'country')).toEqual(['nation']);
    expect(keep(['type code', 'code for template type'], 'template type code')).toEqual(['type code']);
    expect(keep(['years of age', 'student age'], 'age')).toEqual(['student age']);
    expect(keep(['size of product', 'size'], 'product size')).toEqual(['size']);
    expect(keep(['position of player', 'role'], 'player position')).toEqual(['role']);
    expect(keep(['system of government', 'regime'], 'government form')).toEqual(['system of government', 'regime']);
    expect(keep(['length of stay', 'stay'], 'stay length')).toEqual(['length of stay', 'stay']);
    expect(keep(['years of work', 'working years'], 'years working')).toEqual(['years of work', 'working years']);
    expect(keep(['date of birth', 'code number'], 'birth date')).toEqual(['date of birth', 'code number']);
  });

  it('keeps one of them for a column that nothing else replaces', () => {
    expect(keep(['name of district', 'code for district', 'name of borough'], 'district')).toEqual([
      'name of district',
    ]);
  });

  it('keeps them where the column itself is such a phrase', () => {
    expect(keep(['name of nation', 'nation'], 'name of country')).toEqual(['name of nation', 'nation']);
  });

  it('never leaves a column with fewer than one of its names', () => {
    const name = fc.constantFrom('name of x', 'code for x', 'x', 'y of name', 'label');
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        expect(keep(names, 'country').length).toBeGreaterThan(0);
      }),
    );
  });
});
