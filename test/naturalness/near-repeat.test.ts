import { describe, expect, test } from 'vitest';
import type { NaturalnessContext } from '../../src/naturalness/naturalness-rule.js';
import { nearRepeat } from '../../src/naturalness/near-repeat.js';
import { createTarget } from '../dictionary/dictionary-fixture.js';

const NOT_NOUNS = new Set(['received', 'taken', 'by', 'since', 'sold']);
const context: NaturalnessContext = {
  frequencyRank: () => null,
  isWord: () => true,
  nounForm(phrase) {
    const last = phrase.split(' ').at(-1) ?? '';
    if (NOT_NOUNS.has(last)) return null;
    return last.endsWith('s') ? { base: last.slice(0, -1), number: 'plural' } : { base: last, number: 'singular' };
  },
};
const rule = nearRepeat(context);

function check(table: string, columns: readonly string[], name: string): string | null {
  const target = { target: createTarget(table, columns), column: 0 };
  return rule.check(name, target, { name, source: 'retrieval', origin: null, similarity: null });
}

describe('near-repeat', () => {
  test.each([
    ['stadiums', 'capacity', 'guest capacity', 'a narrower word for a bare column'],
    ['pilots', 'positions', 'crew position', 'singular and plural'],
    ['people', 'first name', 'full name', 'a word that singles out nothing'],
    ['pilots', 'name', 'pilot name', 'the table’s own word'],
    ['employees', 'employee name', 'first name', 'a part of the whole name'],
    ['orders', 'customer id', 'billed customer', 'what a column stands for by its id'],
    ['bridges', 'length meters', 'total length', 'a column with its unit'],
    ['films', 'gross in dollars', 'worldwide gross', 'a column with its unit after a preposition'],
    ['candidates', 'votes', 'number of votes', 'a count'],
    ['candidates', 'votes', 'votes received', 'a head before a participle'],
    ['stations', 'elevation', 'summit elev', 'an abbreviation'],
  ])('in table %s with "%s" keeps out "%s": %s', (table, column, name) => {
    expect(check(table, ['other', column], name)).toBe(`nearly repeats the column "${column}"`);
  });

  test.each([
    ['orders', 'order date', 'shipping date', 'both heads narrowed, to different things'],
    ['customers', 'customer name', 'company name', 'both heads narrowed'],
    ['customers', 'first name', 'middle name', 'another part of the name'],
    ['stadiums', 'capacity', 'roof type', 'another head'],
    ['orders', 'order id', 'order taken by', 'about the thing, not another one'],
    ['customers', 'customer id', 'customer since', 'about the thing'],
    ['orders', 'customer id', 'customer rating', 'the word as a qualifier only'],
    ['products', 'sku', 'number of units', 'a word of an initialism, which is about no unit'],
  ])('in table %s with "%s" lets "%s" be added: %s', (table, column, name) => {
    expect(check(table, ['other', column], name)).toBeNull();
  });

  test('guards additions alone: a replacement may well be narrower', () => {
    expect(rule.appliesTo).toBe('ADD');
  });

  test('has nothing to say of a name without words', () => {
    expect(check('stadiums', ['capacity'], '—')).toBeNull();
  });
});
