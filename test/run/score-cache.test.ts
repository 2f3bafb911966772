import { closeSync, cpSync, openSync, readFileSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SHARD_SCORES } from '../../src/run/run-folder.js';
import { defaultCacheFolder, openRunScores, openScoreCache, ScoreCache } from '../../src/run/score-cache.js';
import { sha256Of } from '../../src/run/sha256.js';
import type { EntailmentPair, EntailmentScore } from '../../src/stage.js';
import { builtModule, createFolder, ScriptProcess } from './run-fixture.js';

const SHA = 'a'.repeat(64);
const scoreOf = (value: number): EntailmentScore => ({
  entailment: value,
  neutral: value / 3,
  contradiction: value / 7,
  entailmentLogit: -value,
  reading: null,
});
const pair = (premise: string, hypothesis: string): EntailmentPair => ({ premise, hypothesis });

const hashOf = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => sha256Of(readFileSync(join(folder, name), 'latin1')));

/** Opens a cache that has nothing to warn of. */
const open = (folder: string, sha = SHA): ScoreCache =>
  new ScoreCache(folder, sha, (message) => {
    throw new Error(message);
  });

describe('ScoreCache', () => {
  test('gives scores back to the bit, at once and when opened again', () => {
    const folder = createFolder();
    const value = fc.double({ noNaN: true, noDefaultInfinity: true });
    const told = fc.record({ replacement: value, addition: value, topic: value });
    const reading = fc.option(told, { nil: null });
    const score = fc.record({
      entailment: value,
      neutral: value,
      contradiction: value,
      entailmentLogit: value,
      reading,
    });
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), fc.string(), score), {
      selector: ([a, b]) => JSON.stringify([a, b]),
      maxLength: 20,
    });
    let model = 0;
    fc.assert(
      fc.property(pairs, (items) => {
        const sha = String(model++).padStart(16, '0');
        const cache = open(folder, sha);
        for (const [premise, hypothesis, given] of items) cache.put({ premise, hypothesis }, given);
        for (const [premise, hypothesis, given] of items) expect(cache.get({ premise, hypothesis })).toEqual(given);
        cache.close();
        const again = open(folder, sha);
        // SQLite keeps no sign of zero; nothing is decided by it.
        const plain = (one: EntailmentScore | null): unknown =>
          JSON.parse(JSON.stringify(one, (_, given: unknown) => (typeof given === 'number' ? given + 0 : given)));
        for (const [premise, hypothesis, given] of items)
          expect(plain(again.get({ premise, hypothesis }))).toEqual(plain(given));
        again.close();
      }),
      { numRuns: 15 },
    );
  });

  test('distinguishes pairs: direction, and where the premise ends', () => {
    const cache = open(createFolder());
    cache.put(pair('a', 'bc'), scoreOf(0.1));
    for (const other of [pair('ab', 'c'), pair('bc', 'a'), pair('', 'abc'), pair('abc', ''), pair('A', 'bc')])
      expect(cache.get(other)).toBeNull();
    cache.close();
  });

  test('gives another model its own file', () => {
    const folder = createFolder();
    const [one, two] = [open(folder), open(folder, 'b'.repeat(64))];
    one.put(pair('a', 'b'), scoreOf(0.1));
    one.flush();
    expect(two.get(pair('a', 'b'))).toBeNull();
    one.close();
    two.close();
    expect(readdirSync(folder)).toEqual([`scores-2-${SHA.slice(0, 16)}.sqlite`, `scores-2-${'b'.repeat(16)}.sqlite`]);
  });

  test('serves two instances on one folder', () => {
    const folder = createFolder();
    const [one, two] = [open(folder), open(folder)];
    one.put(pair('a', 'b'), scoreOf(0.1));
    two.put(pair('a', 'b'), scoreOf(0.1));
    two.put(pair('c', 'd'), scoreOf(0.2));
    one.flush();
    two.flush();
    expect(one.get(pair('c', 'd'))).toEqual(scoreOf(0.2));
    expect(two.get(pair('a', 'b'))).toEqual(scoreOf(0.1));
    one.close();
    two.close();
  });

  test('keeps what was flushed through kill -9, while another process writes', async () => {
    const folder = createFolder();
    const script = `
      import { writeSync } from 'node:fs';
      const { ScoreCache } = await import(process.argv[1]);
      const cache = new ScoreCache(process.argv[2], process.argv[3]);
      for (let i = 0; i < 1100; i++) cache.put({ premise: 'p' + i, hypothesis: 'h' }, { entailment: i / 1100, neutral: 0, contradiction: 0, entailmentLogit: i });
      writeSync(1, 'put\\n');
      setInterval(() => undefined, 1000);`;
    const writers = [0, 1].map(() => new ScriptProcess(script, [builtModule('run/score-cache.js'), folder, SHA]));
    for (const writer of writers) expect(await writer.nextLine()).toBe('put');
    const cache = open(folder);
    cache.put(pair('mine', 'h'), scoreOf(0.5));
    cache.flush();
    for (const writer of writers) await writer.kill();
    for (let i = 0; i < 1024; i++) expect(cache.get(pair(`p${i}`, 'h'))?.entailment).toBe(i / 1100);
    expect(cache.get(pair('p1099', 'h'))).toBeNull();
    expect(cache.get(pair('mine', 'h'))).toEqual(scoreOf(0.5));
    cache.close();
  });
});

