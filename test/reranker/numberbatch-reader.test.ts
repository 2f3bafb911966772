import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import { NumberbatchReader, convertNumberbatch } from '../../src/reranker/numberbatch-reader.js';
import { phraseVector } from '../../src/reranker/phrase-vector.js';
import { VectorFile } from '../../src/reranker/vector-file.js';
import { temporaryFolder } from './vector-fixture.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const OPTIONS = { name: 'numberbatch', revision: '19.08', license: 'CC-BY-SA-4.0' };
const BARE = ['4 3', 'new_york 0.1 -0.2 0.3', 'city 1 0 0', 'être 0 1e-2 0', '## 0 0 -0.5'];
const MULTILINGUAL = [
  '4 3',
  '/c/en/new_york 0.1 -0.2 0.3',
  '/c/fr/ville 1 0 0',
  '/c/zh/城市 0 1 0',
  '/c/en/city 1 0 0',
];

let files = 0;
function fileWith(content: string | Buffer): string {
  const path = join(folder.path, `source-${files++}`);
  writeFileSync(path, content);
  return path;
}

async function readTerms(path: string): Promise<{ terms: string[]; reader: NumberbatchReader }> {
  const reader = new NumberbatchReader(path);
  const terms: string[] = [];
  for await (const { term, vector } of reader.entries()) {
    expect(vector).toHaveLength(reader.dimension);
    terms.push(term);
  }
  return { terms, reader };
}

async function failureOf(content: string | Buffer): Promise<InputFormatError> {
  const error: unknown = await readTerms(fileWith(content)).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputFormatError);
  return error as InputFormatError;
}

describe('reading Numberbatch text', () => {
  test.each([
    ['plain', (text: string) => text],
    ['.gz', (text: string) => gzipSync(text)],
    ['with Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['without a last line end', (text: string) => text.trimEnd()],
    ['with blank lines at the end', (text: string) => `${text}\n\n`],
  ])('%s', async (_, pack) => {
    const { terms, reader } = await readTerms(fileWith(pack(`${BARE.join('\n')}\n`)));
    expect(terms).toEqual(['new_york', 'city', 'être', '##']);
    expect(reader.counts).toEqual({ total: 4, kept: 4, otherLanguages: 0, zeroVectors: 0, repeated: 0 });
  });

  test('takes the English terms of the multilingual file and counts the others', async () => {
    const { terms, reader } = await readTerms(fileWith(MULTILINGUAL.join('\n')));
    expect(terms).toEqual(['new_york', 'city']);
    expect(reader.counts).toMatchObject({ total: 4, kept: 2, otherLanguages: 2 });
  });

  test('skips and counts zero vectors and terms that come again', async () => {
    const { terms, reader } = await readTerms(fileWith('4 2\na 1 2\nb 0 0\nA 3 4\nc 5 6\n'));
    expect(terms).toEqual(['a', 'c']);
    expect(reader.counts).toEqual({ total: 4, kept: 2, otherLanguages: 0, zeroVectors: 1, repeated: 1 });
  });

  test('keeps letters apart from chunk borders', async () => {
    const count = 40_000;
    const lines = Array.from({ length: count }, (_, i) => `é${'é'.repeat(i % 7)}_${i} 0.25 -1`);
    const { terms } = await readTerms(fileWith(`${count} 2\n${lines.join('\n')}\n`));
    expect(terms).toHaveLength(count);
    expect(terms.every((term) => /^é+_\d+$/.test(term))).toBe(true);
  });

  test.each([
    ['too few numbers', '2 3\na 1 2 3\nb 1 2\n', 3, /found 2/],
    ['too many numbers', '2 3\na 1 2 3 4\nb 1 2 3\n', 2, /found 4/],
    ['a word among the numbers', '1 3\na 1 x 3\n', 2, /component 2.*'x'/],
    ['NaN', '1 3\na 1 NaN 3\n', 2, /component 2/],
    ['infinity', '1 3\na 1 Infinity 3\n', 2, /component 2/],
    ['two spaces', '1 3\na 1  3\n', 2, /component 2/],
    ['no term', '1 3\n 1 2 3\n', 2, /expected a term/],
    ['an empty English term', '1 3\n/c/en/ 1 2 3\n', 2, /empty/],
    ['no first line as promised', 'the 1 2 3\nof 1 2 3\n', 1, /count dimension/],
    ['nothing', '', 1, /empty/],
    ['lines missing', '3 1\na 1\nb 1\n', 3, /promises 3 vectors, the file ends after 2/],
    ['lines too many', '1 1\na 1\nb 1\n', 3, /more vectors than the 1/],
  ])('refuses a file with %s, naming the line', async (_, content, line, message) => {
    const error = await failureOf(content);
    expect(error.message).toMatch(message);
    expect(error.where.line).toBe(line);
    expect(error.where.file).toContain('source-');
    expect(error.fix).not.toBe('');
  });

  test('refuses a .gz that is cut off, and binary without line ends', async () => {
    const packed = gzipSync(BARE.join('\n'));
    expect((await failureOf(packed.subarray(0, packed.length - 12))).fix).toMatch(/download/i);
    await failureOf(Buffer.alloc(2_500_000, 7));
  });

  test('refuses a path that leads nowhere', async () => {
    await expect(readTerms(join(folder.path, 'none.txt'))).rejects.toThrow(InputFormatError);
  });
});

describe('converting', () => {
  test('gives a compact file that answers for the terms of the text', async () => {
    const target = join(folder.path, 'converted.pqv');
    const { header, counts } = await convertNumberbatch(fileWith(gzipSync(MULTILINGUAL.join('\n'))), target, OPTIONS);
    expect(header).toMatchObject({ ...OPTIONS, dimension: 3, count: 2, rankedCount: 0, longestTerm: 2 });
    expect(counts.kept).toBe(2);
    const vectors = await VectorFile.open(target);
    const [x, y, z] = phraseVector(vectors, 'New York') ?? [];
    for (const [got, wanted] of [
      [x, 0.2673],
      [y, -0.5345],
      [z, 0.8018],
    ])
      expect(got).toBeCloseTo(wanted as number, 2);
    expect(vectors.frequencyRank('city')).toBeNull();
  });

  test('leaves nothing behind when the source is bad, foreign or the run is aborted', async () => {
    const target = join(folder.path, 'bad.pqv');
    const aborted = AbortSignal.abort(new Error('stop'));
    await expect(convertNumberbatch(fileWith('2 1\na 1\nb x\n'), target, OPTIONS)).rejects.toThrow(InputFormatError);
    await expect(convertNumberbatch(fileWith('1 1\n/c/fr/a 1\n'), target, OPTIONS)).rejects.toThrow(/no English term/);
    await expect(convertNumberbatch(fileWith('1 1\na 1\n'), target, { ...OPTIONS, signal: aborted })).rejects.toThrow(
      'stop',
    );
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('reports its progress up to the end', async () => {
    const seen: string[] = [];
    const onProgress = (done: number, total: number): void => void seen.push(`${done}/${total}`);
    await convertNumberbatch(fileWith(BARE.join('\n')), join(folder.path, 'p.pqv'), { ...OPTIONS, onProgress });
    expect(seen.at(-1)).toBe('4/4');
  });
});
