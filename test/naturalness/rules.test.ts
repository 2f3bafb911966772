import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkNaturalness, type NaturalnessContext, RuleScreen } from '../../src/naturalness/naturalness-rule.js';
import { spellingKey } from '../../src/schema/name-identity.js';
import { createNaturalnessRules, NATURALNESS_RULE_IDS, type NaturalnessRuleId } from '../../src/naturalness/rules.js';
import type { Candidate, CandidateSourceKind, TargetColumn } from '../../src/stage.js';

const RANKS: Record<string, number> = { name: 5, age: 300, fee: 3_000, airman: 45_000, city: 200, cities: 900 };
const PLURALS: Record<string, string> = {
  cities: 'city',
  glitches: 'glitch',
  seats: 'seat',
  grams: 'gram',
  hours: 'hour',
};
const NOUNS = ['city', 'seat', 'glitch', 'customer', 'order', 'name', 'population', 'weight', 'postal code'];

const context: NaturalnessContext = {
  frequencyRank: (word) => RANKS[word] ?? (NOUNS.includes(word) ? 1_000 : null),
  isWord: (word) => NOUNS.includes(word) || word in PLURALS || word in RANKS || word === 'postal code',
  nounForm(phrase) {
    const last = phrase.split(' ').at(-1) ?? '';
    const base = PLURALS[last];
    if (base !== undefined) return { base, number: 'plural' };
    return NOUNS.includes(last) ? { base: last, number: 'singular' } : null;
  },
  isFamiliar: (word) => word === 'postcode',
};

function target(name: string, others: readonly string[] = []): TargetColumn {
  const columns = [name, ...others].map((column) => ({
    name: column,
    originalName: column.replaceAll(' ', '_'),
    type: 'text' as const,
  }));
  const table = { name: 'sales orders', originalName: 'SalesOrders', columns };
  return { target: { dbId: 'db', table, questions: [], values: [] }, column: 0 };
}

function candidate(name: string, source: CandidateSourceKind = 'retrieval'): Candidate {
  return { name, source, origin: null, similarity: null };
}

function reason(
  id: NaturalnessRuleId,
  name: string,
  column: TargetColumn,
  source?: CandidateSourceKind,
): string | null {
  const [rule] = createNaturalnessRules(context, [id]);
  return rule!.check(name, column, candidate(name, source));
}

describe('another-script', () => {
  const inTable = (originalName: string, column: string): TargetColumn => {
    const columns = [{ name: 'name', originalName: column, type: 'text' as const }];
    return {
      target: { dbId: 'db', table: { name: 'city', originalName, columns }, questions: [], values: [] },
      column: 0,
    };
  };

  it('keeps Latin words from a table without Latin letters, whatever it is called in words', () => {
    expect(reason('another-script', 'postal code', inTable('城市', '名称'))).toBe(
      'is in another script than the columns of "城市"',
    );
    expect(reason('another-script', 'имя', inTable('город', 'имя'))).toBeNull();
    expect(reason('another-script', '邮编', inTable('城市', '名称'))).toBeNull();
    expect(reason('another-script', 'postal code', inTable('城市', 'ID'))).toBeNull();
    expect(reason('another-script', 'postal code', target('city'))).toBeNull();
  });
});

describe('row-kind', () => {
  it.each(['shipped order', 'online orders', 'Back Order'])('keeps %j from joining a table of orders', (name) =>
    expect(reason('row-kind', name, target('customer'))).toBe('is what a row of "sales orders" is'),
  );

  it.each(['order status', 'delivery date', 'border'])('lets %j', (name) =>
    expect(reason('row-kind', name, target('customer'))).toBeNull(),
  );

  it('is asked of additions only', () => {
    expect(createNaturalnessRules(context, ['row-kind'])[0]!.appliesTo).toBe('ADD');
  });
});

describe('filler', () => {
  it.each(['remarks', 'Date Added', 'last updated', 'short descriptions', 'status', 'created_at'])(
    'closes ADD to %j',
    (name) => expect(reason('filler', name, target('customer'))).toBe('fits any table'),
  );

  it.each(['order status', 'date shipped', 'delivery notes', 'job description'])('lets %j', (name) =>
    expect(reason('filler', name, target('customer'))).toBeNull(),
  );

  it('is asked of additions only', () => {
    expect(createNaturalnessRules(context, ['filler'])[0]!.appliesTo).toBe('ADD');
  });
});