describe('openRunScores', () => {
  const [first, second, third] = [pair('a', 'b'), pair('c', 'd'), pair('e', 'f')];
  const never = (message: string): void => expect.unreachable(message);

  test('a shard reads the shared cache and writes its own, which the merged run takes over', () => {
    const [cacheFolder, run, out] = [createFolder(), createFolder(), createFolder()];
    const shared = open(cacheFolder);
    shared.put(first, scoreOf(1));
    shared.close();
    const before = hashOf(cacheFolder);
    const shardScores = (index: number): string => {
      const shard = join(run, String(index));
      const scores = openRunScores({ out: shard, cacheFolder, shard: { index, count: 2, call: null } }, SHA, never)!;
      expect(scores.get(first)).toEqual(scoreOf(1));
      scores.put(index === 0 ? second : third, scoreOf(2 + index));
      scores.close();
      return join(shard, SHARD_SCORES);
    };
    for (const index of [0, 1]) cpSync(shardScores(index), join(out, SHARD_SCORES, String(index)), { recursive: true });
    expect(hashOf(cacheFolder)).toEqual(before);
    const merged = openRunScores({ out, cacheFolder }, SHA, never)!;
    expect([first, second, third].map((one) => merged.get(one)?.entailment)).toEqual([1, 2, 3]);
    merged.close();
    const again = open(cacheFolder);
    expect(again.get(third)).toEqual(scoreOf(3));
    again.close();
  });

  test('a shard whose shared cache is damaged goes on with its own', () => {
    const [cacheFolder, out] = [createFolder(), createFolder()];
    damagePages(createFilled(cacheFolder));
    const warnings: string[] = [];
    const shard = { index: 0, count: 1, call: null };
    const scores = openRunScores({ out, cacheFolder, shard }, SHA, (message) => void warnings.push(message))!;
    expect(scores.get(pair('p1', 'h'))).toBeNull();
    scores.put(first, scoreOf(1));
    expect(scores.get(first)).toEqual(scoreOf(1));
    scores.close();
    expect(warnings).toHaveLength(1);
  });
});

const PAGE_BYTES = 4096;

/** A cache with many pages of scores, closed; its file's path. */
function createFilled(folder: string): string {
  const cache = open(folder);
  for (let i = 0; i < 2000; i++) cache.put(pair(`p${i}`, 'h'), scoreOf(i));
  cache.close();
  return join(folder, readdirSync(folder)[0]!);
}

function overwrite(path: string, position: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, position);
  closeSync(file);
}

