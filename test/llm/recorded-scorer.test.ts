import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import { JudgmentLog } from '../../src/llm/judgment.js';
import { RecordedScorer } from '../../src/llm/create-judge.js';
import { listeningContext, temporaryFolder } from './llm-fixture.js';

const PAIR = { premise: 'singer age (number).', hypothesis: 'singer years (number).' };
const BACK = { premise: PAIR.hypothesis, hypothesis: PAIR.premise };
const AGE = { ...PAIR, entailment: 0.9, replacement: 0.7, addition: 0.1, topic: 0.8 };

function recorded(...lines: readonly unknown[]): RecordedScorer {
  const file = join(temporaryFolder(), 'judgments.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return new RecordedScorer(file);
}

describe('recorded judgments', () => {
  it('are given as they were, in one direction alone', async () => {
    const scorer = recorded(AGE);
    const context = listeningContext();
    const [there, back] = await scorer.score([PAIR, BACK], context);
    expect(there).toMatchObject({ entailment: 0.9, reading: { replacement: 0.7, addition: 0.1, topic: 0.8 } });
    expect(context.warnings()).toEqual(['singer years (number). → singer age (number). has no recorded judgment']);
    // What is not known is neither taken for the same and readable, nor for something else.
    expect(back).toMatchObject({ entailment: 1, reading: { replacement: 0, addition: 0, topic: 0 } });
    expect(scorer.fingerprint).not.toBe(recorded({ ...AGE, topic: 0.2 }).fingerprint);
  });

  it('are what a log has noted, each pair once, in an order of their own', async () => {
    const scores = await recorded(AGE, { ...AGE, ...BACK }).score([PAIR, BACK], listeningContext());
    const log = new JudgmentLog();
    for (const [pair, score] of [
      [BACK, scores[1]!],
      [PAIR, scores[0]!],
      [BACK, scores[1]!],
    ] as const) {
      log.add(pair, score);
    }
    expect(log.judgments).toEqual([AGE, { ...AGE, ...BACK }]);
  });

  it.each<[string, readonly unknown[], RegExp]>([
    ['no line', [], /no recorded judgments/],
    ['a pair twice', [AGE, AGE], /twice/],
    ['a number that is missing', [{ ...AGE, topic: undefined }], /topic/],
    ['a number above 1', [{ ...AGE, topic: 2 }], /topic/],
    ['a further field', [{ ...AGE, note: 'x' }], /note/],
  ])('are refused with %s', (_, lines, message) => {
    expect(() => recorded(...lines)).toThrow(InputFormatError);
    expect(() => recorded(...lines)).toThrow(message);
  });
});
