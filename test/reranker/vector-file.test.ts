import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { ModelFileError } from '../../src/errors.js';
import { VectorFileWriter } from '../../src/reranker/vector-file-writer.js';
import { VectorFile } from '../../src/reranker/vector-file.js';
import { temporaryFolder, vectorsOf } from './vector-fixture.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const INFO = { name: 'tiny', revision: '7', license: 'MIT', rankedCount: 2 };

async function writeTiny(name = 'tiny.pqv'): Promise<string> {
  const writer = new VectorFileWriter(3);
  writer.add('country', [1, 0.5, -0.25]);
  writer.add('state', [0.9, 0.6, 0]);
  writer.add('zip_code', [0, 0, -2]);
  const path = join(folder.path, name);
  await writer.write(path, INFO);
  return path;
}

async function failureOf(path: string): Promise<ModelFileError> {
  const error: unknown = await VectorFile.open(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelFileError);
  expect((error as ModelFileError).where.file).toBe(path);
  return error as ModelFileError;
}

function unitVector(vectors: VectorFile, term: string): Float64Array {
  const sum = new Float64Array(vectors.dimension);
  vectors.addTo(sum, vectors.indexOf(term));
  return sum;
}

describe('a compact vector file', () => {
  test('gives back terms, order and metadata', async () => {
    const vectors = await VectorFile.open(await writeTiny());
    expect(vectors.header).toMatchObject({ ...INFO, dimension: 3, count: 3, longestTerm: 2 });
    expect([0, 1, 2].map((index) => vectors.term(index))).toEqual(['country', 'state', 'zip_code']);
    expect(vectors.indexOf('state')).toBe(1);
    expect(vectors.indexOf('stat')).toBe(-1);
    expect(vectors.indexOf('')).toBe(-1);
    expect(() => vectors.term(3)).toThrow(RangeError);
  });

  test('ranks single words by file order and nothing else', async () => {
    const vectors = await VectorFile.open(await writeTiny());
    expect(['country', 'State', 'zip_code', 'moon'].map((word) => vectors.frequencyRank(word))).toEqual([
      0,
      1,
      null,
      null,
    ]);
  });

  test('holds unit vectors close to those given', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }), {
          minLength: 1,
          maxLength: 6,
        }),
        async (rows) => {
          const usable = rows.filter((row) => row.some((value) => Math.abs(value) > 1e-3));
          fc.pre(usable.length > 0);
          const vectors = await vectorsOf(folder.path, Object.fromEntries(usable.map((row, i) => [`t${i}é`, row])));
          usable.forEach((row, i) => {
            const unit = unitVector(vectors, `t${i}é`);
            const norm = Math.hypot(...row);
            const dot = row.reduce((sum, value, at) => sum + (value / norm) * (unit[at] as number), 0);
            expect(Math.hypot(...unit)).toBeCloseTo(1, 5);
            expect(dot).toBeGreaterThan(0.9995);
          });
        },
      ),
      { numRuns: 30 },
    );
  });

  test('has the same bytes for the same content, and leaves no temporary file', async () => {
    const [first, second] = [await writeTiny('a.pqv'), await writeTiny('b.pqv')];
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('finds every one of many terms', async () => {
    const entries = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`w${i.toString(36)}`, [i + 1, 1]]));
    const vectors = await vectorsOf(folder.path, entries);
    Object.keys(entries).forEach((term, index) => expect(vectors.indexOf(term)).toBe(index));
    expect(vectors.indexOf('w-none')).toBe(-1);
  });
});

describe('opening refuses, with what to do about it,', () => {
  test('a missing file', async () => {
    expect((await failureOf(join(folder.path, 'none.pqv'))).fix).toMatch(/reinstall/i);
  });

  test('a file cut off at any place', async () => {
    const whole = readFileSync(await writeTiny());
    const path = join(folder.path, 'cut.pqv');
    for (let length = 0; length < whole.length; length += 1 + Math.floor(whole.length / 40)) {
      writeFileSync(path, whole.subarray(0, length));
      await failureOf(path);
    }
  });

  test('a file with any byte of its payload changed', async () => {
    const whole = readFileSync(await writeTiny());
    const path = join(folder.path, 'changed.pqv');
    for (let at = whole.length - 56; at < whole.length; at += 7) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ 1;
      writeFileSync(path, changed);
      expect((await failureOf(path)).message).toMatch(/sha256/);
    }
  });

  test('bytes after the end', async () => {
    const path = join(folder.path, 'long.pqv');
    writeFileSync(path, Buffer.concat([readFileSync(await writeTiny()), Buffer.from('x')]));
    expect((await failureOf(path)).message).toMatch(/1 bytes follow/);
  });

  test('another format version', async () => {
    const bytes = readFileSync(await writeTiny());
    bytes.writeUInt32LE(99, 8);
    const path = join(folder.path, 'version.pqv');
    writeFileSync(path, bytes);
    expect((await failureOf(path)).message).toMatch(/version 99/);
  });

  test('a header that is no JSON', async () => {
    const bytes = readFileSync(await writeTiny());
    bytes[20] = 0x7b;
    const path = join(folder.path, 'header.pqv');
    writeFileSync(path, bytes);
    expect((await failureOf(path)).message).toMatch(/header/);
  });

  test.each([
    ['a Numberbatch text file', '2 3\nfoo 1 2 3\nbar 1 2 3\n', /convert/i],
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n', /git lfs pull/],
    ['an unrelated file', 'PK\x03\x04 something else entirely', /reinstall/i],
    ['an empty file', '', /reinstall/i],
  ])('%s', async (_, content, fix) => {
    const path = join(folder.path, 'foreign.pqv');
    writeFileSync(path, content, 'latin1');
    expect((await failureOf(path)).fix).toMatch(fix);
  });
});

describe('the writer', () => {
  test('refuses what has no direction or came before', () => {
    const writer = new VectorFileWriter(2);
    expect(() => writer.add('zero', [0, 0])).toThrow(RangeError);
    expect(() => writer.add('nan', [Number.NaN, 1])).toThrow(RangeError);
    expect(() => writer.add('infinite', [Infinity, 1])).toThrow(RangeError);
    expect(() => writer.add('long', [1, 2, 3])).toThrow(RangeError);
    expect(() => writer.add('', [1, 2])).toThrow(RangeError);
    writer.add('ok', [1, 2]);
    expect(() => writer.add('ok', [1, 2])).toThrow(RangeError);
    expect(writer.count).toBe(1);
  });

  test('leaves nothing behind when it cannot write', async () => {
    const path = join(folder.path, 'blocked.pqv');
    mkdirSync(path);
    const writer = new VectorFileWriter(1);
    writer.add('one', [1]);
    await expect(writer.write(path, INFO)).rejects.toThrow();
    expect(existsSync(`${path}.tmp`)).toBe(false);
  });
});