/** Overwrites all pages but the first, which opening reads. */
function damagePages(path: string): void {
  overwrite(path, PAGE_BYTES, Buffer.alloc(statSync(path).size - PAGE_BYTES, 0xff));
}

/** Gives the file a later write version, for which SQLite only reads it: as if another user owned it, and for root, too. */
function makeReadOnly(path: string): void {
  overwrite(path, 18, Uint8Array.of(3));
}

describe('a bad cache costs time, not the run', () => {
  function openBad(damage: (path: string) => void): { readonly cache: ScoreCache; readonly warnings: string[] } {
    const folder = createFolder();
    damage(createFilled(folder));
    const warnings: string[] = [];
    return { cache: openScoreCache(folder, SHA, (message) => void warnings.push(message))!, warnings };
  }

  test('one whose folder is a file warns, and is none', () => {
    const file = join(createFolder(), 'file');
    writeFileSync(file, '');
    const warnings: string[] = [];
    expect(openScoreCache(file, SHA, (message) => void warnings.push(message))).toBeNull();
    expect(warnings).toEqual([expect.stringContaining(`scores are not cached, ${file} can't be used: `)]);
  });

  test('one with damaged pages warns at the first read, and knows and keeps nothing from then on', () => {
    const { cache, warnings } = openBad(damagePages);
    expect(cache.get(pair('p1', 'h'))).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/^scores are not cached, .*sqlite can't be used: .*malformed/)]);
    cache.put(pair('a', 'b'), scoreOf(0.1));
    expect(cache.get(pair('a', 'b'))).toBeNull();
    cache.flush();
    cache.close();
    expect(warnings).toHaveLength(1);
  });

  test('one that can only be read serves until the first write, which warns', () => {
    const { cache, warnings } = openBad(makeReadOnly);
    expect(cache.get(pair('p1', 'h'))).toEqual(scoreOf(1));
    for (let i = 0; i < 511; i++) cache.put(pair('a', String(i)), scoreOf(i));
    expect(cache.get(pair('a', '0'))).toEqual(scoreOf(0));
    expect(warnings).toEqual([]);
    cache.put(pair('a', '511'), scoreOf(511));
    expect(warnings).toEqual([expect.stringContaining('readonly')]);
    for (let i = 0; i < 512; i++) cache.put(pair('b', String(i)), scoreOf(i));
    expect([cache.get(pair('a', '0')), cache.get(pair('b', '0'))]).toEqual([null, null]);
    cache.close();
    expect(warnings).toHaveLength(1);
  });

  test.each([
    ['closed', (cache: ScoreCache) => cache.close()],
    ['flushed', (cache: ScoreCache) => cache.flush()],
  ])('one that can only be read warns when it is %s', (_, write) => {
    const { cache, warnings } = openBad(makeReadOnly);
    cache.put(pair('a', 'b'), scoreOf(0.1));
    write(cache);
    expect(warnings).toEqual([expect.stringContaining('readonly')]);
  });

  test('trying a write finds one that can only be read, and changes nothing of a sound one', () => {
    const { cache, warnings } = openBad(makeReadOnly);
    cache.tryWriting();
    expect(warnings).toEqual([expect.stringContaining('readonly')]);
    const sound = openBad(() => undefined);
    sound.cache.tryWriting();
    sound.cache.put(pair('a', 'b'), scoreOf(0.1));
    sound.cache.close();
    expect(sound.warnings).toEqual([]);
  });
});

describe('defaultCacheFolder', () => {
  test('is PERTURBQL_CACHE where that is set', () => {
    expect(defaultCacheFolder({ PERTURBQL_CACHE: '/somewhere' })).toBe('/somewhere');
  });

  test.runIf(process.platform === 'linux')('follows XDG_CACHE_HOME on Linux', () => {
    expect(defaultCacheFolder({ PERTURBQL_CACHE: '', XDG_CACHE_HOME: '/xdg' })).toBe('/xdg/perturbql');
    expect(defaultCacheFolder({})).toBe(join(homedir(), '.cache', 'perturbql'));
  });
});
