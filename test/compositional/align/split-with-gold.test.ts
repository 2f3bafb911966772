import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuestionAligner } from '../../../src/compositional/align/align-question.js';
import { splitWithGold } from '../../../src/compositional/align/split-with-gold.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { EnglishParser } from '../../../src/compositional/parser/english-parser.js';
import { SchemaPhrases } from '../../../src/compositional/split/schema-phrases.js';
import { splitQuestion } from '../../../src/compositional/split/split-question.js';
import { STADIUMS } from '../stadium-database.js';

describe('split with gold', () => {
  let parser: EnglishParser;
  beforeAll(async () => {
    parser = await EnglishParser.open();
  });
  afterAll(() => parser.close());

  async function both(question: string, sql: string): Promise<readonly (readonly string[])[]> {
    const [tokens = []] = await parser.parse([question]);
    const mentions = new SchemaPhrases(STADIUMS).find(tokens);
    const query = clausesOf(sql, STADIUMS, joinKeysOf(STADIUMS, [sql]));
    const alone = splitQuestion(question, tokens, mentions);
    const gold = splitWithGold({ id: 'a', question, tokens, query }, new QuestionAligner(STADIUMS));
    return [alone, gold].map((segments) => segments.map(({ text }) => text.trim()));
  }

  test('a word of the schema that is a value of the query says a condition', async () => {
    const [alone, gold] = await both('Show the singers in hand.', "SELECT name FROM singer WHERE country = 'hand'");
    expect(alone).toEqual(['Show the singers in hand.']);
    expect(gold).toEqual(['Show the singers', 'in hand.']);
  });

  test('a phrase that says an order of the query is a sub-sentence, whatever its words', async () => {
    const [alone, gold] = await both('Show the names of singers over age.', 'SELECT name FROM singer ORDER BY age');
    expect(alone).toEqual(['Show the names of singers over age.']);
    expect(gold).toEqual(['Show the names of singers', 'over age.']);
  });

  test('a phrase that says nothing of the query joins what modifies its noun', async () => {
    const sql = "SELECT name FROM singer WHERE country LIKE 'A%'";
    const [alone, gold] = await both('Show the names of singers from countries beginning with A.', sql);
    expect(alone).toEqual(['Show the names of singers', 'from countries', 'beginning with A.']);
    expect(gold).toEqual(['Show the names of singers', 'from countries beginning with A.']);
  });

  test('covers the question', async () => {
    const question = ` Which ${'singers in France and '.repeat(60)}stadiums hold 5000 people? `;
    const [alone, gold] = await both(question, 'SELECT name FROM stadium WHERE capacity > 5000');
    for (const texts of [alone, gold]) expect(texts?.join(' ')).toBe(question.trim());
  });
});
