import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LexicalMatcher } from '../../src/dictionary/lexical-matcher.js';
import { createPlanner, StubDictionary } from './dictionary-fixture.js';

const shipped = new LexicalMatcher(createPlanner());
const stubbed = new LexicalMatcher(
  createPlanner(new StubDictionary({ wage: ['salary'], town: ['city'], 'zip code': ['postal code'] })),
);

describe('LexicalMatcher with a few entries', () => {
  test.each<[string, string, string]>([
    ['wage', 'salary', 'employees'],
    ['salary', 'wage', 'employees'],
    ['Wages', 'salary', 'employees'],
    ['home town', 'home city', 'singers'],
    ['town of home', 'home city', 'singers'],
    ['zip code', 'postal code', 'shops'],
    ['name', 'museum name', 'museums'],
    ['model', 'model name', 'cars'],
    ['cylinders', 'number of cylinders', 'cars'],
    ['num of cylinders', 'cylinder count', 'cars'],
    ['visitor count', 'visitors', 'sessions'],
    ['id', 'order item id', 'order items'],
    ['item id', 'order item id', 'order items'],
  ])('"%s" says the same as "%s" of %s', async (a, b, entity) => {
    expect(await stubbed.areEquivalent(a, b, entity)).toBe(true);
    expect(await stubbed.areEquivalent(b, a, entity)).toBe(true);
  });

  test.each<[string, string, string]>([
    ['document id', 'language code', 'documents'],
    ['record id', 'pilot id', 'records'],
    ['wage', 'age', 'employees'],
    ['wage', 'hourly wage', 'employees'],
    ['name', 'museum name', 'visitors'],
    ['name', 'number', 'museums'],
    ['visitor count', 'visitor', 'sessions'],
    ['flight number', 'flight', 'tickets'],
    ['aircraft number', 'aircraft', 'fleets'],
    ['home town', 'town', 'singers'],
    ['order id', 'order item id', 'order items'],
    ['', 'wage', 'employees'],
    ['!!!', '🙂', 'employees'],
  ])('"%s" and "%s" of %s differ', async (a, b, entity) => {
    expect(await stubbed.areEquivalent(a, b, entity)).toBe(false);
    expect(await stubbed.areEquivalent(b, a, entity)).toBe(false);
  });

  test('finds all names of a table that may say the same as another, and those alone that share a word with it', async () => {
    const word = fc.constantFrom('wage', 'salary', 'home', 'town', 'city', 'name', 'number', 'museum', 'of', 'id');
    const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 12 }), name, async (names, other) => {
        const sharing = await stubbed.sharingWords(names, other);
        for (const one of names) if (await stubbed.areEquivalent(one, other, 'museums')) expect(sharing).toContain(one);
      }),
      { numRuns: 60 },
    );
    const names = ['wage', 'home city', 'age', 'town'];
    expect([...(await stubbed.sharingWords(names, 'salary')), ...(await stubbed.sharingWords(names, 'city'))]).toEqual([
      ...['wage'],
      ...['home city', 'town'],
    ]);
  });

  test('is symmetric, knows a name in itself, and does not care for case, plural and punctuation', async () => {
    const word = fc.constantFrom('wage', 'salary', 'home', 'town', 'city', 'name', 'number', 'museum', 'of', 'id');
    const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(name, name, async (a, b) => {
        const same = await stubbed.areEquivalent(a, b, 'museums');
        expect(await stubbed.areEquivalent(b, a, 'museums')).toBe(same);
        expect(await stubbed.areEquivalent(a.toUpperCase().replaceAll(' ', '_'), b, 'museums')).toBe(same);
        if (!/^(of ?)+$/.test(a)) expect(await stubbed.areEquivalent(a, a, 'museums')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('LexicalMatcher with the shipped dictionary', () => {
  test.each([
    ['salary', 'pay', 'employees'],
    ['zip code', 'postal code', 'shops'],
    ['number of employees', 'employee count', 'companies'],
    ['date of birth', 'birth date', 'people'],
  ])('"%s" and "%s" of %s say the same', async (a, b, entity) => {
    expect(await shipped.areEquivalent(a, b, entity)).toBe(true);
  });

  test.each([
    ['salary', 'age', 'employees'],
    ['start date', 'end date', 'projects'],
    ['home team', 'away team', 'games'],
    ['minimum price', 'maximum price', 'products'],
  ])('"%s" and "%s" of %s differ', async (a, b, entity) => {
    expect(await shipped.areEquivalent(a, b, entity)).toBe(false);
  });

  test('names its dictionary in its fingerprint', () => {
    expect(shipped.fingerprint).not.toBe(stubbed.fingerprint);
  });
});
