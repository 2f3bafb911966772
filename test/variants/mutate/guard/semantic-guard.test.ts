import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SemanticGuard } from '../../../../src/variants/mutate/guard/semantic-guard.js';
import type { EntailmentPair, EntailmentScore } from '../../../../src/stage.js';
import { relationContext } from '../../relations/cases.js';

/** A guard whose judge answers by the words of a pair, and notes what it is asked. */
function guardThat(
  entailment: (pair: EntailmentPair) => number,
  asked: (readonly [string, string])[] = [],
): SemanticGuard {
  const scorer = {
    id: 'words',
    fingerprint: '',
    score: async (pairs: readonly EntailmentPair[]) => {
      asked.push(...pairs.map(({ premise, hypothesis }) => [premise, hypothesis] as const));
      return pairs.map((pair): EntailmentScore => ({
        neutral: 0,
        contradiction: 0,
        entailmentLogit: 0,
        reading: null,
        entailment: entailment(pair),
      }));
    },
  };
  return new SemanticGuard(scorer);
}

/** A guard that decides without its judge. */
const byWords = guardThat(() => {
  throw new Error('asked');
});

async function reasonOf(before: string, after: string, guard = byWords): Promise<string | null | undefined> {
  return (await guard.judge([{ before, after }], relationContext()))[0];
}

describe('semantic guard', () => {
  test.each([
    ['What is the age of all the singers?', 'Tell me the age of all the singers.'],
    ['Which singers are old?', 'I want to know which singers are old.'],
    ['Count the number of singers.', 'Let me know the total amount of singers.'],
    ['How many singers are there?', 'What is the number of singers?'],
    ['What are the smallest and largest ages?', 'What are the minimum and maximum ages?'],
    ['List the "Name" of every singer.', 'For each singer, the name, please.'],
    ['Which has more than 3 but less than 5?', 'Which has less than 5 but greater than three?'],
    ['Who came before "after dark"?', 'Tell me who came before "after dark".'],
  ])('keeps without asking the judge: %j, %j', async (before, after) => {
    expect(await reasonOf(before, after)).toBeNull();
  });

  test.each([
    ['Who is older than 20 and has more than 3 cars?', 'Who is older than 20 and has fewer than 3 cars?', 'counts'],
    ['Sort them in Ascending order.', 'Sort them in descending order.', 'counts'],
    ['Who is in room 7?', 'Who is in room 8?', 'counts'],
    ['Who is at the top five?', 'Who is at the top six?', 'counts'],
    ['What is the average age?', 'What is the total age?', 'counts'],
    ['Which singers sing?', "Which singers don't sing?", 'counts'],
    ['Which singers are from France?', 'Which singers?', 'leaves out'],
    ['Who is in the US?', 'Who is in it?', 'leaves out'],
    ['Which singers sing?', 'Which old singers sing?', 'says more'],
  ])('refuses without asking the judge: %j, %j', async (before, after, reason) => {
    expect(await reasonOf(before, after)).toMatch(new RegExp(`^${reason}`));
  });

  test('asks the judge of words that gave way to others, both ways', async () => {
    const asked: (readonly [string, string])[] = [];
    const guard = guardThat(({ premise }) => (premise === 'country' ? 0.3 : 0.9), asked);
    const before = 'What is the age of all singers?';
    const pairs = [
      ...['artists', 'countries'].map((word) => ({ before, after: before.replace('singers', word) })),
      { before, after: before },
    ];
    expect(await guard.judge(pairs, relationContext())).toEqual([null, 'names something else', null]);
    expect(asked).toEqual([
      ['singer', 'artist'],
      ['artist', 'singer'],
      ['singer', 'country'],
      ['country', 'singer'],
    ]);
  });

  test('keeps any question as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (question) => {
        expect(await reasonOf(question, question)).toBeNull();
      }),
    );
  });

  test('refuses both ways or neither', async () => {
    const word = fc.constantFrom('tell', 'me', 'what', 'ages', 'not', '3', 'amount', 'number', 'of', 'total', 'singer');
    const question = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    const strict = guardThat(() => 0);
    await fc.assert(
      fc.asyncProperty(question, question, async (one, other) => {
        const [there, back] = [await reasonOf(one, other, strict), await reasonOf(other, one, strict)];
        expect(there === null).toBe(back === null);
      }),
    );
  });
});
