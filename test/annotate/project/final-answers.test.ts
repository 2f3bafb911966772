import { describe, expect, it } from 'vitest';
import type { StoredAnswer } from '../../../src/annotate/annotation.js';
import { disagreementOf } from '../../../src/annotate/kinds/answer-rules.js';
import { finalAnswerOf } from '../../../src/annotate/project/answer-schema.js';
import { sampleItems } from '../sample-project.js';

const { item } = sampleItems()[0]!;

function by(annotator: string, given: Partial<StoredAnswer> = {}): StoredAnswer {
  const kept = { itemId: item.id, annotator, revision: 1, savedAt: '2026-01-05T09:00:00.000Z' };
  return { ...kept, state: 'done', accepted: [], written: [], comment: '', flagged: false, ...given };
}

describe('finalAnswerOf', () => {
  it('is nothing while only drafts are there', () => {
    expect(finalAnswerOf(item, [by('Ada', { state: 'draft', accepted: ['called'] })], null)).toBeNull();
    expect(finalAnswerOf(item, [], by('Rita', { state: 'draft' }))).toBeNull();
  });

  it('is the only annotator’s', () => {
    const answers = [by('Ada', { accepted: ['called'], written: ['known as'] }), by('Ben', { state: 'draft' })];
    expect(finalAnswerOf(item, answers, null)).toEqual({
      item,
      accepted: ['called'],
      written: ['known as'],
      state: 'done',
      basis: 'single',
    });
  });

  it('is what more than half took, in the list’s order, spelled as first written', () => {
    const answers = [
      by('Ada', { accepted: ['called', 'full name'], written: ['Known as', 'moniker'] }),
      by('Ben', { accepted: ['full name'], written: ['known  as', 'called'] }),
      by('Cleo', { accepted: ['label'], written: ['known_as'] }),
    ];
    const final = finalAnswerOf(item, answers, null);
    expect(final).toMatchObject({ accepted: ['full name', 'called'], written: ['Known as'], basis: 'majority' });
  });

  it('needs more than half: one of two is not enough', () => {
    const answers = [by('Ada', { accepted: ['called'] }), by('Ben', { accepted: ['label'] })];
    expect(finalAnswerOf(item, answers, null)).toMatchObject({ accepted: [], state: 'done', basis: 'majority' });
  });

  it('gives who skipped no say, unless all did', () => {
    const skipped = [by('Ben', { state: 'skipped' }), by('Cleo', { state: 'skipped' })];
    expect(finalAnswerOf(item, [by('Ada', { accepted: ['called'] }), ...skipped], null)).toMatchObject({
      accepted: ['called'],
      basis: 'single',
    });
    expect(finalAnswerOf(item, skipped, null)).toMatchObject({ accepted: [], state: 'skipped', basis: 'majority' });
  });

  it('is the reviewer’s where there is one, and takes nothing of a skipped one', () => {
    const answers = [by('Ada', { accepted: ['called'] })];
    const decision = by('Rita', { accepted: ['label'], written: ['byname'] });
    expect(finalAnswerOf(item, answers, decision)).toMatchObject({ accepted: ['label'], basis: 'adjudicated' });
    expect(finalAnswerOf(item, answers, { ...decision, state: 'skipped' })).toMatchObject({
      accepted: [],
      written: [],
      state: 'skipped',
    });
  });
});

describe('disagreementOf', () => {
  it('is the share of names that two don’t have in common, averaged over pairs', () => {
    const [a, b] = [
      by('Ada', { accepted: ['called', 'label'] }),
      by('Ben', { accepted: ['label'], written: ['Called'] }),
    ];
    expect(disagreementOf([a, b])).toBe(0);
    const c = by('Cleo', { accepted: ['label', 'full name'] });
    expect(disagreementOf([a, c])).toBeCloseTo(1 - 1 / 3, 10);
    expect(disagreementOf([a, b, c])).toBeCloseTo((2 * (1 - 1 / 3)) / 3, 10);
  });

  it('is whole where one skips, none where both take nothing or there is one answer', () => {
    const skipped = by('Ben', { state: 'skipped' });
    expect(disagreementOf([by('Ada'), skipped])).toBe(1);
    expect(disagreementOf([by('Ada'), by('Ben')])).toBe(0);
    expect(disagreementOf([by('Ada', { accepted: ['called'] })])).toBe(0);
  });
});
