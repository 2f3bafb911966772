import { describe, expect, test } from 'vitest';
import { changedWindow } from '../../../src/metamorphic/guard/changed-window.js';
import { SemanticGuard } from '../../../src/metamorphic/guard/semantic-guard.js';
import type { EntailmentPair, EntailmentScore } from '../../../src/stage.js';
import { relationContext } from '../cases.js';

describe('changed window', () => {
  test('is what differs, with five words on either side', () => {
    const before =
      'Show the names and the ages of the singers with the highest net worth in each of the old countries.';
    expect(changedWindow(before, before.replace('highest', 'largest'))).toEqual([
      'of the singers with the highest net worth in each of',
      'of the singers with the largest net worth in each of',
    ]);
  });

  test('of another prefix is the start, whatever the final mark', () => {
    expect(changedWindow('What is the age of all the singers?', 'Tell me the age of all the singers.')).toEqual([
      'What is the age of all the',
      'Tell me the age of all the',
    ]);
  });

  test.each([
    ['the age', 'the age'],
    ['The age?', 'the age.'],
    ['', ''],
  ])('of %j and %j, which say the same, is both', (before, after) => {
    expect(changedWindow(before, after)).toEqual([before, after]);
  });

  test('covers repeated words once', () => {
    expect(changedWindow('the the age', 'the age')).toEqual(['the the age', 'the age']);
  });
});

/** A judge that answers by the words of a pair. */
function guardThat(scores: (pair: EntailmentPair) => Partial<EntailmentScore>): SemanticGuard {
  const none: EntailmentScore = { entailment: 0.9, neutral: 0.05, contradiction: 0.05, entailmentLogit: 0 };
  const scorer = {
    id: 'words',
    fingerprint: '',
    score: async (pairs: readonly EntailmentPair[]) => pairs.map((pair) => ({ ...none, ...scores(pair) })),
  };
  return new SemanticGuard(scorer);
}

describe('semantic guard', () => {
  test('refuses what is contradicted or not entailed, in either direction', async () => {
    const guard = guardThat(({ premise, hypothesis }) => ({
      ...(premise.includes('mean') ? { contradiction: 0.5 } : {}),
      ...(hypothesis.includes('total') ? { entailment: 0.05 } : {}),
    }));
    const pairs = ['the mean age', 'the total age', 'the largest age'].map((after) => ({
      before: 'the highest age',
      after,
    }));
    expect(await guard.judge(pairs, relationContext())).toEqual([
      'contradicts its seed',
      'does not say what its seed says',
      null,
    ]);
    expect(await guard.judge([], relationContext())).toEqual([]);
  });

  test.each([
    ['Who is older than 20 and has more than 3 cars?', 'Who is older than 20 and has fewer than 3 cars?'],
    ['Sort them in Ascending order.', 'Sort them in descending order.'],
    ['What is the smallest age?', 'What is the largest age?'],
  ])('refuses an opposite word without asking the judge: %j, %j', async (before, after) => {
    const guard = guardThat(() => {
      throw new Error('asked');
    });
    const pairs = [{ before, after }];
    expect(await guard.judge(pairs, relationContext())).toEqual(['says the opposite']);
  });

  test.each([
    ['What are the smallest and largest ages?', 'What are the minimum and maximum ages?'],
    ['Who came before "after dark"?', 'Tell me who came before "after dark".'],
    ['Which has more than 3 but less than 5?', 'Which has less than 5 but more than 3?'],
  ])('takes no offence at %j, %j', async (before, after) => {
    const judged = await guardThat(() => ({})).judge(
      [
        { before, after },
        { before: 'the lowest age', after: 'the highest age' },
        { before, after },
      ],
      relationContext(),
    );
    expect(judged).toEqual([null, 'says the opposite', null]);
  });
});
