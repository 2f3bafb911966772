import { describe, expect, it } from 'vitest';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { discordOf } from '../../../src/compositional/compose/said-clauses.js';
import { COMPOSITION_RULES, refusedBy } from '../../../src/compositional/compose/composition-rules.js';
import { aligned, GARDEN, GARDEN_KEYS, GARDEN_QUESTIONS, gardenElement } from './garden.js';

/** What a text and the conditions of a query differ in; the query's selection is left aside. */
function discord(text: string, sql: string): string | null {
  const { clauses } = clausesOf(sql, GARDEN, GARDEN_KEYS);
  return discordOf(
    text,
    clauses.filter(({ kind }) => kind !== 'select'),
    GARDEN,
  );
}

const from = (rest: string): string => `SELECT full_name FROM gardener ${rest}`;
const plots = (rest: string): string => `SELECT plot_name FROM plot ${rest}`;

describe('words and clauses', () => {
  it('differ in the constant of a CASE that no word says', () => {
    const share = "SELECT avg(CASE WHEN home_country = 'Spain' THEN 1.0 ELSE 0 END) FROM gardener";
    const { clauses } = clausesOf(share, GARDEN, GARDEN_KEYS);
    expect(discordOf('What is the share of gardeners?', clauses, GARDEN)).toBe('constant');
    expect(discordOf('What is the share of gardeners from Spain?', clauses, GARDEN)).toBeNull();
  });

  it('agree where each says what the other says, in other words too', () => {
    const fine: readonly (readonly [string, string])[] = [
      ['who come from Portugal', from("WHERE home_country = 'Portugal'")],
      ['who are French', from("WHERE home_country = 'France'")],
      ['from the United States', from("WHERE home_country = 'usa'")],
      ['who are volunteers', from('WHERE is_volunteer = 1')],
      ['who are not volunteers', from('WHERE is_volunteer = 0')],
      ['who joined in 2019', from("WHERE join_date LIKE '2019%'")],
      ['with 3 or more plots', 'SELECT gardener_id FROM plot GROUP BY gardener_id HAVING count(*) > 2'],
      ['with at least two plots', 'SELECT gardener_id FROM plot GROUP BY gardener_id HAVING count(*) >= 2'],
      ['the top five by annual fee', from('ORDER BY annual_fee DESC LIMIT 5')],
      ['with the lowest fee', from('ORDER BY annual_fee LIMIT 1')],
      ['whose fee is above the average', from('WHERE annual_fee > (SELECT avg(annual_fee) FROM gardener)')],
      ['who do not come from Spain', from("WHERE home_country != 'Spain'")],
      ['without a country', from('WHERE home_country IS NULL')],
      ['that have a home country', from('WHERE home_country IS NOT NULL')],
      ['with no more than 3 hours of sunlight', plots('WHERE sunlight_hours <= 3')],
      ['called "North Bed"', plots("WHERE plot_name = 'North Bed'")],
    ];
    for (const [text, sql] of fine) expect([text, discord(text, sql)]).toEqual([text, null]);
  });

  it('differ in a value, number, name, superlative, comparison or denial that one of them has alone', () => {
    const odd: readonly (readonly [string, string, string])[] = [
      ['in 2006', plots("WHERE plot_name LIKE '%Arson%' AND sunlight_hours = 2006"), 'constant'],
      ['from Portugal', from("WHERE home_country = 'Portugal' AND annual_fee = 70"), 'constant'],
      ['who are new', from('WHERE is_volunteer = 1'), 'constant'],
      ['with sunlight', plots('WHERE soil_type IS NOT NULL'), 'constant'],
      ['from Portugal since 1990', from("WHERE home_country = 'Portugal'"), 'number'],
      ['the top five by annual fee', from('ORDER BY annual_fee DESC LIMIT 1'), 'number'],
      ['from Portugal and Spain', from("WHERE home_country = 'Portugal'"), 'name'],
      ['called "North Bed" with clay', plots("WHERE soil_type = 'clay'"), 'name'],
      ['with the highest fee from Portugal', from("WHERE home_country = 'Portugal'"), 'superlative'],
      ['sunlight', plots('ORDER BY sunlight_hours LIMIT 1'), 'superlative'],
      ['with more than 70', from('WHERE annual_fee = 70'), 'range'],
      ['with at least 3 plots', 'SELECT gardener_id FROM plot GROUP BY gardener_id HAVING count(*) > 3', 'range'],
      ['with a fee over 70', from('WHERE annual_fee >= 70'), 'range'],
      ['who mostly come from Portugal', from("WHERE home_country = 'Portugal'"), 'superlative'],
      ['with an annual fee of 70', from('WHERE annual_fee > 70'), 'range'],
      ['who do not come from Portugal', from("WHERE home_country = 'Portugal'"), 'denial'],
      ['who come from Portugal', from("WHERE home_country != 'Portugal'"), 'denial'],
    ];
    for (const [text, sql, in_] of odd) expect([text, discord(text, sql)]).toEqual([text, in_]);
  });

  it('differ in a number that nothing counts and no column has', () => {
    const asked = (text: string, sql: string): string | null =>
      discordOf(text, clausesOf(sql, GARDEN, GARDEN_KEYS).clauses, GARDEN);
    expect(asked('Show the total number of gardeners', 'SELECT gardener_id FROM gardener')).toBe('counted');
    expect(asked('Show the total number of gardeners', 'SELECT count(*) FROM gardener')).toBeNull();
    expect(asked('How many sunlight hours do plots have?', 'SELECT sunlight_hours FROM plot')).toBeNull();
  });

  it('that differ are not composed: of an element, what stays of its question, or all of that', () => {
    const questions = [
      ...GARDEN_QUESTIONS,
      aligned(
        'moved',
        [['Show the names of the Portuguese gardeners '], ['who pay 70.', ['condition']]],
        "SELECT full_name FROM gardener WHERE home_country = 'Portugal' AND annual_fee = 70",
      ),
      aligned(
        'hidden',
        [['Show the fees of the 3 gardeners '], ['who come from Spain.', ['condition']]],
        "SELECT annual_fee FROM gardener WHERE home_country = 'Spain'",
      ),
    ];
    const refusal = (kind: 'SUB' | 'APP', base: string, element: string): string | undefined =>
      refusedBy(
        {
          kind,
          connective: kind === 'SUB' ? null : 'and',
          base: gardenElement(base, questions),
          element: gardenElement(element, questions),
        },
        COMPOSITION_RULES,
      )?.id;
    expect(refusal('SUB', 'own:6', 'moved')).toBe('words-as-clauses');
    expect(refusal('SUB', 'moved', 'own:1')).toBe('words-as-clauses');
    expect(refusal('APP', 'moved', 'own:1')).toBeUndefined();
    expect(refusal('APP', 'hidden', 'own:1')).toBe('words-as-clauses');
    expect(refusal('SUB', 'own:0', 'hidden')).toBeUndefined();
  });
});