describe('existing-name', () => {
  const column = target('birth date', ['Home_Town', 'customer names', 'date of order']);
  it.each([
    'Birth_Dates',
    'birthdate',
    'hometown',
    'home towns',
    'CustomerName',
    'name of the customer',
    'order date',
    'sales order',
  ])('rejects %j', (name) => expect(reason('existing-name', name, column)).toMatch(/^equals/));
  it.each(['date of birth', 'town', 'customer'])('passes %j', (name) => {
    expect(reason('existing-name', name, column)).toBeNull();
  });
});

describe('misspelled', () => {
  it('takes short words of the column’s own name for abbreviations of its schema', () => {
    expect(reason('misspelled', 'name of xqz', target('xqz name'))).toBeNull();
    expect(reason('misspelled', 'name of xqz', target('city'))).not.toBeNull();
    expect(reason('misspelled', 'name of cityyy', target('cityyy name'))).not.toBeNull();
  });

  it.each(['custmer', 'city nmae', '???', ''])('rejects %j', (name) => {
    expect(reason('misspelled', name, target('city'))).not.toBeNull();
  });
  it.each(['customer', 'cities', 'name of city', 'isbn', 'gdp 2', 'postcode', "customer's name"])(
    'passes %j',
    (name) => {
      expect(reason('misspelled', name, target('city'))).toBeNull();
    },
  );
});

describe('short', () => {
  it.each(['id', 'xyz', 'no', 'gdp', 'a b', ''])('rejects %j', (name) => {
    expect(reason('short', name, target('city'))).not.toBeNull();
  });
  it.each(['age', 'fee', 'name'])('passes %j', (name) => expect(reason('short', name, target('city'))).toBeNull());
});

describe('symbols', () => {
  it.each(['boys / girls', 'rank (night)', 'runner - up', "school 's namesake", 'price $', 'a.b', '🐕 name'])(
    'rejects %j',
    (name) => expect(reason('symbols', name, target('city'))).toMatch(/^holds/),
  );
  it.each(['runner-up', "driver's license", 'number of seats', 'données'])('lets %j pass', (name) =>
    expect(reason('symbols', name, target('city'))).toBeNull(),
  );
});

describe('digits', () => {
  it('rejects digits that the target does not hold', () => {
    expect(reason('digits', 'address 2', target('address'))).toContain('2');
    expect(reason('digits', 'address row 1', target('address line 1'))).toBeNull();
    expect(reason('digits', 'address row 2', target('address line 1'))).not.toBeNull();
    expect(reason('digits', 'address', target('address line 1'))).toBeNull();
  });
});

describe('opaque', () => {
  it.each(['customer id', 'customerid', 'city code', 'id', 'order no', 'customer key'])('rejects %j', (name) => {
    expect(reason('opaque', name, target('customer'))).toMatch(/^ends in/);
  });
  it('passes known terms, familiar words, and what the target ends in, too', () => {
    expect(reason('opaque', 'postal code', target('zip'))).toBeNull();
    expect(reason('opaque', 'postcode', target('zip'))).toBeNull();
    expect(reason('opaque', 'client id', target('customer id'))).toBeNull();
    expect(reason('opaque', 'city name', target('city'))).toBeNull();
  });
});

describe('rare-word', () => {
  it('rejects words beyond the cut or out of the vocabulary', () => {
    expect(reason('rare-word', 'airman', target('name'))).toContain('airman');
    expect(reason('rare-word', 'xyzzy name', target('name'))).toContain('xyzzy');
  });
  it('passes the target’s own words, familiar words and plurals of frequent words', () => {
    expect(reason('rare-word', 'airman name', target('airman'))).toBeNull();
    expect(reason('rare-word', 'postcode', target('name'))).toBeNull();
    expect(reason('rare-word', 'glitches', target('name'))).toBeNull();
  });
  it('has a cut that can be set', () => {
    const [rule] = createNaturalnessRules(context, ['rare-word'], { rareRank: 50_000 });
    expect(rule!.check('airman', target('name'), candidate('airman'))).toBeNull();
  });
  it('is silent when the vectors have no order of frequency', () => {
    const [rule] = createNaturalnessRules({ ...context, frequencyRank: () => null }, ['rare-word']);
    expect(rule!.check('airman', target('name'), candidate('airman'))).toBeNull();
  });
});

