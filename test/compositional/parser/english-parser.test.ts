import { cpSync, mkdtempSync, readFileSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EnglishParser } from '../../../src/compositional/parser/english-parser.js';
import { embeddedParserFolder } from '../../../src/compositional/parser/model-files.js';
import { ModelFileError } from '../../../src/errors.js';

interface Parse {
  readonly text: string;
  readonly tokens: readonly (readonly [text: string, tag: string, head: number, label: string])[];
}

const file = new URL('../../fixtures/parser/parses.json', import.meta.url);
const PARSES = JSON.parse(readFileSync(file, 'utf8')) as readonly Parse[];

describe('English parser', () => {
  let parser: EnglishParser;
  beforeAll(async () => {
    parser = await EnglishParser.open();
  });
  afterAll(() => parser.close());

  test.each(PARSES)('parses as spaCy does: $text', async ({ text, tokens }) => {
    const [parsed] = await parser.parse([text]);
    expect(parsed?.map(({ text: word, tag, head, label }) => [word, tag, head, label])).toEqual(tokens);
  });

  test('parses each question of a batch as if it were alone', async () => {
    const texts = PARSES.map(({ text }) => text);
    const alone = await Promise.all(texts.map(async (text) => (await parser.parse([text]))[0]));
    expect(await parser.parse([...texts, '', ' '])).toEqual([...alone, [], []]);
  });

  test('says where each token is, white space and letters of any plane aside', async () => {
    const texts = ['  How many\n singers 🎤 are\tthere?? ', 'Zoë’s “books” cost 5€…', ''];
    for (const [at, tokens] of (await parser.parse(texts)).entries()) {
      const text = texts[at] ?? '';
      expect(tokens.map(({ start, end }) => text.slice(start, end))).toEqual(tokens.map((token) => token.text));
      expect(tokens.map((token) => token.text).join('')).toBe(text.replaceAll(/\s/gu, ''));
      expect(tokens.every(({ head }) => head >= 0 && head < tokens.length)).toBe(true);
    }
  });

  test('gives the normal form of short forms', async () => {
    const [tokens] = await parser.parse(["Which ones don't they like?"]);
    expect(tokens?.find(({ text }) => text === "n't")?.norm).toBe('not');
    expect(tokens?.find(({ text }) => text === 'like')).not.toHaveProperty('norm');
  });

  test('takes a text of two thousand words', async () => {
    const [tokens] = await parser.parse([Array<string>(1000).fill('and names').join(' ')]);
    expect(tokens).toHaveLength(2000);
  });

  test('is not read where it is not the one of its manifest', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parser-'));
    await expect(EnglishParser.open(folder)).rejects.toThrow(ModelFileError);
    cpSync(embeddedParserFolder(), folder, { recursive: true });
    truncateSync(join(folder, 'network.onnx'), 1000);
    await expect(EnglishParser.open(folder)).rejects.toThrow(ModelFileError);
  });
});
