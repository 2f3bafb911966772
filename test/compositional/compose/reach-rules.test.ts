import { describe, expect, it } from 'vitest';
import type { AlignedQuestion } from '../../../src/compositional/align/aligned-question.js';
import type { Clause } from '../../../src/compositional/clauses/clause.js';
import { sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import { composedClauses } from '../../../src/compositional/compose/composition.js';
import type { CompositionDraft } from '../../../src/compositional/compose/composition-rule.js';
import { COMPOSITION_RULES, refusedBy } from '../../../src/compositional/compose/composition-rules.js';
import { aligned, GARDEN, GARDEN_KEYS, GARDEN_QUESTIONS, gardenElement } from './garden.js';

type Kind = 'SUB' | 'and' | 'or';

const PLOTS = 'FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id';

/** "Show the names of the gardeners …". */
function gardeners(
  id: string,
  text: string,
  rest: string,
  kinds: readonly Clause['kind'][] = ['condition'],
): AlignedQuestion {
  return aligned(
    id,
    [['Show the names of the gardeners '], [`${text}.`, kinds]],
    `SELECT full_name FROM gardener ${rest}`,
  );
}

const QUESTIONS: readonly AlignedQuestion[] = [
  ...GARDEN_QUESTIONS,
  gardeners('spain', 'who come from Spain', "WHERE home_country = 'Spain'"),
  gardeners('top', 'with the 3 highest annual fees', 'ORDER BY annual_fee DESC LIMIT 3', ['order', 'limit']),
  gardeners('oldest', 'with the earliest birth year', 'WHERE birth_year = (SELECT min(birth_year) FROM gardener)'),
  gardeners('born', 'who were born in 1970', 'WHERE birth_year = 1970'),
  gardeners('joined', 'who joined on 2019-05-01', "WHERE join_date = '2019-05-01'"),
  gardeners('joined in', 'who joined in 2020', "WHERE strftime('%Y', join_date) = '2020'"),
  gardeners('outside', 'born before 1950 or after 1980', 'WHERE birth_year < 1950 OR birth_year > 1980'),
  gardeners('early', 'born before 1940', 'WHERE birth_year < 1940'),
  gardeners('fee', 'who pay more than 40', 'WHERE annual_fee > 40'),
  aligned(
    'two of one',
    [['Show the fees of the Portuguese gardeners '], ['who were born before 1950.', ['limit']]],
    "SELECT annual_fee FROM gardener WHERE home_country = 'Portugal' AND birth_year < 1950",
  ),
  aligned(
    'dear plots',
    [['Which plots '], ['belong to the gardener with the highest annual fee?', ['condition']]],
    'SELECT plot_name FROM plot WHERE gardener_id = (SELECT gardener_id FROM gardener ORDER BY annual_fee DESC LIMIT 1)',
  ),
  aligned(
    'their gardeners',
    [['Show the names of the gardeners with plots '], ['that have clay soil.', ['condition']]],
    `SELECT T1.full_name ${PLOTS} WHERE T2.soil_type = 'clay'`,
  ),
  aligned(
    'plots of one',
    [['Show the names of the plots '], ['that belong to the gardener with the id 3.', ['condition']]],
    `SELECT T2.plot_name ${PLOTS} WHERE T1.gardener_id = 3`,
  ),
  aligned(
    'harvested',
    [['Show the names of the gardeners with plots '], ['that have a harvest of the grade A.', ['condition']]],
    `SELECT T1.full_name ${PLOTS} JOIN harvest AS T3 ON T2.plot_id = T3.plot_id WHERE T3.quality_grade = 'A'`,
  ),
  aligned(
    'plots of Spain',
    [['Show the names of the plots '], ['that belong to a gardener from Spain.', ['condition']]],
    `SELECT T2.plot_name ${PLOTS} WHERE T1.home_country = 'Spain'`,
  ),
  aligned(
    'rent',
    [['Show the rent of the plots '], ['for which more than 9 is paid monthly.', ['condition']]],
    'SELECT monthly_rent FROM plot WHERE monthly_rent > 9',
  ),
];

/** One of two conditions said before the element: that on the country. */
const RESTRICTED: AlignedQuestion = (() => {
  const question = QUESTIONS.find(({ id }) => id === 'two of one') ?? expect.fail();
  const [first, second] = question.segments;
  const conditions = question.query.clauses.flatMap(({ kind }, clause) => (kind === 'condition' ? [clause] : []));
  const link = (clause: number | undefined) => ({ clause: clause ?? -1, confidence: 1, unmentioned: false });
  if (first === undefined || second === undefined) return expect.fail();
  return {
    ...question,
    segments: [
      { ...first, links: [...first.links, link(conditions[0])] },
      { ...second, links: [link(conditions[1])] },
    ],
  };
})();
const ALL = [...QUESTIONS.filter(({ id }) => id !== RESTRICTED.id), RESTRICTED];

function draftOf(kind: Kind, base: string, element: string): CompositionDraft {
  const pair = { base: gardenElement(base, ALL), element: gardenElement(element, ALL) };
  return kind === 'SUB' ? { kind, connective: null, ...pair } : { kind: 'APP', connective: kind, ...pair };
}

const refusal = (kind: Kind, base: string, element: string): string | null =>
  refusedBy(draftOf(kind, base, element), COMPOSITION_RULES)?.id ?? null;

describe('how far a superlative reaches', () => {
  it.each([
    ['and', 'spain', 'top'],
    ['and', 'spain', 'oldest'],
    ['and', 'oldest', 'spain'],
    ['SUB', 'two of one', 'oldest'],
  ] as const)('is open: %s %s %s', (kind, base, element) => {
    expect(refusal(kind, base, element)).toBe('superlative-reach');
  });

  it.each([
    ['or', 'spain', 'oldest'],
    ['SUB', 'two of one', 'top'],
    ['SUB', 'spain', 'oldest'],
    ['and', 'own:7', 'dear plots'],
  ] as const)('is clear: %s %s %s', (kind, base, element) => {
    expect(refusal(kind, base, element)).toBeNull();
  });
});

describe('times and columns of two parts', () => {
  it.each([
    ['one-time', 'and', 'born', 'joined'],
    ['no-contradiction', 'and', 'joined', 'joined in'],
    ['no-contradiction', 'and', 'joined in', 'joined'],
    ['no-contradiction', 'and', 'outside', 'early'],
    ['answer-not-given', 'SUB', 'their gardeners', 'plots of one'],
    ['selected-said', 'SUB', 'rent', 'own:7'],
  ] as const)('%s refuses (%s %s %s)', (rule, kind, base, element) => {
    expect(refusal(kind, base, element)).toBe(rule);
  });

  it.each([
    ['or', 'born', 'joined'],
    ['or', 'joined', 'joined in'],
    ['and', 'fee', 'joined'],
    ['and', 'rent', 'own:7'],
  ] as const)('pass where they are of one thing or an alternative: %s %s %s', (kind, base, element) => {
    expect(refusal(kind, base, element)).toBeNull();
  });
});

describe('a table that the noun names and that only led to what goes', () => {
  it('is joined all the same', () => {
    const { clauses } = composedClauses(draftOf('SUB', 'harvested', 'plots of Spain'));
    expect(sqlOf({ distinct: false, clauses }, GARDEN, GARDEN_KEYS)).toBe(
      `SELECT T1.full_name ${PLOTS} WHERE T1.home_country = 'Spain'`,
    );
  });
});