describe('number-agreement', () => {
  it('rejects another number of the head, for RPL only', () => {
    expect(reason('number-agreement', 'cities', target('order'))).toBe('is plural where the target is singular');
    expect(reason('number-agreement', 'city', target('seats'))).not.toBeNull();
    expect(reason('number-agreement', 'customer city', target('order'))).toBeNull();
    expect(createNaturalnessRules(context, ['number-agreement'])[0]?.appliesTo).toBe('RPL');
  });
  it('looks at what is measured, not at its unit', () => {
    const weight = target('order weight grams');
    expect(reason('number-agreement', 'customer weight', weight)).toBeNull();
    expect(reason('number-agreement', 'cities', weight)).toBe('is plural where the target is singular');
    expect(reason('number-agreement', 'city', target('order hours'))).not.toBeNull();
  });
  it('passes counts, unknown heads, and the dictionary’s own inflection', () => {
    expect(reason('number-agreement', 'number of seats', target('seats'))).toBeNull();
    expect(reason('number-agreement', 'founded', target('seats'))).toBeNull();
    expect(reason('number-agreement', 'cities', target('order'), 'dictionary')).toBeNull();
  });
});

describe('word-repeat, too-long, offensive', () => {
  it('reject', () => {
    expect(reason('word-repeat', 'name of city names', target('city'))).toContain('name');
    expect(reason('too-long', 'one two three four five six', target('city'))).toBe('has 6 words');
    expect(reason('too-long', 'x'.repeat(41), target('city'))).toBe('has 41 characters');
    expect(reason('offensive', 'Slut count', target('city'))).not.toBeNull();
  });
  it('pass', () => {
    expect(reason('word-repeat', 'name of city of customer', target('city'))).toBeNull();
    expect(reason('too-long', 'one two three four five six', target('six words as long as that'))).toBeNull();
    expect(reason('offensive', 'cocktail name', target('city'))).toBeNull();
  });
});

describe('the registry', () => {
  it('makes the rules that are asked for, in its own order', () => {
    const rules = createNaturalnessRules(context, ['short', 'existing-name']);
    expect(rules.map((rule) => rule.id)).toEqual(['existing-name', 'short']);
    expect(createNaturalnessRules(context).map((rule) => rule.id)).toEqual(NATURALNESS_RULE_IDS);
  });

  it('gives the first objection, by bucket', async () => {
    const rules = createNaturalnessRules(context);
    const column = target('order');
    expect(checkNaturalness(rules, 'RPL', column, candidate('cities'))).toEqual({
      rule: 'number-agreement',
      reason: 'is plural where the target is singular',
    });
    expect(checkNaturalness(rules, 'ADD', column, candidate('cities'))).toBeNull();
    expect(await new RuleScreen(rules, 'test').check(candidate('cities'), column)).toEqual({
      rpl: 'number-agreement',
      add: null,
    });
  });

  it('never fails, whatever the names', () => {
    const rules = createNaturalnessRules(context);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, own) => {
        const verdict = checkNaturalness(rules, 'RPL', target(own, ['a']), candidate(name));
        expect(verdict === null || verdict.reason.length > 0).toBe(true);
      }),
    );
  });

  it('rejects every respelling of the target', () => {
    const word = fc.constantFrom('home', 'town', 'city');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('_', ' ', '-', ''),
        (words, joint) => {
          const respelled = words.map((part) => part.toUpperCase()).join(joint);
          expect(spellingKey(respelled)).toBe(spellingKey(words.join(' ').toUpperCase()));
          if (joint !== '') expect(reason('existing-name', respelled, target(words.join(' ')))).not.toBeNull();
        },
      ),
    );
  });
});
