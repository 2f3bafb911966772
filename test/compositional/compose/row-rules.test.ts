import { describe, expect, it } from 'vitest';
import type { AlignedQuestion } from '../../../src/compositional/align/aligned-question.js';
import type { CompositionDraft } from '../../../src/compositional/compose/composition-rule.js';
import { composedClauses } from '../../../src/compositional/compose/composition.js';
import { COMPOSITION_RULES, refusedBy } from '../../../src/compositional/compose/composition-rules.js';
import { aligned, GARDEN_QUESTIONS, gardenElement } from './garden.js';

type Kind = 'SUB' | 'and' | 'or';

const JOINED = 'FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id';
const gardeners = (id: string, text: string, where: string): AlignedQuestion =>
  aligned(id, [['Show the names of the gardeners '], [text, ['condition']]], `SELECT full_name FROM gardener ${where}`);

const QUESTIONS: readonly AlignedQuestion[] = [
  ...GARDEN_QUESTIONS,
  aligned(
    'several',
    [['Show the birth years of the gardeners '], ['who have more than a single plot.', ['condition', 'group']]],
    `SELECT T1.birth_year ${JOINED} GROUP BY T1.gardener_id HAVING count(*) > 1`,
  ),
  aligned(
    'countries',
    [['Show the home countries of the gardeners '], ['with more than 2 gardeners.', ['condition', 'group']]],
    'SELECT home_country FROM gardener GROUP BY home_country HAVING count(*) > 2',
  ),
  gardeners('no plot', 'who have no plot.', 'WHERE gardener_id NOT IN (SELECT gardener_id FROM plot)'),
  gardeners('sunny', 'who come from Malta.', "WHERE home_country = 'Malta'"),
  gardeners('above', 'with a fee above 5.', 'WHERE annual_fee > 5'),
  gardeners('zero', 'with a fee of 0.', 'WHERE annual_fee = 0'),
  gardeners('between', 'with a fee between 1 and 3.', 'WHERE annual_fee BETWEEN 1 AND 3'),
  gardeners('in', 'with a fee of 6 or 7.', 'WHERE annual_fee IN (6, 7)'),
  gardeners('not three', 'with a fee that is not 3.', 'WHERE annual_fee != 3'),
  gardeners('over 9', 'with a fee over 9.', 'WHERE annual_fee > 9'),
  gardeners(
    'dearest',
    'with the highest annual fee.',
    'WHERE gardener_id = (SELECT gardener_id FROM gardener ORDER BY annual_fee DESC LIMIT 1)',
  ),
  aligned(
    'plots',
    [['Show the names of the plots of gardeners '], ['who come from Portugal.', ['condition']]],
    `SELECT T2.plot_name ${JOINED} WHERE T1.home_country = 'Portugal'`,
  ),
  aligned(
    'shown',
    [['Show the names and home countries of the gardeners '], ['who pay 70.', ['condition']]],
    'SELECT full_name, home_country FROM gardener WHERE annual_fee = 70',
  ),
];

function draftOf(kind: Kind, base: string, element: string): CompositionDraft {
  const pair = { base: gardenElement(base, QUESTIONS), element: gardenElement(element, QUESTIONS) };
  return kind === 'SUB' ? { kind, connective: null, ...pair } : { kind: 'APP', connective: kind, ...pair };
}

const refusal = (kind: Kind, base: string, element: string): string | undefined =>
  refusedBy(draftOf(kind, base, element), COMPOSITION_RULES)?.id;

describe('rules on the rows that are meant', () => {
  it.each([
    ['not-denied', 'and', 'several', 'no plot'],
    ['counts-all-rows', 'and', 'countries', 'above'],
    ['one-row-meant', 'SUB', 'plots', 'own:5'],
    ['answer-not-given', 'SUB', 'shown', 'own:0'],
    ['no-contradiction', 'and', 'above', 'zero'],
    ['no-contradiction', 'and', 'above', 'between'],
    ['no-contradiction', 'and', 'above', 'in'],
    ['no-contradiction', 'and', 'above', 'not three'],
    ['no-contradiction', 'or', 'above', 'over 9'],
    ['no-contradiction', 'and', 'above', 'dearest'],
  ] as const)('%s refuses (%s %s %s)', (rule, kind, base, element) => {
    expect(refusal(kind, base, element)).toBe(rule);
  });

  it('let pass conditions on what each group is one of, and those that leave something to ask', () => {
    expect(refusal('and', 'several', 'sunny')).toBeUndefined();
    expect(refusal('and', 'over 9', 'sunny')).toBeUndefined();
    expect(refusal('or', 'above', 'between')).toBeUndefined();
    expect(composedClauses(draftOf('and', 'over 9', 'sunny')).clauses).toHaveLength(3);
  });
});
