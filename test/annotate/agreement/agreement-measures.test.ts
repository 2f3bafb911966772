import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgreementMeasure,
  cohenKappa,
  FLEISS_KAPPA,
  KRIPPENDORFF_ALPHA,
  OBSERVED_AGREEMENT,
} from '../../../src/annotate/agreement/agreement-report.js';

/** Value over units, each with its number of raters per category. */
function measure({ vectorOf, valueOf }: AgreementMeasure, units: readonly (readonly number[])[]): number {
  const vectors = units.map((counts) => vectorOf(counts));
  return valueOf(vectors[0]!.map((_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0)));
}

/** Units of raters' rows, one character per unit, `.` where a rater has none. */
function unitsOf(rows: readonly string[]): readonly (readonly number[])[] {
  const categories = [...new Set(rows.join('').replaceAll('.', ''))].sort();
  return [...rows[0]!].map((_, u) => categories.map((c) => rows.filter((row) => row[u] === c).length));
}

const rowsOf = (digits: string): readonly (readonly number[])[] => digits.split(' ').map((row) => [...row].map(Number));

describe('Fleiss’ kappa', () => {
  it('is .430 for the 30 patients and six psychiatrists of Fleiss (1971), table 1', () => {
    const table = rowsOf(
      '00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 ' +
        '00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006',
    );
    expect(measure(FLEISS_KAPPA, table)).toBeCloseTo(0.43, 3);
  });

  it('is .210 for the worked example of Wikipedia’s “Fleiss’ kappa”: 10 subjects, 14 raters, 5 categories', () => {
    const table = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    expect(measure(FLEISS_KAPPA, table)).toBeCloseTo(0.21, 3);
  });
});

describe('Krippendorff’s alpha', () => {
  // Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", sections A to C, as each section's result says.
  it('is 0.095 for two observers and binary data (section A)', () => {
    expect(measure(KRIPPENDORFF_ALPHA, unitsOf(['0100000010', '1110010000']))).toBeCloseTo(0.095, 3);
  });

  it('is 0.692 for two observers and five categories (section B)', () => {
    expect(measure(KRIPPENDORFF_ALPHA, unitsOf(['aabbdcccedda', 'babbbccceddd']))).toBeCloseTo(0.692, 3);
  });

  it('is 0.743 for four observers with missing ratings (section C)', () => {
    const rows = ['123321412...', '1233224125.3', '.3332342251.', '12332441251.'];
    expect(measure(KRIPPENDORFF_ALPHA, unitsOf(rows))).toBeCloseTo(0.743, 3);
  });

  it('is 0.691 for the worked example of Wikipedia’s “Krippendorff’s alpha”: three coders, 15 units', () => {
    const rows = ['.....3412113' + '3.3', '1.213343....' + '...', '..21344.2113' + '3.4'];
    expect(measure(KRIPPENDORFF_ALPHA, unitsOf(rows))).toBeCloseTo(0.691, 3);
  });
});

describe('Cohen’s kappa', () => {
  it('is .492 for the 200 cases of Cohen (1960): (140 - 82) / (200 - 82)', () => {
    expect(cohenKappa([88, 14, 18, 10, 40, 10, 2, 6, 12])).toBeCloseTo((140 - 82) / (200 - 82), 10);
  });

  it('is 0.4 for the grant proposals of Wikipedia’s “Cohen’s kappa”', () => {
    expect(cohenKappa([20, 5, 10, 15])).toBeCloseTo(0.4, 10);
  });

  it('is not defined where both always say the same', () => {
    expect(cohenKappa([5, 0, 0, 0])).toBeNaN();
  });
});

describe('every measure', () => {
  const MEASURES = { OBSERVED_AGREEMENT, FLEISS_KAPPA, KRIPPENDORFF_ALPHA };
  const raters = 4;
  const units = fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: raters, maxLength: raters }), {
    minLength: 2,
    maxLength: 12,
  });
  const countsOf = (ratings: readonly number[]): readonly number[] =>
    [0, 1, 2].map((category) => ratings.filter((rating) => rating === category).length);
  const isVaried = (rated: readonly (readonly number[])[]): boolean => new Set(rated.flat()).size > 1;

  it.each(Object.entries(MEASURES))('%s is at most 1, and exactly 1 where all agree', (_, each) => {
    fc.assert(
      fc.property(units.filter(isVaried), (rated) => {
        const value = measure(each, rated.map(countsOf));
        const isPerfect = rated.every((ratings) => new Set(ratings).size === 1);
        expect(value).toBeLessThanOrEqual(1);
        expect(Math.abs(value - 1) < 1e-12).toBe(isPerfect);
      }),
    );
  });

  it.each(Object.entries(MEASURES))('%s does not depend on names of categories or order of units', (_, each) => {
    fc.assert(
      fc.property(units.filter(isVaried), (rated) => {
        const value = measure(each, rated.map(countsOf));
        const renamed = [...rated].reverse().map((ratings) => countsOf(ratings.map((rating) => 2 - rating)));
        expect(measure(each, renamed)).toBeCloseTo(value, 10);
      }),
    );
  });

  it('has Cohen’s kappa symmetric in its raters, between -1 and 1', () => {
    const table = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(
        table.filter(([a, b, c, d]) => a! + b! + c! > 0 && b! + c! + d! > 0),
        ([a, b, c, d]) => {
          const kappa = cohenKappa([a!, b!, c!, d!]);
          expect(cohenKappa([a!, c!, b!, d!])).toBeCloseTo(kappa, 10);
          expect(kappa).toBeLessThanOrEqual(1);
          expect(kappa).toBeGreaterThanOrEqual(-1 - 1e-12);
        },
      ),
    );
  });

  it('has alpha count nothing of a unit that one rater alone has rated', () => {
    const some = unitsOf(['aab', 'abb']);
    expect(measure(KRIPPENDORFF_ALPHA, [...some, [1, 0], [0, 1]])).toBe(measure(KRIPPENDORFF_ALPHA, some));
  });
});
