import { describe, expect, it } from 'vitest';
import { WRONG_KINDS } from '../../bench/guard/wrong-wordings.js';
import { createRng } from '../../src/seeded-rng.js';
import { caseOf } from '../variants/relations/cases.js';

describe('bench:guard', () => {
  it.each([
    ['negation', 'Which singers who are old sing?', 'Which singers who are not old sing?'],
    ['negation', 'Which singers do not sing?', null],
    ['comparison', 'Who has more than 3 cars?', 'Who has less than 3 cars?'],
    ['extreme', 'What is the lowest age?', 'What is the highest age?'],
    ['aggregate', 'What is the average age?', 'What is the total age?'],
    ['order', 'Names in descending order.', 'Names in ascending order.'],
    ['condition', 'What are the names of singers who are from France?', 'What are the names of singers?'],
    ['value', 'Who is from France?', 'Who is from Italy?'],
    ['another', 'Who is from France?', 'What is in Italy?'],
  ])('makes a wrong wording by %s: %j, %j', (kind, question, expected) => {
    const one = caseOf(question, 'SELECT 1 WHERE 1');
    const source = { ...one, others: ['What is in Italy?'] };
    expect(WRONG_KINDS[kind]!(source, createRng(0, 'a'))).toBe(expected);
  });
});
