import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answerAll } from '../../src/victims/answer-cache.js';
import {
  exampleOf,
  failedAnswer,
  isSettled,
  readAnswer,
  type Victim,
  VICTIM_FAILURES,
  type VictimContext,
  type VictimQuestion,
} from '../../src/victims/victim.js';
import { answersOf, ask, listening } from './victim-fixture.js';

/** Answers after as many milliseconds as the question says; "fault" throws. */
class SleepingVictim implements Victim {
  readonly id = 'sleeping';
  readonly fingerprint = 'sleeping';
  asked = 0;
  running = 0;
  peak = 0;

  constructor(readonly concurrency: number) {}

  async answer({ id, question }: VictimQuestion, { signal }: VictimContext) {
    this.asked++;
    this.peak = Math.max(this.peak, ++this.running);
    try {
      if (question === 'fault') throw new Error('it broke');
      await sleep(Number(question), undefined, { signal });
      return readAnswer(id, `SELECT '${id}'`);
    } finally {
      this.running--;
    }
  }
}

describe('answerAll', () => {
  it('hands over every answer as it arrives', async () => {
    const victim = new SleepingVictim(3);
    expect([...(await answersOf(victim, [ask('40', 'a'), ask('1', 'b'), ask('20', 'c')])).keys()]).toEqual([
      'b',
      'c',
      'a',
    ]);
    expect(victim.peak).toBe(3);
  });

  it('asks no more at a time than the victim takes, and nothing of nothing', async () => {
    const victim = new SleepingVictim(2);
    const questions = Array.from({ length: 20 }, (_, i) => ask('1', `q${i}`));
    expect((await answersOf(victim, questions)).size).toBe(20);
    expect(victim.peak).toBe(2);
    expect((await answersOf(victim, [])).size).toBe(0);
  });

  it('takes any width, and waits for no more questions than there are', async () => {
    const victim = new SleepingVictim(1e9);
    expect((await answersOf(victim, [ask('1', 'a'), ask('1', 'b')])).size).toBe(2);
    expect(victim.peak).toBe(2);
  });

  it('hands over what has arrived before it throws what ended the run', async () => {
    const victim = new SleepingVictim(3);
    const seen: string[] = [];
    const asking = async (): Promise<void> => {
      for await (const { id } of answerAll(
        victim,
        [ask('1', 'a'), ask('5000', 'b'), ask('30', 'c'), ask('fault', 'd')],
        listening(),
      )) {
        seen.push(id);
      }
    };
    await expect(asking()).rejects.toThrow('it broke');
    expect(seen).toEqual(['a']);
    expect(victim.running).toBe(0);
  });

  it('leaves nothing in flight when the caller has enough', async () => {
    const victim = new SleepingVictim(2);
    for await (const { id } of answerAll(victim, [ask('1', 'a'), ask('5000', 'b'), ask('5000', 'c')], listening())) {
      expect(id).toBe('a');
      break;
    }
    expect(victim.running).toBe(0);
    expect(victim.asked).toBeLessThanOrEqual(3);
  });

  it('throws the reason of an abort, before and on the way', async () => {
    const victim = new SleepingVictim(1);
    const before = answersOf(victim, [ask('1')], listening(AbortSignal.abort(new Error('stopped'))));
    await expect(before).rejects.toThrow('stopped');
    expect(victim.asked).toBe(0);
    const stop = new AbortController();
    const asked = answersOf(victim, [ask('5000', 'a'), ask('1', 'b')], listening(stop.signal));
    setTimeout(() => stop.abort(new Error('enough')), 10);
    await expect(asked).rejects.toThrow('enough');
    expect([victim.running, victim.asked]).toEqual([0, 1]);
  });

  it('refuses two questions with one id', async () => {
    await expect(answersOf(new SleepingVictim(1), [ask('1'), ask('1')])).rejects.toThrow(RangeError);
  });
});

describe('the example of a question', () => {
  it.each([
    ['dev:17~original', 'dev:17'],
    ['dev:17~RPL~3', 'dev:17'],
    ['dev:17.2~schema~CS.0~question', 'dev:17.2'],
    ['nt-3~original', 'nt-3'],
    // The first part is the stem of a file, whose name may hold anything.
    ['dev~1:17~RPL~3', 'dev~1:17'],
    ['a:b~c:17~original', 'a:b~c:17'],
    // A composed question counts with its base.
    ['dev:17~AND(dev:20)', 'dev:17'],
    ['dev~1:17~SUB(dev~1:20)~OR(dev~1:3)', 'dev~1:17'],
  ])('of %s is %s', (id, example) => expect(exampleOf({ id })).toBe(example));
});

describe('answers', () => {
  it('have SQL or a failure', () => {
    expect(readAnswer('a', 'SQL: SELECT 1;')).toEqual({
      id: 'a',
      sql: 'SELECT 1',
      raw: 'SQL: SELECT 1;',
      cleaned: ['label', 'semicolon'],
      rest: [],
      failure: null,
      usage: null,
    });
    expect(readAnswer('a', ' \n').failure?.kind).toBe('empty');
    expect(readAnswer('a', 'No idea.')).toMatchObject({ sql: null, raw: 'No idea.', failure: { kind: 'no-sql' } });
  });

  it('are settled where the model has spoken', () => {
    const settled = VICTIM_FAILURES.filter((kind) => isSettled(failedAnswer('a', kind, '')));
    expect(settled).toEqual(['too-long', 'refused', 'cut-off', 'empty', 'no-sql', 'unanswered']);
    expect(isSettled(readAnswer('a', 'SELECT 1'))).toBe(true);
  });
});
