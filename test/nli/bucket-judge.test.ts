import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BucketJudge, type JudgedColumn, type JudgeRequest, type JudgeVerdict } from '../../src/nli/bucket-judge.js';
import { createContext, FakeScorer } from './nli-fixture.js';

const THRESHOLDS = { rplMin: 0.65, addMax: 0.45 };
const column = (name: string): JudgedColumn => ({ name, type: 'text' });
const NAME = column('name');
const OTHERS = [column('city'), column('country')];

/** Entailment by "premise > hypothesis" in bare names; 0.1 where nothing is given. */
type Given = Readonly<Record<string, number>>;

function scorerOf(given: Given): FakeScorer {
  const bare = (statement: string): string => statement.replace(/^student (.*) \(\w+\)\.$/, '$1');
  return new FakeScorer(({ premise, hypothesis }) => given[`${bare(premise)} > ${bare(hypothesis)}`] ?? 0.1);
}

function judge(scorer: FakeScorer, request: Partial<JudgeRequest> = {}, fullScores = false): Promise<JudgeVerdict> {
  const whole = {
    primaryEntity: 'student',
    target: NAME,
    candidate: 'title',
    others: OTHERS,
    rivals: OTHERS,
    open: { rpl: true, add: true },
  };
  return new BucketJudge(scorer, THRESHOLDS, { fullScores }).judge({ ...whole, ...request }, createContext());
}

