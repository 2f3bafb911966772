import type { AlignedQuestion } from '../../../src/compositional/align/aligned-question.js';
import type { Clause } from '../../../src/compositional/clauses/clause.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import type { CompositionalElement } from '../../../src/compositional/compose/element.js';
import { elementOf } from '../../../src/compositional/compose/element.js';
import { mustGet } from '../../../src/present.js';
import { EXAMPLES } from '../../variants/relations/cases.js';

export const GARDEN = mustGet(EXAMPLES.databases.get('community_garden'), 'community_garden');
export const GARDEN_KEYS = joinKeysOf(GARDEN);

/** Kinds of clauses that a segment says; `select` where none is named. */
type Part = readonly [text: string, kinds?: readonly Clause['kind'][]];

/** A question in parts with the kinds of clauses that each says; joins and grouping are implied. */
export function aligned(id: string, parts: readonly Part[], sql: string): AlignedQuestion {
  const query = clausesOf(sql, GARDEN, GARDEN_KEYS);
  let start = 0;
  const segments = parts.map(([text, kinds = ['select']]) => {
    const links = query.clauses.flatMap(({ kind }, clause) =>
      kinds.includes(kind) ? [{ clause, confidence: 1, unmentioned: false }] : [],
    );
    const segment = { text, start, end: start + text.length, links, extra: [], confidence: 1 };
    start = segment.end;
    return segment;
  });
  return { id, dbId: GARDEN.id, question: parts.map(([text]) => text).join(''), query, segments, confidence: 1 };
}

/** Questions of our own about gardeners and plots, in sub-sentences with their clauses. */
export const GARDEN_QUESTIONS: readonly AlignedQuestion[] = [
  aligned(
    'own:0',
    [['Show the names of all gardeners '], ['who come from Portugal.', ['condition']]],
    "SELECT full_name FROM gardener WHERE home_country = 'Portugal'",
  ),
  aligned(
    'own:1',
    [['What are the names and fees of the gardeners '], ['who were born before 1980?', ['condition']]],
    'SELECT full_name, annual_fee FROM gardener WHERE birth_year < 1980',
  ),
  aligned(
    'own:2',
    [['List the home countries of the gardeners '], ['ordered by their year of birth.', ['order']]],
    'SELECT home_country FROM gardener ORDER BY birth_year ASC',
  ),
  aligned(
    'own:3',
    [['How many gardeners '], ['are volunteers?', ['condition']]],
    'SELECT count(*) FROM gardener WHERE is_volunteer = 1',
  ),
  aligned(
    'own:4',
    [['What is the fee of the gardener '], ['with the highest annual fee?', ['order', 'limit']]],
    'SELECT annual_fee FROM gardener ORDER BY annual_fee DESC LIMIT 1',
  ),
  aligned(
    'own:5',
    [['Show the names of the gardeners '], ['who have a plot with clay soil.', ['condition']]],
    "SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id WHERE T2.soil_type = 'clay'",
  ),
  aligned(
    'own:6',
    [['Show the birth years of the gardeners '], ['who have a plot of more than 20 square meters.', ['condition']]],
    'SELECT T1.birth_year FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id WHERE T2.plot_area > 20',
  ),
  aligned(
    'own:7',
    [['Which plots '], ['have clay soil?', ['condition']]],
    "SELECT plot_name FROM plot WHERE soil_type = 'clay'",
  ),
];

/** The element of one of them. */
export function gardenElement(id: string, questions = GARDEN_QUESTIONS): CompositionalElement {
  const question = mustGet(
    questions.find((one) => one.id === id),
    id,
  );
  return mustGet(elementOf(question, GARDEN, GARDEN_KEYS), `an element of ${id}`);
}
