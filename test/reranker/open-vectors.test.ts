import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../src/errors.js';
import { openVectors } from '../../src/reranker/open-vectors.js';
import { WordVectorRanker } from '../../src/reranker/word-vector-ranker.js';

const TEXT = '3 2\n/c/en/country 1 0\n/c/en/nation 0.9 0.1\n/c/en/zip_code 0 1\n';

describe('openVectors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-vectors-'));
  const cache = join(folder, 'cache');

  it('converts a Numberbatch text once and serves the ranker from it', async () => {
    const file = join(folder, 'mini.txt');
    writeFileSync(file, TEXT);
    const ranker = new WordVectorRanker(await openVectors(file, cache));
    expect(ranker.similarity('country', 'nation')).toBeGreaterThan(0.95);
    expect(ranker.similarity('country', 'zip code')).toBeLessThan(0.1);
    const [converted] = readdirSync(cache);
    const bytes = readFileSync(join(cache, converted!));
    await openVectors(file, cache);
    expect(readdirSync(cache)).toEqual([converted]);
    expect(readFileSync(join(cache, converted!)).equals(bytes)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('reads the .gz of the same text alike', async () => {
    const file = join(folder, 'mini.txt.gz');
    writeFileSync(file, gzipSync(TEXT));
    const ranker = new WordVectorRanker(await openVectors(file, cache));
    expect(ranker.similarity('country', 'nation')).toBeGreaterThan(0.95);
  });

  it('names a file that is not there, and the line of one that is no vector text', async () => {
    await expect(openVectors(join(folder, 'absent.txt'), cache)).rejects.toThrow(InputFormatError);
    const file = join(folder, 'wrong.txt');
    writeFileSync(file, '2 2\ncountry 1 0\nnation 1\n');
    await expect(openVectors(file, cache)).rejects.toMatchObject({ where: { file, line: 3 } });
  });
});
