import { describe, expect, it } from 'vitest';
import { refusedBy, COMPOSITION_RULES } from '../../../src/compositional/compose/composition-rules.js';
import { concordOf } from '../../../src/compositional/compose/said-clauses.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { aligned, GARDEN, GARDEN_KEYS, GARDEN_QUESTIONS, gardenElement } from './garden.js';

const LOCAL = "local gardeners refers to home_country = 'Spain'";
const LOCAL_BEHIND = "home_country = 'Spain' stands for local gardeners; fee refers to annual_fee";
const VOLUNTEERS = 'Volunteers refers to is_volunteer = 1';

interface Asked {
  readonly before?: string;
  readonly text: string;
  readonly where: string;
  readonly hint?: string;
}

/** The rules that refuse a question as a base whose element is replaced, and as what an element is taken of. */
function refusals({ before = 'Show the fees of the gardeners ', text, where, hint = '' }: Asked) {
  const asked = aligned(
    'asked',
    [[before], [`${text}.`, ['condition', 'order', 'limit']]],
    `SELECT annual_fee FROM gardener ${where}`,
  );
  const questions = [...GARDEN_QUESTIONS, { ...asked, hint }];
  const [own, other] = [gardenElement('asked', questions), gardenElement('own:0', questions)];
  const refusal = (base: typeof own, element: typeof own): string | null =>
    refusedBy({ kind: 'SUB', connective: null, base, element }, COMPOSITION_RULES)?.id ?? null;
  return { asBase: refusal(own, other), asElement: refusal(other, own) };
}

describe('a condition of an element that the words before it say', () => {
  const before = 'Show the fees of the local gardeners ';
  const where = "WHERE home_country = 'Spain' AND birth_year < 1970";

  it.each([LOCAL, LOCAL_BEHIND])('by a hint, does not go with the element: %s', (hint) => {
    const asked = { before, text: 'who were born before 1970', where };
    expect(refusals({ ...asked, hint }).asBase).toBe('words-as-clauses');
    expect(refusals(asked).asBase).toBeNull();
  });

  it('does not come along with an element that says its digit in a date', () => {
    const asked = {
      before: 'Show the fees of the volunteer gardeners ',
      text: 'who joined on 2019/1/1',
      where: "WHERE is_volunteer = 1 AND join_date = '2019-01-01'",
    };
    expect(refusals({ ...asked, hint: VOLUNTEERS }).asElement).toBe('words-as-clauses');
    expect(refusals(asked).asElement).toBeNull();
  });

  it('by the name of a flag, without a hint, does not go with the element', () => {
    const asked = {
      before: 'Show the fees of the volunteer gardeners ',
      text: 'who were born before 1970',
      where: 'WHERE is_volunteer = 1 AND birth_year < 1970',
    };
    expect(refusals(asked).asBase).toBe('words-as-clauses');
  });
});

describe('a condition that the element says', () => {
  it.each([
    ['who are local gardeners', "WHERE home_country = 'Spain'", LOCAL],
    ['who come from Spain', "WHERE home_country = 'Spain'", LOCAL],
    ['who are volunteers', 'WHERE is_volunteer = 1', VOLUNTEERS],
    ['who are volunteers', 'WHERE is_volunteer = 1', ''],
  ])('goes with it: %s', (text, where, hint) => {
    expect(refusals({ text, where, hint }).asBase).toBeNull();
    expect(refusals({ before: 'Show the fees of the local gardeners ', text, where, hint }).asBase).toBeNull();
  });

  it('is not left with the rest of its question', () => {
    const question = 'Show the fees of the gardeners that joined on 2019/1/1 and are volunteers.';
    const { clauses: rest } = clausesOf(
      "SELECT annual_fee FROM gardener WHERE is_volunteer = 1 AND join_date = '2019-01-01'",
      GARDEN,
      GARDEN_KEYS,
    );
    const given = { question, start: question.indexOf('and are'), end: question.length - 1, own: [], rest };
    expect(concordOf({ ...given, hint: VOLUNTEERS }, GARDEN).rest).toBe(false);
    expect(concordOf({ ...given, hint: '' }, GARDEN).rest).toBe(true);
  });
});
