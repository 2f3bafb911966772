import { cpSync, mkdtempSync, readFileSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { embeddedFluencyFolder, FluencyModel } from '../../src/fluency/fluency-model.js';
import { fluencyTokens } from '../../src/fluency/fluency-model.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import { EXAMPLES } from '../variants/relations/cases.js';

const model = FluencyModel.open();

describe('fluency model', () => {
  test('says what the recipe that made it says', () => {
    const file = new URL('expected.json', import.meta.url);
    const expected = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
    expect(Object.keys(expected).length).toBeGreaterThan(3);
    for (const [text, fluency] of Object.entries(expected)) expect(model.score(text)).toBeCloseTo(fluency, 10);
  });

  test.each([
    [1, 1],
    [20, 31],
    [0, 0],
    [5000, 7],
  ])('gives the words after %i %i probabilities that sum to 1', (before, last) => {
    let sum = 0;
    for (let word = 0; word < model.size; word++) if (word !== 1) sum += model.probability(before, last, word);
    expect(sum).toBeCloseTo(1, 6);
  });

  test('holds a question for more fluent than its words in another order', () => {
    const questions = [...EXAMPLES.examples()].map(({ question }) => question);
    const higher = questions.filter((question) => {
      const words = question.split(' ');
      return model.score(question) > model.score(shuffled(words, createRng(0, question)).join(' '));
    });
    expect(higher.length).toBeGreaterThanOrEqual(questions.length - 1);
  });

  test('does not look at what a question quotes or counts', () => {
    expect(model.score('Which singers are from "France"?')).toBe(model.score('Which singers are from "Old Xwyq"?'));
    expect(model.score('Which singers are older than 20?')).toBe(model.score('Which singers are older than 3,500.5?'));
  });

  test('keeps between 0 and 1', () => {
    expect(model.score('')).toBe(0);
    for (const text of ['?', 'xqzwv', 'ÄÖ 北京', 'what is the name']) {
      expect(model.score(text)).toBeGreaterThan(0);
      expect(model.score(text)).toBeLessThan(1);
    }
  });

  test('is not read where it is not the one of its manifest', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fluency-'));
    expect(() => FluencyModel.open(folder)).toThrow(ModelFileError);
    cpSync(embeddedFluencyFolder(), folder, { recursive: true });
    expect(FluencyModel.open(folder).fingerprint).toBe(model.fingerprint);
    truncateSync(join(folder, 'fluency.bin'), 1000);
    expect(() => FluencyModel.open(folder)).toThrow(ModelFileError);
  });
});

test('tokens are small words, single signs, and one for each quote or number', () => {
  expect(fluencyTokens('Don’t list "New York", 1,000 or 2.5?')).toEqual([
    "don't",
    'list',
    '<value>',
    ',',
    '<number>',
    'or',
    '<number>',
    '?',
  ]);
});
