import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyExchange, exchangeOf, partsOf, takesModifier } from '../../src/bank/bank-source.js';

const between = (known: string, name: string): ReturnType<typeof exchangeOf> =>
  exchangeOf(known.split(' '), name.split(' '));

describe('exchangeOf', () => {
  it('exchanges what comes before the words that both end in', () => {
    const exchange = between('carapace width', 'plastron width')!;
    expect(exchange).toEqual({ out: ['carapace'], in: ['plastron'] });
    expect(applyExchange(exchange, 'carapace breadth')).toBe('plastron breadth');
    expect(applyExchange(exchange, 'width of carapace')).toBe('width of plastron');
    expect(applyExchange(exchange, 'shell breadth')).toBeNull();
  });

  it('finds none where names share no words of weight, or differ in too much', () => {
    expect(between('start date', 'end time')).toBeNull();
    expect(between('date of', 'time of')).toBeNull();
    expect(between('date', 'start date')).toBeNull();
    expect(between('first of three parts', 'last of three parts')).toEqual({ out: ['first'], in: ['last'] });
    expect(between('very old city park name', 'zoo name')).toBeNull();
  });

  it('says no word twice', () => {
    expect(applyExchange({ out: ['start'], in: ['date'] }, 'start date')).toBeNull();
  });

  it('makes the one name of the other', () => {
    // No small word such as "for" begins so.
    const word = fc.stringMatching(/^q[b-z]{2,5}$/);
    fc.assert(
      fc.property(word, word, word, (a, b, head) => {
        fc.pre(new Set([a, b, head]).size === 3);
        expect(applyExchange(between(`${a} ${head}`, `${b} ${head}`)!, `${a} ${head}`)).toBe(`${b} ${head}`);
      }),
    );
  });
});

describe('partsOf', () => {
  it('parts a name where its last words say enough alone', () => {
    expect(partsOf(['initial', 'dose'])).toEqual([{ before: 'initial', rest: 'dose' }]);
    expect(partsOf(['rendering', 'provider', 'id'])).toEqual([{ before: 'rendering', rest: 'provider id' }]);
    expect(partsOf(['start', 'date'])).toEqual([]);
    expect(partsOf(['date', 'of', 'birth'])).toEqual([]);
  });
});

describe('takesModifier', () => {
  it('is said of noun phrases', () => {
    expect(['draw time', 'date of start', 'is active', 'approved'].map(takesModifier)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
