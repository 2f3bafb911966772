import { describe, expect, it } from 'vitest';
import type { AlignedQuestion } from '../../../src/compositional/align/aligned-question.js';
import { compose } from '../../../src/compositional/compose/composition.js';
import type { CompositionDraft } from '../../../src/compositional/compose/composition-rule.js';
import { COMPOSITION_RULES, refusedBy } from '../../../src/compositional/compose/composition-rules.js';
import { JoinCheck } from '../../../src/compositional/compose/composition-checks.js';
import { aligned, GARDEN_KEYS, GARDEN_QUESTIONS, gardenElement } from './garden.js';

type Kind = 'SUB' | 'and' | 'or';

const PLOTS = 'FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id';
const OLDEST = '(SELECT max(birth_year) FROM gardener WHERE home_country = ';

/** Questions whose words and clauses do not quite suit one another, as Spider's train has them. */
const ODD_QUESTIONS: readonly AlignedQuestion[] = [
  aligned(
    'inner',
    [['Show the gardeners who were born after every gardener '], ['from Portugal.', ['condition']]],
    `SELECT full_name FROM gardener WHERE birth_year > ${OLDEST}'Portugal')`,
  ),
  aligned(
    'any',
    [['Show the fees of gardeners '], ['who were born after any gardener from Portugal.', ['condition']]],
    `SELECT annual_fee FROM gardener WHERE birth_year > ${OLDEST}'Portugal')`,
  ),
  aligned(
    'every',
    [['Show the fees of gardeners '], ['who were born after every gardener from Portugal.', ['condition']]],
    `SELECT annual_fee FROM gardener WHERE birth_year > ${OLDEST}'Portugal')`,
  ),
  aligned(
    'within',
    [['Show the home countries of gardeners '], ['from before 1950 with their annual fee.', ['condition']]],
    'SELECT home_country, annual_fee FROM gardener WHERE birth_year < 1950',
  ),
  aligned(
    'more',
    [['Show the names of gardeners '], ['who own a plot and the plants that they grow.', ['condition']]],
    'SELECT full_name FROM gardener WHERE gardener_id IN (SELECT gardener_id FROM plot)',
  ),
  aligned(
    'far',
    [['Show the names of gardeners and the plots '], ['that come from Portugal.', ['condition']]],
    "SELECT T1.full_name, T2.plot_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id WHERE T1.home_country = 'Portugal'",
  ),
  aligned(
    'all',
    [['Show the names of all gardeners '], ['who come from Spain.', ['condition']]],
    "SELECT full_name FROM gardener WHERE home_country = 'Spain'",
  ),
  aligned(
    'except',
    [['Show the names of the gardeners '], ['without a plot.', ['set']]],
    'SELECT full_name FROM gardener EXCEPT SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id',
  ),
  aligned(
    'group',
    [['Show the average fee of the gardeners '], ['from the most common country.', ['group', 'order', 'limit']]],
    'SELECT avg(annual_fee) FROM gardener GROUP BY home_country ORDER BY count(*) DESC LIMIT 1',
  ),
  aligned(
    'each',
    [['How many gardeners are there '], ['for each home country?', ['group']]],
    'SELECT count(*) FROM gardener GROUP BY home_country',
  ),
  aligned(
    'countries',
    [['Show the home countries of gardeners '], ['who pay more than 90.', ['condition']]],
    'SELECT home_country FROM gardener WHERE annual_fee > 90',
  ),
  aligned(
    'range',
    [['Show the names of gardeners '], ['with a fee above 90.', ['condition']]],
    'SELECT full_name FROM gardener WHERE annual_fee > 90',
  ),
  aligned(
    'one',
    [['What is the name of the gardener '], ['who was born in 1970?', ['condition']]],
    'SELECT full_name FROM gardener WHERE birth_year = 1970',
  ),
  aligned(
    'kyle',
    [['What is the fee of the gardener '], ['named Kyle?', ['condition']]],
    "SELECT annual_fee FROM gardener WHERE full_name = 'Kyle'",
  ),
  aligned(
    'spanish',
    [['What is the fee of the gardener '], ['from Spain?', ['condition']]],
    "SELECT annual_fee FROM gardener WHERE home_country = 'Spain'",
  ),
  aligned(
    'least',
    [['Show the home countries of gardeners '], ['who pay the lowest annual fee.', ['condition']]],
    'SELECT home_country FROM gardener WHERE annual_fee = (SELECT min(annual_fee) FROM gardener)',
  ),
  aligned(
    'eldest',
    [['Show the home countries of gardeners '], ['with the earliest birth year.', ['order', 'limit']]],
    'SELECT home_country FROM gardener ORDER BY birth_year LIMIT 1',
  ),
  aligned(
    'third',
    [['Show the home countries of gardeners '], ['with gardener id 3.', ['condition']]],
    'SELECT home_country FROM gardener WHERE gardener_id = 3',
  ),
  aligned(
    'mean',
    [['Show the average fee of gardeners '], ['from Spain.', ['condition']]],
    "SELECT avg(annual_fee) FROM gardener WHERE home_country = 'Spain'",
  ),
  aligned(
    'rate',
    [['What is the average number of plots of gardeners '], ['from Spain?', ['condition']]],
    `SELECT CAST(count(T2.plot_id) AS REAL) / count(DISTINCT T1.full_name) ${PLOTS} WHERE T1.home_country = 'Spain'`,
  ),
  aligned(
    'area',
    [['What is the average area of the plots of gardeners '], ['from Spain?', ['condition']]],
    `SELECT avg(T2.plot_area) ${PLOTS} WHERE T1.home_country = 'Spain'`,
  ),
  aligned(
    'named',
    [['What is the birth year of the gardener '], ['with the full name "Kyle"?', ['condition']]],
    "SELECT birth_year FROM gardener WHERE full_name = 'Kyle'",
  ),
  aligned(
    'dearest',
    [['What is the home country of the gardener '], ['with the highest annual fee?', ['condition']]],
    'SELECT home_country FROM gardener WHERE gardener_id = (SELECT gardener_id FROM gardener ORDER BY annual_fee DESC LIMIT 1)',
  ),
  aligned(
    'choice',
    [['Show the home countries of gardeners '], ['who pay a higher fee, Ann or Ben.', ['condition']]],
    "SELECT home_country FROM gardener WHERE full_name IN ('Ann', 'Ben')",
  ),
];

