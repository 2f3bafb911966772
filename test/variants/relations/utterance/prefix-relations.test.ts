import { beforeAll, describe, expect, test } from 'vitest';
import { Inflector } from '../../../../src/dictionary/inflection.js';
import { WordNet, wordnetFolder } from '../../../../src/dictionary/wordnet-reader.js';
import type { Mutation, Relation } from '../../../../src/variants/relations/relation.js';
import { PREFIX_INSERTION } from '../../../../src/variants/relations/utterance/prefix-insertion.js';
import { PREFIX_REMOVAL } from '../../../../src/variants/relations/utterance/prefix-removal.js';
import { createPrefixSubstitution } from '../../../../src/variants/relations/utterance/prefix-substitution.js';
import { caseOf, exampleCases, mutateOne, relationContext } from '../cases.js';

let substitution: Relation;
beforeAll(() => {
  substitution = createPrefixSubstitution(new Inflector(WordNet.load(wordnetFolder())));
});

async function questionsOf(relation: Relation, question: string, limit = 20): Promise<readonly string[]> {
  const result = await mutateOne(relation, caseOf(question), limit);
  return 'reason' in result ? [result.reason] : result.map((mutation) => mutation.question);
}

describe('prefix insertion', () => {
  test('puts a common declarative prefix before a question, as the paper does', async () => {
    const questions = await questionsOf(PREFIX_INSERTION, 'What is the age of all singers?');
    expect(questions).toContain('Tell me what is the age of all singers.');
    expect(questions).toContain('Return: what is the age of all singers?');
    expect(questions).toHaveLength(10);
  });

  test('sets a question apart whose words stand as in no statement', async () => {
    const questions = await questionsOf(PREFIX_INSERTION, 'How many singers do we have?');
    expect(questions).toContain('Tell me, how many singers do we have?');
    expect(questions.every((question) => question.endsWith('do we have?'))).toBe(true);
    expect(await questionsOf(PREFIX_INSERTION, 'Which singers are over 40?')).toContain(
      'Return which singers are over 40.',
    );
  });

  test('lists only what is more than one', async () => {
    expect(await questionsOf(PREFIX_INSERTION, 'What are the names?')).toContain('List: what are the names?');
    const one = await questionsOf(PREFIX_INSERTION, 'What is the name?');
    expect(one.some((question) => question.startsWith('List'))).toBe(false);
  });

  test('goes by whole words and keeps the letters of the rest', async () => {
    expect(await questionsOf(PREFIX_INSERTION, 'Whatever is "France"?')).toEqual(['no interrogative prefix']);
    expect(await questionsOf(PREFIX_INSERTION, 'Show the ages.')).toEqual(['no interrogative prefix']);
    const questions = await questionsOf(PREFIX_INSERTION, 'which singers are from "New  York" or the USA?');
    expect(questions).toContain('tell me which singers are from "New  York" or the USA.');
  });
});

describe('prefix removal', () => {
  test.each([
    ['What is the age of all singers?', 'The age of all singers?'],
    ['Please show me the names of "France".', 'The names of "France".'],
    ['list the names', 'the names'],
  ])('leaves the noun phrase of %j', async (before, after) => {
    expect(await questionsOf(PREFIX_REMOVAL, before)).toEqual([after]);
  });

  test.each([
    ['How many singers are there?', 'no common prefix'],
    ['Count the singers.', 'no common prefix'],
    ['Find how many singers there are.', 'no noun phrase after the prefix'],
    ['List the names and sort them by age.', 'more than one question'],
    ['What is the name? Give me the age too.', 'more than one question'],
  ])('does not apply to %j: %s', async (question, reason) => {
    expect(await questionsOf(PREFIX_REMOVAL, question)).toEqual([reason]);
  });
});

describe('prefix substitution', () => {
  test('writes what agrees in number, with the mark that fits', async () => {
    const plural = await questionsOf(substitution, 'Find the names of all singers.');
    expect(plural).toContain('What are the names of all singers?');
    expect(plural).toContain('List the names of all singers.');
    const singular = await questionsOf(substitution, 'Return the age of the oldest singer.');
    expect(singular).toContain('What is the age of the oldest singer?');
    expect(singular).toContain("What's the age of the oldest singer?");
    expect(singular.some((question) => question.startsWith('List'))).toBe(false);
    expect(await questionsOf(substitution, 'Show the name and age of each singer.')).toContain(
      'What are the name and age of each singer?',
    );
    expect(await questionsOf(substitution, 'What is the age?')).toContain('Tell me the age.');
  });

  test('asks for no number where it can’t be told', async () => {
    const questions = await questionsOf(substitution, 'Show each singer.');
    expect(questions.some((question) => question.startsWith('What'))).toBe(false);
    expect(questions).toContain('Find each singer.');
  });

  test('takes "count the number of" for a common prefix, "count the singers" for none', async () => {
    expect(await questionsOf(substitution, 'Count the number of singers.')).toContain('What is the number of singers?');
    expect(await questionsOf(substitution, 'Count the singers.')).toEqual(['no common prefix']);
  });

  test('keeps a first clause in the form of its second', async () => {
    const questions = await questionsOf(substitution, 'List the names and sort them by age.');
    expect(questions).toContain('Return the names and sort them by age.');
    expect(questions.some((question) => question.startsWith('What'))).toBe(false);
  });
});

describe('each prefix relation', () => {
  const relations = (): Relation[] => [PREFIX_INSERTION, PREFIX_REMOVAL, substitution];

  test('keeps the gold, gives distinct questions and at most as many as asked for', async () => {
    for (const relation of relations()) {
      const results = await relation.mutate(exampleCases(), 3, relationContext());
      expect(results).toHaveLength(30);
      for (const [i, one] of exampleCases().entries()) {
        const result = results[i]!;
        if ('reason' in result) continue;
        expect(result.length).toBeGreaterThan(0);
        expect(result.length).toBeLessThanOrEqual(3);
        expect(new Set(result.map(({ question }) => question)).size).toBe(result.length);
        for (const { question, query, expectation, mutated } of result) {
          expect(question).not.toBe(one.example.question);
          expect({ query, expectation, mutated }).toEqual({
            query: one.example.query,
            expectation: 'same-query',
            mutated: null,
          });
        }
      }
    }
  });

  test('changes no letter of the body', async () => {
    const bodyOf = ({ question }: Pick<Mutation, 'question'>): string => question.replace(/[.?]$/, '').slice(-40);
    for (const relation of relations()) {
      for (const one of exampleCases()) {
        const result = await mutateOne(relation, one);
        if ('reason' in result) continue;
        for (const mutation of result) {
          // A short question's body may begin within these letters.
          const most = Math.min(20, bodyOf(mutation).length, bodyOf(one.example).length - 10);
          expect(bodyOf(mutation).slice(-most)).toBe(bodyOf(one.example).slice(-most));
        }
      }
    }
  });

  test('draws the same for a case whatever stands next to it, and other ones for another seed', async () => {
    const [first, second] = exampleCases().filter(({ example }) => example.question.startsWith('What')) as [
      never,
      never,
    ];
    const both = await substitution.mutate([first, second], 4, relationContext());
    expect(await substitution.mutate([second], 4, relationContext())).toEqual([both[1]]);
    const seeds = [0, 1, 2, 3, 4].map((seed) => mutateOne(substitution, second, 4, seed));
    expect(new Set((await Promise.all(seeds)).map((result) => JSON.stringify(result))).size).toBeGreaterThan(1);
  });
});
