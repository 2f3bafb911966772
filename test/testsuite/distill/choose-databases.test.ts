import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseDatabases, type CoverNeed } from '../../../src/testsuite/distill/choose-databases.js';

const COUNT = 8;
const need = fc.record({ by: fc.uniqueArray(fc.nat(COUNT - 1)), times: fc.integer({ min: 1, max: 4 }) });
const sizes = fc.array(fc.nat(100), { minLength: COUNT, maxLength: COUNT });

/** Positions of the databases that are chosen. */
function chosenOf(
  needs: readonly CoverNeed<number>[],
  ofSize: readonly number[],
  always: readonly number[],
): readonly number[] {
  const databases = ofSize.map((size, at) => ({ size, at }));
  const at = (places: readonly number[]) => places.map((place) => databases[place]!);
  const asked = needs.map(({ by, times }) => ({ by: at(by), times }));
  return chooseDatabases(databases, asked, at(always)).map((one) => one.at);
}

const metBy = ({ by }: CoverNeed<number>, chosen: readonly number[]): number =>
  by.filter((one) => chosen.includes(one)).length;

describe('chooseDatabases', () => {
  it('meets every need as often as it can be met, and chooses none that could go', () => {
    fc.assert(
      fc.property(
        fc.array(need),
        sizes,
        fc.uniqueArray(fc.nat(COUNT - 1), { maxLength: 2 }),
        (needs, sizes, always) => {
          const chosen = chosenOf(needs, sizes, always);
          const isMet = (some: readonly number[]): boolean =>
            needs.every((one) => metBy(one, some) >= Math.min(one.times, one.by.length));
          expect(isMet(chosen)).toBe(true);
          expect(chosen).toEqual(expect.arrayContaining(always));
          for (const database of chosen.filter((one) => !always.includes(one))) {
            expect(isMet(chosen.filter((one) => one !== database))).toBe(false);
          }
        },
      ),
    );
  });

  it('takes the smallest of those that meet as much', () => {
    const needs = [
      { by: [0, 1, 2], times: 1 },
      { by: [0, 1, 2], times: 1 },
    ];
    expect(chosenOf(needs, [9, 3, 5], [])).toEqual([1]);
  });
});