function draft(kind: Kind, base: string, element: string): CompositionDraft {
  const questions = [...GARDEN_QUESTIONS, ...ODD_QUESTIONS];
  const pair = { base: gardenElement(base, questions), element: gardenElement(element, questions) };
  return kind === 'SUB' ? { kind, connective: null, ...pair } : { kind: 'APP', connective: kind, ...pair };
}

const refusal = (kind: Kind, base: string, element: string): string | undefined =>
  refusedBy(draft(kind, base, element), COMPOSITION_RULES)?.id;

describe('rules on what words say', () => {
  it.each([
    ['clauses-said', 'SUB', 'own:0', 'inner'],
    ['clauses-said', 'SUB', 'inner', 'own:1'],
    ['any-unclear', 'SUB', 'own:0', 'any'],
    ['selected-outside', 'SUB', 'within', 'own:0'],
    ['one-question', 'SUB', 'own:1', 'more'],
    ['one-not-all', 'SUB', 'all', 'own:4'],
    ['rows-compared', 'SUB', 'own:6', 'except'],
    ['group-of-all', 'and', 'group', 'own:1'],
    ['condition-before', 'and', 'each', 'own:1'],
    ['condition-before', 'and', 'countries', 'each'],
    ['one-not-several', 'SUB', 'own:1', 'own:4'],
    ['one-not-several', 'SUB', 'own:1', 'dearest'],
    ['average-of-several', 'SUB', 'mean', 'named'],
    ['average-of-several', 'SUB', 'rate', 'named'],
    ['no-contradiction', 'and', 'range', 'own:4'],
    ['number-agrees', 'SUB', 'one', 'own:2'],
    ['number-agrees', 'SUB', 'kyle', 'spanish'],
    ['number-agrees', 'or', 'kyle', 'spanish'],
    ['no-contradiction', 'and', 'least', 'eldest'],
    ['one-row', 'and', 'least', 'third'],
    ['one-row', 'SUB', 'mean', 'third'],
    ['answer-not-given', 'or', 'all', 'kyle'],
    ['one-question', 'SUB', 'own:1', 'choice'],
  ] as const)('%s refuses', (rule, kind, base, element) => {
    expect(refusal(kind, base, element)).toBe(rule);
  });

  it('let pass a comparison that the element says, one of several gardeners where its own question is of several, and averages of one’s rows', () => {
    expect(refusal('SUB', 'own:0', 'every')).toBeUndefined();
    expect(refusal('SUB', 'own:1', 'eldest')).toBeUndefined();
    expect(refusal('SUB', 'countries', 'named')).toBeUndefined();
    expect(refusal('SUB', 'area', 'named')).toBeUndefined();
  });
});

