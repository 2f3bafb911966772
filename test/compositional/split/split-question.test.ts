import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EnglishParser } from '../../../src/compositional/parser/english-parser.js';
import { BREAK_RULES } from '../../../src/compositional/split/break-rules.js';
import { isEnglish } from '../../../src/compositional/split/question-splitter.js';
import { listSplitRules, splitQuestion } from '../../../src/compositional/split/split-question.js';
import { SchemaPhrases } from '../../../src/compositional/split/schema-phrases.js';
import { type Database } from '../../../src/schema/schema.js';

function databaseOf(tables: Readonly<Record<string, readonly string[]>>): Database {
  return {
    id: 'harbor',
    tables: Object.entries(tables).map(([name, columns]) => ({
      name,
      originalName: name,
      columns: columns.map((column) => ({ name: column, originalName: column, type: 'text' as const })),
    })),
    primaryKeys: [],
    foreignKeys: [],
  };
}

const HARBOR = databaseOf({ ship: ['name', 'year in service', 'length'], captain: ['name', 'age', 'date of birth'] });

describe('split', () => {
  let parser: EnglishParser;
  beforeAll(async () => {
    parser = await EnglishParser.open();
  });
  afterAll(() => parser.close());

  async function split(question: string): Promise<readonly string[]> {
    const [tokens = []] = await parser.parse([question]);
    return splitQuestion(question, tokens, new SchemaPhrases(HARBOR).find(tokens)).map(({ text }) => text.trim());
  }

  test.each([
    ['How many ships are there?'],
    ['What are the names of the captains who are older than 40?', 'who are older than 40?'],
    ['Show the names of the ships built in 1990.', 'built in 1990.'],
    ['How many ships are there in year 2014 or 2015?', 'in year 2014 or 2015?'],
    ['List the ships ordered by their length.', 'ordered by their length.'],
    ['Show the captains who sail a ship and who are older than 40.', 'who sail a ship and', 'who are older than 40.'],
    ['Which captains have more than 3 ships?', 'have more than 3 ships?'],
    ['For each captain, how many ships are there?', ', how many ships are there?'],
    ['What is the length of the ship "The Queen of the Sea"?'],
    ['Show the year in service of each ship.'],
    ['How many ships are from Norway?', 'are from Norway?'],
    ['How many ships are there for each captain?', 'for each captain?'],
    ['How many ships are there for each captain', 'for each captain'],
    ['Show the number of ships in each year in service.', 'in each year in service.'],
    ['Show the names of captains older than 40.', 'of captains older than 40.'],
    ['List the ships, and sort them by name in descending order.', ', and sort them by name in descending order.'],
    ['List the ships sorted by name in descending order.', 'sorted by name in descending order.'],
    ['List the ships in the order of their length.', 'in the order of their length.'],
    ['Show the captains who live in Oslo.', 'who live in Oslo.'],
    [
      'Show captains who have more than 3 licenses in the harbor of Oslo.',
      'who have more than 3 licenses',
      'in the harbor of Oslo.',
    ],
    ['Show ships whose name starts with the letter M.', 'whose name starts with the letter M.'],
    ['Show the length (in 1990) of ships.'],
    ['Show ships with a length higher than or equal to 90.', 'with a length higher than or equal to 90.'],
    ['For each ship, show the captains.', ', show the captains.'],
    ['For each ship, how many captains sank?', 'how many captains sank?'],
    ['In which year did the ship sink?', 'did the ship sink?'],
    ['How many captains have ships?'],
    ['Show ships shared by captains with more than 3 licenses.', 'with more than 3 licenses.'],
    ['Show captains who are older than 40, and who have a ship.', 'who are older than 40', ', and who have a ship.'],
    ['Show the length of ships in ascending order of age.', 'in ascending order of age.'],
    ['Show each captain along with the number of ships.', 'along with the number of ships.'],
    ['Show the captains who are active.', 'who are active.'],
    // A value stays with the noun before it.
    ['How many captains from harbor code BAL own a ship?', 'from harbor code BAL', 'own a ship?'],
    ["What is the age of the captain found on ship 'Angel of Mercy'?", "found on ship 'Angel of Mercy'?"],
    ["How many captains live in the 'Hl.m. Praha' district?", "live in the 'Hl.m. Praha' district?"],
    ['Show the ships built in years 1990 through 1995.', 'built in years 1990 through 1995.'],
    ['Show the ships with length from 10 to 20.', 'with length from 10 to 20.'],
    [
      'Show the ships with a total length (TL) beyond the normal range.',
      'with a total length (TL) beyond the normal range.',
    ],
    [
      'Show the captains that were more than forty but less than sixty.',
      'that were more than forty but less than sixty.',
    ],
    // Predicates that are joined keep their verbs.
    ['How many flights depart from Aberdeen or land in Ashley?', 'depart from Aberdeen or', 'land in Ashley?'],
    ['Which flights depart from APG and arrive at AHD?', 'depart from APG and', 'arrive at AHD?'],
    [
      'How many users whose reputations are higher than 2000 and the number of views is higher than 1000?',
      'whose reputations are higher than 2000 and',
      'the number of views is higher than 1000?',
    ],
    // A contrast without a verb of its own.
    [
      'Show the harbors that had no ship in 1990 but at least two in 1991.',
      'that had no ship in 1990',
      'but at least two in 1991.',
    ],
    ['Find the harbors that had a ship in 1990 but none in 1991.', 'that had a ship in 1990', 'but none in 1991.'],
    ['Show all ships, but only those from Norway.', ', but only those from Norway.'],
    ['Show the ships in Oslo, but only those that are old.', 'in Oslo', ', but only those that are old.'],
    ['What is the name of the captain has the most ships?'],
  ])('%s', async (question, ...rest) => {
    const segments = await split(question);
    expect(segments.slice(1)).toEqual(rest);
  });

  test('covers the question, and no sub-sentence has one word', async () => {
    const questions = [
      'Return the ages of captains from Norway, and list their ships in alphabetical order!',
      '  Which ship, if any, has "a, b and c" as its name?  ',
      Array<string>(100).fill('who sails in a ship').join(' '),
      'Ships?',
      '???',
    ];
    for (const question of questions) {
      const [tokens = []] = await parser.parse([question]);
      const segments = splitQuestion(question, tokens, []);
      expect(segments.map(({ text }) => text).join('')).toBe(question);
      for (const { text, start, end } of segments) expect(question.slice(start, end)).toBe(text);
      const [first] = segments;
      for (const { text } of first?.text === question ? [] : segments) {
        expect(text.match(/[\p{L}\p{N}]+/gu)?.length).toBeGreaterThan(1);
      }
    }
  });

  test('takes two thousand words in seconds', async () => {
    const parts = [
      'who sails in a ship with 3 masts and',
      'that is older than 20 or',
      'in 1990,',
      'for each captain and',
    ];
    const question = `Show the captains ${Array.from({ length: 400 }, (_, i) => parts[i % parts.length]).join(' ')}.`;
    expect(question.split(' ').length).toBeGreaterThan(2000);
    const [tokens = []] = await parser.parse([question]);
    const before = process.cpuUsage().user;
    const segments = splitQuestion(question, tokens, new SchemaPhrases(HARBOR).find(tokens));
    expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(10);
    expect(segments.map(({ text }) => text).join('')).toBe(question);
  });

  test('keeps a schema phrase whole', async () => {
    const question = 'Show the ships by year in service 1990.';
    const [tokens = []] = await parser.parse([question]);
    const mention = { start: question.indexOf('year'), end: question.indexOf(' 1990') };
    const texts = splitQuestion(question, tokens, [mention]).map(({ text }) => text);
    expect(texts.some((text) => text.includes('year in service'))).toBe(true);
  });
});

test('every rule says what it does and where it is from', () => {
  const rules = listSplitRules();
  expect(Object.keys(rules).length).toBeGreaterThan(BREAK_RULES.length);
  for (const text of Object.values(rules)) expect(text).toMatch(/^.{20,} \(.+\)$/u);
});

test.each([
  ['Show the name of every ship.', true],
  ['Ships?', true],
  ['Wie viele Schiffe gibt es und wie heißen die Kapitäne?', false],
  ['Quels sont les noms de tous les bateaux ?', false],
  ['有多少艘船？', false],
  ['Which ship is named "Die Königin und der König von der See"?', true],
])('%s is English: %s', (question, answer) => {
  expect(isEnglish(question)).toBe(answer);
});