describe('BucketJudge', () => {
  test('asks e1 as column ⊢ candidate and e2 as candidate ⊢ column, with the target’s type on both sides', async () => {
    const scorer = scorerOf({ 'name > title': 0.9, 'title > name': 0.8 });
    const target: JudgedColumn = { name: 'name', type: 'time' };
    const verdict = await judge(scorer, { target, rivals: [] });
    expect(scorer.asked).toEqual([
      { premise: 'student name (time).', hypothesis: 'student title (time).' },
      { premise: 'student title (time).', hypothesis: 'student name (time).' },
    ]);
    expect(verdict).toMatchObject({
      bucket: 'RPL',
      reason: 'entailment',
      target: { column: 'name', e1: 0.9, e2: 0.8 },
    });
  });

  test('tells of each pair that it asks about, where someone listens, and decides as before', async () => {
    const scorer = scorerOf({ 'name > title': 0.9, 'title > name': 0.8 });
    const told: string[] = [];
    const judging = new BucketJudge(scorer, THRESHOLDS, { fullScores: false }).telling(({ premise }, { entailment }) =>
      told.push(`${premise} ${entailment}`),
    );
    const request = { primaryEntity: 'student', target: NAME, candidate: 'title', others: [], rivals: [] };
    const verdict = await judging.judge({ ...request, open: { rpl: true, add: true } }, createContext());
    expect(verdict).toEqual(await judge(scorer, { others: [], rivals: [] }));
    expect(told).toEqual(['student name (text). 0.9', 'student title (text). 0.8']);
  });

  test('reads a key as its entity, and names the key', async () => {
    const scorer = scorerOf({ 'stadium > title': 0.7 });
    const verdict = await judge(scorer, { others: [{ name: 'stadium id', readAs: 'stadium', type: 'text' }] });
    expect(verdict).toMatchObject({ reason: 'entailed-by-other', by: { column: 'stadium id' } });
  });

  test('compares with another column under that column’s type', async () => {
    const scorer = scorerOf({});
    await judge(scorer, { others: [{ name: 'age', type: 'number' }] });
    expect(scorer.asked.slice(2)).toEqual([
      { premise: 'student age (number).', hypothesis: 'student title (number).' },
      { premise: 'student title (number).', hypothesis: 'student age (number).' },
    ]);
  });

  test.each<[string, Given, Partial<JudgeRequest>, number, string]>([
    ['one call where e1 lies between the thresholds', { 'name > title': 0.5 }, {}, 1, 'between-thresholds'],
    [
      'one call where a dictionary name is not entailed',
      { 'name > title': 0.2 },
      { open: { rpl: true, add: false } },
      1,
      'not-entailed',
    ],
    [
      'one call where ADD alone is open to a synonym',
      { 'name > title': 0.9 },
      { open: { rpl: false, add: true } },
      1,
      'equivalent-to-target',
    ],
    ['two calls where e2 falls short', { 'name > title': 0.9, 'title > name': 0.5 }, {}, 2, 'between-thresholds'],
    ['three calls where the first other column entails it', { 'city > title': 0.5 }, {}, 3, 'entailed-by-other'],
    ['four calls where it entails the first other column', { 'title > city': 0.5 }, {}, 4, 'entailed-by-other'],
    ['six calls for an ADD over two other columns', {}, {}, 6, 'no-equivalence'],
    ['four calls for an RPL: e1 clears a rival', { 'name > title': 0.9, 'title > name': 0.9 }, {}, 4, 'entailment'],
    [
      'two calls for an RPL without rivals',
      { 'name > title': 0.9, 'title > name': 0.9 },
      { rivals: [] },
      2,
      'entailment',
    ],
  ])('takes %s', async (_, given, request, calls, reason) => {
    const scorer = scorerOf(given);
    const verdict = await judge(scorer, request);
    expect(verdict.reason).toBe(reason);
    expect(scorer.asked).toHaveLength(calls);
  });

  test('compares an ADD candidate with every column, not only the one it was found for', async () => {
    const scorer = scorerOf({ 'country > title': 0.6 });
    const verdict = await judge(scorer, { rivals: [] });
    expect(verdict).toMatchObject({ bucket: 'rejected', reason: 'entailed-by-other', by: { column: 'country' } });
  });

  test('is no substring test: "age" is no "average"', async () => {
    expect(await judge(scorerOf({}), { target: column('average'), candidate: 'age' })).toMatchObject({ bucket: 'ADD' });
  });

  test('rejects an RPL candidate that is equivalent to a rival, but not one entailed one way', async () => {
    const synonym = { 'name > title': 0.9, 'title > name': 0.9 };
    const both = await judge(scorerOf({ ...synonym, 'city > title': 0.9, 'title > city': 0.9 }));
    expect(both).toMatchObject({
      bucket: 'rejected',
      reason: 'equivalent-to-other',
      by: { column: 'city', e1: 0.9, e2: 0.9 },
    });
    expect(await judge(scorerOf({ ...synonym, 'city > title': 0.9 }))).toMatchObject({ bucket: 'RPL' });
  });

  test('names the column with the highest score for an accepted ADD', async () => {
    const verdict = await judge(scorerOf({ 'name > title': 0.2, 'title > country': 0.4 }));
    expect(verdict).toMatchObject({ bucket: 'ADD', by: { column: 'country', e1: 0.1, e2: 0.4 } });
    expect(verdict.others.map((other) => other.column)).toEqual(['city', 'country']);
  });

  test('with fullScores scores both directions against the target even where one decides', async () => {
    const scorer = scorerOf({ 'name > title': 0.5, 'title > name': 0.7 });
    const verdict = await judge(scorer, {}, true);
    expect(verdict).toMatchObject({ bucket: 'rejected', target: { e1: 0.5, e2: 0.7 } });
    expect(scorer.asked).toHaveLength(2);
    expect((await judge(scorerOf({ 'name > title': 0.5 }))).target.e2).toBeNull();
  });

  test('decides the same bucket with and without fullScores, whatever the scores', async () => {
    const names = ['name', 'city', 'country'];
    const given = fc.record(
      Object.fromEntries(
        names
          .flatMap((name) => [`${name} > title`, `title > ${name}`])
          .map((pair) => [pair, fc.constantFrom(0.1, 0.5, 0.7)]),
      ),
    );
    const open = fc.record({ rpl: fc.boolean(), add: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(given, open, async (scores, buckets) => {
        const [lean, full] = [scorerOf(scores), scorerOf(scores)];
        const decided = await judge(lean, { open: buckets });
        expect((await judge(full, { open: buckets }, true)).bucket).toBe(decided.bucket);
        expect(lean.asked.length).toBeLessThanOrEqual(full.asked.length);
      }),
    );
  });

  test('passes an abort on', async () => {
    const request = {
      primaryEntity: '',
      target: NAME,
      candidate: 'x',
      others: [],
      rivals: [],
      open: { rpl: true, add: true },
    };
    const aborted = createContext(1, AbortSignal.abort(new Error('stopped by the test')));
    await expect(
      new BucketJudge(scorerOf({}), THRESHOLDS, { fullScores: false }).judge(request, aborted),
    ).rejects.toThrow('stopped by the test');
  });
});