describe('the noun that an element modifies', () => {
  it('is the nearer one, where another table stands between it and its own', () => {
    expect(gardenElement('far', ODD_QUESTIONS).noun).toEqual({ key: 'plot', isPlural: true });
  });
});

describe('a participle behind a relative clause', () => {
  it('gets a pronoun of its own', () => {
    const named = aligned(
      'named',
      [['What are the fees of gardeners '], ['named Kyle?', ['condition']]],
      "SELECT annual_fee FROM gardener WHERE full_name = 'Kyle'",
    );
    const given = { base: gardenElement('own:1'), element: gardenElement('named', [named]) };
    const { aligned: child } = compose({ kind: 'APP', connective: 'and', ...given }, 'child');
    expect(child.question).toBe(
      'What are the names and fees of the gardeners who were born before 1980 and that are named Kyle?',
    );
  });
});

describe('a phrase behind a relative clause', () => {
  it.each([
    ['in Spain', "home_country = 'Spain'", 'and that are in Spain?'],
    ['with a fee above 90', 'annual_fee > 90', 'and that have a fee above 90?'],
  ])('gets a pronoun and a verb: %s', (text, condition, end) => {
    const placed = aligned(
      'placed',
      [['What are the fees of gardeners '], [`${text}?`, ['condition']]],
      `SELECT annual_fee FROM gardener WHERE ${condition}`,
    );
    const given = { base: gardenElement('own:1'), element: gardenElement('placed', [placed]) };
    const { aligned: child } = compose({ kind: 'APP', connective: 'and', ...given }, 'child');
    expect(child.question).toBe(`What are the names and fees of the gardeners who were born before 1980 ${end}`);
  });
});

describe('a past tense behind a relative clause', () => {
  it('gets a pronoun alone', () => {
    const lived = aligned(
      'lived',
      [['What are the fees of gardeners '], ['lived in Spain?', ['condition']]],
      "SELECT annual_fee FROM gardener WHERE home_country = 'Spain'",
    );
    const given = { base: gardenElement('own:1'), element: gardenElement('lived', [lived]) };
    const { aligned: child } = compose({ kind: 'APP', connective: 'and', ...given }, 'child');
    expect(child.question).toMatch(/before 1980 and that lived in Spain\?$/);
  });
});

describe('joins', () => {
  const plots = aligned(
    'plots',
    [['Show the names of the plots of gardeners '], ['with a harvest above 5 kilos.', ['condition']]],
    'SELECT T1.plot_name FROM plot AS T1 JOIN harvest AS T2 ON T1.plot_id = T2.plot_id WHERE T2.harvest_weight > 5',
  );
  const joins = new JoinCheck(GARDEN_KEYS);
  const composedOf = (base: string, element: AlignedQuestion): ReturnType<typeof compose> => {
    const pair = { base: gardenElement(base), element: gardenElement(element.id, [element]) };
    return compose({ kind: 'SUB', connective: null, ...pair }, 'child');
  };

  it('are those of the parents', () => {
    expect(joins.holds(compose(draft('SUB', 'own:0', 'own:5'), 'child'))).toBe(true);
  });

  it('are refused where a table that neither parent has stands between', () => {
    expect(joins.holds(composedOf('own:0', plots))).toBe(false);
  });
});
