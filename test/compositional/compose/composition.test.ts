import { describe, expect, it } from 'vitest';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import { composeDrafts, draftsOf, emptyTally } from '../../../src/compositional/compose/compose-questions.js';
import { compose, type Composition } from '../../../src/compositional/compose/composition.js';
import type { CompositionDraft } from '../../../src/compositional/compose/composition-rule.js';
import {
  APPENDIX_A_RULES,
  COMPOSITION_RULES,
  refusedBy,
} from '../../../src/compositional/compose/composition-rules.js';
import { elementOf } from '../../../src/compositional/compose/element.js';
import { bindQuery } from '../../../src/sql/binder.js';
import { aligned, GARDEN, GARDEN_KEYS, GARDEN_QUESTIONS, gardenElement } from './garden.js';

function draft(kind: 'SUB' | 'and' | 'or', base: string, element: string): CompositionDraft {
  const pair = { base: gardenElement(base), element: gardenElement(element) };
  return kind === 'SUB' ? { kind, connective: null, ...pair } : { kind: 'APP', connective: kind, ...pair };
}

const composed = (kind: 'SUB' | 'and' | 'or', base: string, element: string): Composition =>
  compose(draft(kind, base, element), 'child');
const sqlOfComposed = ({ aligned: { query } }: Composition): string => sqlOf(query, GARDEN, GARDEN_KEYS);
const refusal = (kind: 'SUB' | 'and' | 'or', base: string, element: string): string | undefined =>
  refusedBy(draft(kind, base, element), COMPOSITION_RULES)?.id;

function allComposed(): readonly Composition[] {
  const elements = GARDEN_QUESTIONS.flatMap((question) => elementOf(question, GARDEN, GARDEN_KEYS) ?? []);
  return [...composeDrafts(draftsOf(elements, elements), COMPOSITION_RULES, new Set(), emptyTally())];
}

