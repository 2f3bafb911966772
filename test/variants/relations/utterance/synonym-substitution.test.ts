import { describe, expect, test } from 'vitest';
import { createSynonymSubstitution } from '../../../../src/variants/relations/utterance/synonym-substitution.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import { caseOf, mutateOne } from '../cases.js';

const relation = createSynonymSubstitution(SQLITE);

async function questionsOf(question: string, query: string, dbId?: string): Promise<readonly string[]> {
  const result = await mutateOne(relation, caseOf(question, query, dbId), 20);
  return 'reason' in result ? [] : result.map((mutation) => mutation.question);
}

describe('synonym substitution', () => {
  test('changes words for MIN and MAX in one style', async () => {
    const query = 'SELECT max(monthly_rent), min(monthly_rent) FROM plot';
    expect(await questionsOf('Show the highest and lowest monthly rent.', query)).toEqual([
      'Show the maximum and minimum monthly rent.',
      'Show the maximal and minimal monthly rent.',
      'Show the largest and smallest monthly rent.',
    ]);
  });

  test('takes an order with a limit for a greatest or least value', async () => {
    const query = 'SELECT FullName FROM Potter ORDER BY MonthlySalary DESC LIMIT 1';
    const questions = await questionsOf('Who has the highest monthly salary?', query, 'pottery_studio');
    expect(questions).toContain('Who has the largest monthly salary?');
  });

  test('leaves words that belong to no quantity of the gold', async () => {
    const query = 'SELECT plot_name FROM plot ORDER BY plot_area DESC LIMIT 1';
    expect(await questionsOf('Which is the largest plot?', query)).toEqual([]);
    expect(await questionsOf('Show the highest monthly rent.', 'SELECT plot_name FROM plot')).toEqual([]);
    expect(await questionsOf('Find the number of the plot.', 'SELECT plot_name FROM plot')).toEqual([]);
  });

  test('exchanges words for COUNT, SUM and AVG', async () => {
    const counted = await questionsOf('What is the number of gardeners?', 'SELECT count(*) FROM gardener');
    expect(counted).toEqual(
      ['total number', 'count', 'total count', 'amount', 'total amount'].map(
        (words) => `What is the ${words} of gardeners?`,
      ),
    );
    expect(await questionsOf('What is the sum of all fees?', 'SELECT sum(annual_fee) FROM gardener')).toContain(
      'What is the total amount of all fees?',
    );
    expect(await questionsOf('What is the average of the fees?', 'SELECT avg(annual_fee) FROM gardener')).toEqual([
      'What is the mean of the fees?',
    ]);
    expect(await questionsOf('Show the average fee.', 'SELECT avg(annual_fee) FROM gardener')).toEqual([
      'Show the mean fee.',
    ]);
  });

  test('gives no count that could be taken for a sum', async () => {
    const questions = await questionsOf('What is the number of payments?', 'SELECT count(*) FROM gardener');
    expect(questions.length).toBeGreaterThan(0);
    expect(questions.some((question) => question.includes('amount'))).toBe(false);
  });

  test('goes by whole words, and touches neither quotes nor values of the gold', async () => {
    const query = "SELECT max(plot_area) FROM plot WHERE plot_name = 'highest plot area'";
    expect(await questionsOf('Show the plot area of "highest plot area".', query)).toEqual([]);
    expect(await questionsOf('Show the plot area of highest plot area.', query)).toEqual([]);
    expect(await questionsOf('Show the thelargestplot area.', query)).toEqual([]);
  });

  test('keeps a capital', async () => {
    const query = 'SELECT avg(annual_fee) FROM gardener';
    expect(await questionsOf('Average annual fee of all?', query)).toEqual(['Mean annual fee of all?']);
  });

  test('says why it does not apply', async () => {
    expect(await mutateOne(relation, caseOf('List the names.', 'SELECT full_name FROM gardener'))).toEqual({
      reason: 'no word for an aggregate of the gold query',
    });
    expect(await mutateOne(relation, caseOf('The number of what?', 'SELECT "open'))).toEqual({
      reason: 'the gold query can’t be read',
    });
  });
});
