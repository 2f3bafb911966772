import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headIndex, inflectVerb } from '../../src/dictionary/inflection.js';
import { IRREGULAR_VERBS } from '../../src/dictionary/morphology.js';
import { inflector } from './dictionary-fixture.js';

describe('headIndex', () => {
  it.each([
    ['zip code', 1],
    ['place of birth', 0],
    ['height above sea level', 0],
    ['name', 0],
  ])('%s has its head at %i', (phrase, head) => {
    expect(headIndex(phrase.split(' '))).toBe(head);
  });
});

describe('Inflector.nounForm', () => {
  it.each([
    ['cities', 'city', 'plural'],
    ['city', 'city', 'singular'],
    ['status', 'status', 'singular'],
    ['address', 'address', 'singular'],
    ['basis', 'basis', 'singular'],
    ['lens', 'lens', 'singular'],
    ['gas', 'gas', 'singular'],
    ['statistics', 'statistics', 'invariant'],
    ['data', 'data', 'invariant'],
    ['species', 'species', 'invariant'],
    ['earnings', 'earnings', 'invariant'],
    ['years', 'year', 'plural'],
    ['people', 'person', 'plural'],
    ['places of birth', 'place of birth', 'plural'],
    ['phone numbers', 'phone number', 'plural'],
  ])('%s is %s, %s', (word, base, number) => {
    expect(inflector.nounForm(word)).toEqual({ base, number });
  });

  it('knows no noun in a verb form', () => {
    expect(inflector.nounForm('established')).toBeNull();
  });
});

describe('Inflector.inflectLike', () => {
  it.each([
    ['cities', 'metropolis', 'noun', 'metropolises'],
    ['cities', 'urban center', 'noun', 'urban centers'],
    ['birthplaces', 'place of birth', 'noun', 'places of birth'],
    ['city', 'urban center', 'noun', 'urban center'],
    ['employees', 'staff', 'noun', 'staff'],
    ['schemas', 'schema', 'noun', 'schemas'],
    ['profits', 'earnings', 'noun', 'earnings'],
    ['founded', 'establish', 'verb', 'established'],
    ['founded', 'set up', 'verb', 'set up'],
    ['created', 'make', 'verb', 'made'],
    ['created', 'write', 'verb', 'written'],
    ['won', 'gain', 'verb', 'gained'],
    ['living', 'reside', 'verb', 'residing'],
    ['starting', 'begin', 'verb', 'beginning'],
    ['bought', 'purchase', 'verb', 'purchased'],
    ['annual', 'yearly', 'adjective', 'yearly'],
  ] as const)('for %s, %s as a %s becomes %s', (original, synonym, pos, form) => {
    expect(inflector.inflectLike(original, synonym, pos)).toBe(form);
  });
});

describe('inflectVerb', () => {
  it.each([
    ['stop', 'participle', 'stopped'],
    ['visit', 'participle', 'visited'],
    ['refer', 'participle', 'referred'],
    ['carry out', 'past', 'carried out'],
    ['play', 'past', 'played'],
    ['die', 'ing', 'dying'],
    ['see', 'ing', 'seeing'],
    ['make', 'ing', 'making'],
    ['pass', 'third', 'passes'],
    ['carry', 'third', 'carries'],
    ['need', 'participle', 'needed'],
    ['show', 'participle', 'shown'],
  ] as const)('%s as %s is %s', (verb, form, expected) => {
    expect(inflectVerb(verb, form)).toBe(expected);
  });

  it('is undone by verbForm for every irregular verb', () => {
    for (const [base, , participle] of IRREGULAR_VERBS) {
      if (participle === base) continue;
      expect(inflector.verbForm(inflectVerb(base, 'participle'))?.base).toBe(base);
    }
  });

  it('never loses a word of a phrase', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdefgilmnoprstuy'), minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 2 }), (verb, rest) => {
        expect(
          inflectVerb([verb, ...rest].join(' '), 'ing')
            .split(' ')
            .slice(1),
        ).toEqual(rest);
      }),
    );
  });
});