describe('elements', () => {
  it('are the restrictions at the end of a question, with the noun that they modify', () => {
    expect(gardenElement('own:0')).toMatchObject({
      text: 'who come from Portugal',
      frame: 'relative',
      noun: { key: 'gardener', isPlural: true },
    });
    expect(gardenElement('own:7')).toMatchObject({ frame: 'predicate', noun: { key: 'plot' } });
  });

  it('are not made of what says a column of no clause, or leaves its column unsaid', () => {
    const [question] = GARDEN_QUESTIONS;
    if (question === undefined) throw new RangeError('no question');
    const [first, second] = question.segments;
    if (first === undefined || second === undefined) throw new RangeError('no segments');
    const extra = { ...second, extra: [{ table: 0, column: 1 }] };
    expect(elementOf({ ...question, segments: [first, extra] }, GARDEN, GARDEN_KEYS)).toBeNull();
    const links = second.links.map((link) => ({ ...link, unmentioned: true }));
    expect(elementOf({ ...question, segments: [first, { ...second, links }] }, GARDEN, GARDEN_KEYS)).toBeNull();
  });

  it('are not made of what leaves the column that it is about behind, or the verb of its question', () => {
    const column = aligned(
      'own:20',
      [['Show the names of gardeners with a home country '], ['that is not Portugal.', ['condition']]],
      "SELECT full_name FROM gardener WHERE home_country != 'Portugal'",
    );
    const verb = aligned(
      'own:21',
      [['Show the years in which gardeners '], ['from Portugal were born.', ['condition']]],
      "SELECT birth_year FROM gardener WHERE home_country = 'Portugal'",
    );
    const asks = aligned(
      'own:23',
      [['Look at the gardeners '], ['from Portugal, how many of them are there?', ['condition']]],
      "SELECT count(*) FROM gardener WHERE home_country = 'Portugal'",
    );
    expect([column, verb, asks].map((question) => elementOf(question, GARDEN, GARDEN_KEYS))).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('leave the table that the rest names, though only they have a clause of it', () => {
    const base = aligned(
      'own:22',
      [['Show the names of the plots of gardeners '], ['who come from Portugal.', ['condition']]],
      "SELECT T2.plot_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id WHERE T1.home_country = 'Portugal'",
    );
    const pair = { base: gardenElement('own:22', [base]), element: gardenElement('own:5') };
    expect(sqlOfComposed(compose({ kind: 'SUB', connective: null, ...pair }, 'child'))).toMatch(/JOIN .*'clay'/);
  });

  it('bring the joins that only their clauses need', () => {
    expect(sqlOfComposed(composed('SUB', 'own:1', 'own:5'))).toMatch(/JOIN plot .*soil_type = 'clay'/);
    expect(sqlOfComposed(composed('SUB', 'own:5', 'own:1'))).toBe(
      'SELECT full_name FROM gardener WHERE birth_year < 1980',
    );
  });
});

describe('a composition', () => {
  it('substitutes an element', () => {
    const { aligned: child } = composed('SUB', 'own:0', 'own:1');
    expect(child.question).toBe('Show the names of all gardeners who were born before 1980.');
    expect(child.segments.map(({ text }) => text)).toEqual([
      'Show the names of all gardeners ',
      'who were born before 1980.',
    ]);
  });

  it.each([
    ['and', "SELECT full_name FROM gardener WHERE home_country = 'Portugal' AND birth_year < 1980"],
    ['or', "SELECT full_name FROM gardener WHERE home_country = 'Portugal' OR birth_year < 1980"],
  ] as const)('appends with "%s"', (connective, sql) => {
    const child = composed(connective, 'own:0', 'own:1');
    expect(child.aligned.question).toBe(
      `Show the names of all gardeners who come from Portugal ${connective} who were born before 1980.`,
    );
    expect(sqlOfComposed(child)).toBe(sql);
  });

  it('puts a condition before an order', () => {
    const child = composed('and', 'own:2', 'own:0');
    expect(child.aligned.question).toBe(
      'List the home countries of the gardeners who come from Portugal and ordered by their year of birth.',
    );
    expect(child.aligned.segments.map(({ text }) => text).join('')).toBe(child.aligned.question);
  });

  it('makes a relative clause of a predicate, and a predicate of a relative clause', () => {
    expect(composed('SUB', 'own:1', 'own:3').aligned.question).toBe(
      'What are the names and fees of the gardeners that are volunteers?',
    );
    expect(composed('SUB', 'own:3', 'own:1').aligned.question).toBe('How many gardeners were born before 1980?');
    expect(composed('and', 'own:3', 'own:1').aligned.question).toBe(
      'How many gardeners are volunteers and were born before 1980?',
    );
  });

  it('puts the verb in the number of the noun', () => {
    expect(composed('SUB', 'own:4', 'own:1').aligned.question).toBe(
      'What is the fee of the gardener who was born before 1980?',
    );
  });

  it('gives a predicate its pronoun where it goes before an order', () => {
    expect(composed('and', 'own:4', 'own:3').aligned.question).toBe(
      'What is the fee of the gardener that is volunteers and with the highest annual fee?',
    );
  });

  it('joins conditions on two rows of a further table by INTERSECT, not on one row of it', () => {
    expect(sqlOfComposed(composed('and', 'own:5', 'own:6'))).toMatch(
      /soil_type = 'clay' INTERSECT SELECT .*plot_area > 20/,
    );
  });

  it('joins conditions by UNION where a join would leave out rows', () => {
    expect(sqlOfComposed(composed('or', 'own:0', 'own:5'))).toMatch(/'Portugal' UNION SELECT .*soil_type = 'clay'/);
  });
});

describe('rules', () => {
  it('have names of their own, the paper’s among them', () => {
    const ids = COMPOSITION_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(APPENDIX_A_RULES.map(({ group }) => group)).toEqual(
      expect.arrayContaining(['complexity', 'logic', 'coherence']),
    );
  });

  it.each([
    ['same-noun', 'SUB', 'own:0', 'own:7'],
    ['or-joins-conditions', 'or', 'own:0', 'own:2'],
    ['one-order', 'and', 'own:2', 'own:4'],
    ['answer-not-given', 'SUB', 'own:2', 'own:0'],
    ['same-rows-counted', 'SUB', 'own:3', 'own:5'],
    ['number-agrees', 'SUB', 'own:4', 'own:2'],
    ['no-repeated-condition', 'and', 'own:0', 'own:9'],
    ['no-contradiction', 'and', 'own:0', 'own:10'],
    ['no-contradiction', 'and', 'own:1', 'own:11'],
    ['one-row', 'and', 'own:0', 'own:12'],
    ['groups-kept', 'SUB', 'own:13', 'own:0'],
    ['one-per-group', 'SUB', 'own:0', 'own:14'],
    ['groups-to-choose', 'SUB', 'own:15', 'own:2'],
    ['compound-possible', 'and', 'own:5', 'own:16'],
    ['same-frame', 'SUB', 'own:17', 'own:1'],
    ['compound-possible', 'and', 'own:18', 'own:19'],
  ] as const)('%s refuses', (rule, kind, base, element) => {
    const questions = [
      ...GARDEN_QUESTIONS,
      aligned(
        'own:8',
        [['Show the names of gardeners '], ['who have more than one plot.', ['condition']]],
        'SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id GROUP BY T1.gardener_id HAVING count(*) > 1',
      ),
      aligned(
        'own:9',
        [['What are the fees of gardeners '], ['that are from Portugal?', ['condition']]],
        "SELECT annual_fee FROM gardener WHERE home_country = 'Portugal'",
      ),
      aligned(
        'own:10',
        [['What are the fees of gardeners '], ['that are from Spain?', ['condition']]],
        "SELECT annual_fee FROM gardener WHERE home_country = 'Spain'",
      ),
      aligned(
        'own:11',
        [['What are the fees of gardeners '], ['born after 1990?', ['condition']]],
        'SELECT annual_fee FROM gardener WHERE birth_year > 1990',
      ),
      aligned(
        'own:12',
        [['What are the fees of gardeners '], ['with gardener number 3?', ['condition']]],
        'SELECT annual_fee FROM gardener WHERE gardener_id = 3',
      ),
      aligned(
        'own:13',
        [['Show the numbers of gardeners '], ['who have more than one plot.', ['condition']]],
        'SELECT gardener_id FROM plot GROUP BY gardener_id HAVING count(*) > 1',
      ),
      aligned(
        'own:14',
        [['Show the home countries of gardeners '], ['who have more than one plot.', ['condition']]],
        'SELECT T1.home_country FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id GROUP BY T1.home_country HAVING count(*) > 1',
      ),
      aligned(
        'own:15',
        [['What is the average fee of the gardeners '], ['who come from Spain?', ['condition']]],
        "SELECT avg(annual_fee) FROM gardener WHERE home_country = 'Spain'",
      ),
      aligned(
        'own:16',
        [['Show the names of the gardeners '], ['who have the largest plot.', ['order', 'limit']]],
        'SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id ORDER BY T2.plot_area DESC LIMIT 1',
      ),
      aligned(
        'own:17',
        [['Which gardeners are '], ['from Portugal?', ['condition']]],
        "SELECT full_name FROM gardener WHERE home_country = 'Portugal'",
      ),
      aligned(
        'own:18',
        [['Show the soil types of the plots of gardeners '], ['who harvested tomatoes.', ['condition']]],
        "SELECT T2.soil_type FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id JOIN harvest AS T3 ON T2.plot_id = T3.plot_id JOIN plant AS T4 ON T3.plant_id = T4.plant_id WHERE T4.common_name = 'tomato'",
      ),
      aligned(
        'own:19',
        [['Show the names of gardeners '], ['who harvested plants from Asia.', ['condition']]],
        "SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id JOIN harvest AS T3 ON T2.plot_id = T3.plot_id JOIN plant AS T4 ON T3.plant_id = T4.plant_id WHERE T4.origin_region = 'Asia'",
      ),
    ];
    const pair = { base: gardenElement(base, questions), element: gardenElement(element, questions) };
    const given = kind === 'SUB' ? ({ kind, connective: null } as const) : ({ kind: 'APP', connective: kind } as const);
    expect(refusedBy({ ...given, ...pair }, COMPOSITION_RULES)?.id).toBe(rule);
  });

  it('let pass what is sound', () => {
    expect(refusal('SUB', 'own:0', 'own:1')).toBeUndefined();
    expect(refusal('and', 'own:0', 'own:1')).toBeUndefined();
  });
});

describe('everything composed', () => {
  it('is a question that its segments cover', () => {
    const all = allComposed();
    expect(all.length).toBeGreaterThan(20);
    for (const { aligned: child, pieces } of all) {
      expect(child.segments.map(({ text }) => text).join('')).toBe(child.question);
      expect(pieces.map(({ text }) => text).join('')).toBe(child.question);
      for (const { start, end, text, links } of child.segments) {
        expect(child.question.slice(start, end)).toBe(text);
        for (const { clause } of links) expect(child.query.clauses[clause]).toBeDefined();
      }
    }
  });

  it('has a gold that binds and is what its clauses say', () => {
    for (const one of allComposed()) {
      const sql = sqlOfComposed(one);
      expect(() => bindQuery(sql, GARDEN)).not.toThrow();
      expect(sqlOf(clausesOf(sql, GARDEN, GARDEN_KEYS), GARDEN, GARDEN_KEYS)).toBe(sql);
    }
  });

  it('is the same again', () => {
    expect(JSON.stringify(allComposed())).toBe(JSON.stringify(allComposed()));
  });
});
