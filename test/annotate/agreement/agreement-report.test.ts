import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderAgreementLines } from '../../../src/annotate/agreement/agreement-lines.js';
import { agreementOf } from '../../../src/annotate/agreement/agreement-report.js';
import { cohenKappa } from '../../../src/annotate/agreement/agreement-report.js';
import { type RatedItem, rateItem } from '../../../src/annotate/agreement/agreement-report.js';
import type { StoredAnswer } from '../../../src/annotate/annotation.js';
import { sampleItems } from '../sample-project.js';

const { item } = sampleItems()[0]!;

function answer(annotator: string, given: Partial<StoredAnswer> = {}): StoredAnswer {
  const kept = { itemId: item.id, annotator, revision: 1, savedAt: '2026-01-05T09:00:00.000Z' };
  return { ...kept, state: 'done', accepted: [], written: [], comment: '', flagged: false, ...given };
}

/** An item of which each rater's marks are given as a text of 0 and 1. */
function rated(marks: Readonly<Record<string, string>>, kind: RatedItem['kind'] = 'RPL'): RatedItem {
  const ratings = Object.entries(marks).map(([annotator, row]) => ({
    annotator,
    taken: [...row].map((mark) => mark === '1'),
  }));
  return { kind, ratings };
}

describe('what is rated', () => {
  it('is each listed candidate, taken or left; names of their own are not', () => {
    const names = item.candidates.map(({ name }) => name);
    const one = answer('Ada', { accepted: [names[1]!], written: ['something else'] });
    expect(rateItem(item, [one, answer('Ben')])).toEqual({
      kind: 'RPL',
      ratings: [
        { annotator: 'Ada', taken: names.map((_, i) => i === 1) },
        { annotator: 'Ben', taken: names.map(() => false) },
      ],
    });
  });

  it('counts a listed name as taken where it was written, however it is spelled', () => {
    const written = [item.candidates[2]!.name.toUpperCase().replaceAll(' ', '_')];
    const rated = rateItem(item, [answer('Ada', { written }), answer('Ben')]);
    expect(rated?.ratings[0]?.taken).toEqual(item.candidates.map((_, i) => i === 2));
  });

  it('leaves out drafts and skipped ones, and then items with one answer', () => {
    const others = [answer('Ben', { state: 'draft' }), answer('Cleo', { state: 'skipped' })];
    expect(rateItem(item, [answer('Ada'), ...others])).toBeNull();
  });
});

describe('agreementOf', () => {
  it('counts all, per kind, per pair and per annotator', () => {
    const report = agreementOf([
      rated({ Ada: '1100', Ben: '1010' }),
      rated({ Ada: '0011', Ben: '0011', Cleo: '0111' }, 'ADD'),
    ]);
    expect(report.overall).toMatchObject({ items: 2, candidates: 8 });
    expect(report.kinds.RPL).toMatchObject({ items: 1, candidates: 4 });
    // Agreeing pairs of raters: 2 of 4; then 3 + 1 + 3 + 3 of 12.
    expect(report.kinds.RPL.observed?.value).toBeCloseTo(2 / 4, 10);
    expect(report.overall.observed?.value).toBeCloseTo((2 + 10) / 16, 10);
    expect(report.pairs.map(({ annotators }) => annotators)).toEqual([
      ['Ada', 'Ben'],
      ['Ada', 'Cleo'],
      ['Ben', 'Cleo'],
    ]);
    expect(report.pairs[0]!.cohen?.value).toBeCloseTo(cohenKappa([3, 1, 1, 3]), 10);
    expect(report.pairs[0]).toMatchObject({ items: 2, candidates: 8 });
    expect(report.annotators.map(({ annotator, items }) => [annotator, items])).toEqual([
      ['Ada', 2],
      ['Ben', 2],
      ['Cleo', 1],
    ]);
    expect(report.annotators[2]!.cohen?.value).toBeCloseTo(cohenKappa([4, 2, 0, 2]), 10);
  });

  it('takes Fleiss’ kappa over the items with the most frequent number of annotators', () => {
    const two = rated({ Ada: '1100', Ben: '1010' });
    const three = rated({ Ada: '1100', Ben: '1010', Cleo: '1111' });
    const { overall } = agreementOf([three, two, two]);
    expect(overall.fleissOver).toEqual({ annotators: 2, items: 2 });
    expect(overall.fleiss?.value).toBeCloseTo(agreementOf([two, two]).overall.fleiss!.value, 10);
  });

  it('has intervals that hold the value, the same ones again', () => {
    const marks = fc.record({ Ada: fc.stringMatching(/^[01]{6}$/), Ben: fc.stringMatching(/^[01]{6}$/) });
    fc.assert(
      fc.property(fc.array(marks, { minLength: 5, maxLength: 7 }), fc.integer(), (items, seed) => {
        const all = items.map((each) => rated(each));
        const report = agreementOf(all, seed);
        const { observed } = report.overall;
        expect(observed!.low).toBeLessThanOrEqual(observed!.value);
        expect(observed!.high).toBeGreaterThanOrEqual(observed!.value);
        expect(agreementOf(all, seed)).toEqual(report);
      }),
      { numRuns: 5 },
    );
  });

  it('says where a figure is not defined, and that there is nothing to compare', () => {
    const report = agreementOf([rated({ Ada: '00', Ben: '00' })]);
    expect(report.overall).toMatchObject({
      observed: { value: 1, low: null, high: null },
      krippendorff: null,
      fleiss: null,
    });
    expect(renderAgreementLines(report).join('\n')).toMatch(/^ {2}all +1 +2 +1\.000 +not defined/m);
    expect(renderAgreementLines(report).at(-1)).toMatch(/Of fewer than 5 items there is no interval/);
    expect(renderAgreementLines(agreementOf([]))).toEqual([expect.stringContaining('nothing to compare')]);
  });
});
