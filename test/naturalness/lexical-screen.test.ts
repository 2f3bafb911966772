import { describe, expect, test } from 'vitest';
import { LexicalMatcher } from '../../src/dictionary/lexical-matcher.js';
import type { CandidateScreen } from '../../src/naturalness/naturalness-rule.js';
import { LEXICAL_RULES, type LexicalRule, LexicalScreen } from '../../src/naturalness/lexical-screen.js';
import type { CandidateSourceKind } from '../../src/stage.js';
import { createPlanner, createTarget, StubDictionary } from '../dictionary/dictionary-fixture.js';

const matcher = new LexicalMatcher(
  createPlanner(new StubDictionary({ wage: ['salary'], town: ['city'], start: ['begin'] })),
);
const OPEN: CandidateScreen = { fingerprint: 'open', check: async () => ({ rpl: null, add: null }) };

function check(
  name: string,
  source: CandidateSourceKind = 'retrieval',
  rules: readonly LexicalRule[] = LEXICAL_RULES,
  inner = OPEN,
  inDictionary = false,
) {
  const target = createTarget('employees', ['wage', 'town']);
  const screen = new LexicalScreen(inner, matcher, new Set(rules));
  return screen.check({ name, source, origin: null, similarity: null, inDictionary }, { target, column: 0 });
}

describe('LexicalScreen', () => {
  test('lets a supported name replace, and no other be added in its place', async () => {
    expect(await check('salary')).toEqual({ rpl: null, add: 'synonym' });
  });

  test('lets nothing be added that is a part of a column’s name', async () => {
    const target = createTarget('orders', ['product category', 'channel code']);
    const screen = new LexicalScreen(OPEN, matcher, new Set(LEXICAL_RULES));
    const add = async (name: string): Promise<string | null> =>
      (await screen.check({ name, source: 'retrieval', origin: null, similarity: null }, { target, column: 0 })).add;
    expect([await add('category'), await add('channels'), await add('product code')]).toEqual([
      'synonym',
      'synonym',
      null,
    ]);
  });

  test('lets no name replace that says another column in other forms of its words', async () => {
    const target = createTarget('customers', ['mail street', 'mailing street address', 'mail city']);
    const screen = new LexicalScreen(OPEN, matcher, new Set(LEXICAL_RULES));
    const rpl = async (name: string): Promise<string | null> =>
      (await screen.check({ name, source: 'dictionary', origin: null, similarity: null }, { target, column: 0 })).rpl;
    expect([await rpl('mailing street'), await rpl('street for mail')]).toEqual(['ambiguous', null]);
  });

  test('lets no name replace that brings in another column, other than the table’s rows or as what it is', async () => {
    const target = createTarget('students', ['department phone', 'division id', 'student code', 'address']);
    const screen = new LexicalScreen(OPEN, matcher, new Set(LEXICAL_RULES));
    const rpl = async (name: string, column = 0): Promise<string | null> =>
      (await screen.check({ name, source: 'dictionary', origin: null, similarity: null }, { target, column })).rpl;
    expect(await rpl('division phone number')).toBe('ambiguous');
    // No other column: the table's rows, what the name is at last, and what the column says itself.
    expect([await rpl('student phone'), await rpl('phone address')]).toEqual([null, null]);
    expect(await rpl('division number', 1)).toBeNull();
  });

  test('lets no name replace that leaves out what tells the column from another, but for the table’s entity', async () => {
    const target = createTarget('gymnasts', ['total points', 'vault points', 'gymnast name', 'coach name']);
    const screen = new LexicalScreen(OPEN, matcher, new Set(LEXICAL_RULES));
    const rpl = async (name: string, column: number): Promise<string | null> =>
      (await screen.check({ name, source: 'dictionary', origin: null, similarity: null }, { target, column })).rpl;
    expect([await rpl('points', 0), await rpl('name', 2)]).toEqual(['ambiguous', null]);
  });

  test('lets a key be called another way, whatever other keys hold its words', async () => {
    const target = createTarget('person addresses', ['address id', 'person address id', 'address number']);
    const screen = new LexicalScreen(OPEN, matcher, new Set(LEXICAL_RULES));
    const rpl = async (name: string): Promise<string | null> =>
      (await screen.check({ name, source: 'dictionary', origin: null, similarity: null }, { target, column: 0 })).rpl;
    expect([await rpl('address identifier'), await rpl('address number')]).toEqual([null, 'ambiguous']);
  });

  test('lets no name be added that says what the rows are', async () => {
    const target = createTarget('towns', ['mayor', 'profit']);
    const screen = new LexicalScreen(OPEN, matcher, new Set(LEXICAL_RULES));
    const add = async (name: string): Promise<string | null> =>
      (await screen.check({ name, source: 'retrieval', origin: null, similarity: null }, { target, column: 0 })).add;
    expect([await add('city'), await add('city wall')]).toEqual(['synonym', null]);
  });

  test('leaves it to the judge whether a retrieved name says the same', async () => {
    expect(await check('language code')).toEqual({ rpl: null, add: null });
  });

  test('lets no name replace that says the same as another column, nor be added', async () => {
    expect(await check('city', 'dictionary')).toEqual({ rpl: 'ambiguous', add: 'synonym' });
  });

  test('asks no dictionary about a language model’s names, which may still say no other column in its own words', async () => {
    expect(await check('language code', 'llm')).toEqual({ rpl: null, add: null });
    expect(await check('salary', 'llm')).toEqual({ rpl: null, add: null });
    expect(await check('city', 'llm')).toEqual({ rpl: null, add: null });
    const target = createTarget('employees', ['mail street', 'mailing street address', 'division', 'town hall']);
    const screen = new LexicalScreen(OPEN, matcher, new Set(LEXICAL_RULES));
    const of = (name: string) =>
      screen.check({ name, source: 'llm', origin: null, similarity: null }, { target, column: 0 });
    expect((await of('mailing street')).rpl).toBe('ambiguous');
    expect((await of('division mail street')).rpl).toBe('ambiguous');
    expect((await of('town')).add).toBe('synonym');
    expect(await of('city hall')).toEqual({ rpl: null, add: null });
  });

  test('asks only the rules in force', async () => {
    expect(await check('city', 'dictionary', ['synonym'])).toEqual({ rpl: null, add: 'synonym' });
    expect(await check('city', 'dictionary', ['ambiguous'])).toEqual({ rpl: 'ambiguous', add: null });
    expect(await check('city', 'retrieval', [])).toEqual({ rpl: null, add: null });
  });

  test('leaves the first word to the rules before it', async () => {
    const closed: CandidateScreen = { fingerprint: 'closed', check: async () => ({ rpl: 'short', add: 'digits' }) };
    expect(await check('city', 'retrieval', LEXICAL_RULES, closed)).toEqual({ rpl: 'short', add: 'digits' });
  });

  test('has the rules before it, its own and the dictionary in its fingerprint', () => {
    const of = (inner: CandidateScreen, rules: readonly LexicalRule[]): string =>
      new LexicalScreen(inner, matcher, new Set(rules)).fingerprint;
    const whole = of(OPEN, LEXICAL_RULES);
    expect(of(OPEN, LEXICAL_RULES)).toBe(whole);
    expect(of(OPEN, ['synonym'])).not.toBe(whole);
    expect(of({ ...OPEN, fingerprint: 'other' }, LEXICAL_RULES)).not.toBe(whole);
    expect(whole).toContain(matcher.fingerprint);
  });
});
