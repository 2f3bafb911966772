import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCacheFolder, ScoreCache } from '../../src/run/score-cache.js';
import type { EntailmentPair, EntailmentScore } from '../../src/stage.js';
import { builtModule, createFolder, ScriptProcess } from './run-fixture.js';

const SHA = 'a'.repeat(64);
const scoreOf = (value: number): EntailmentScore => ({
  entailment: value,
  neutral: value / 3,
  contradiction: value / 7,
  entailmentLogit: -value,
});
const pair = (premise: string, hypothesis: string): EntailmentPair => ({ premise, hypothesis });

describe('ScoreCache', () => {
  test('gives scores back to the bit, at once and when opened again', () => {
    const folder = createFolder();
    const value = fc.double({ noNaN: true, noDefaultInfinity: true });
    const score = fc.record({ entailment: value, neutral: value, contradiction: value, entailmentLogit: value });
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), fc.string(), score), {
      selector: ([a, b]) => JSON.stringify([a, b]),
      maxLength: 20,
    });
    let model = 0;
    fc.assert(
      fc.property(pairs, (items) => {
        const sha = String(model++).padStart(16, '0');
        const cache = new ScoreCache(folder, sha);
        for (const [premise, hypothesis, given] of items) cache.put({ premise, hypothesis }, given);
        for (const [premise, hypothesis, given] of items) expect(cache.get({ premise, hypothesis })).toEqual(given);
        cache.close();
        const again = new ScoreCache(folder, sha);
        // SQLite keeps no sign of zero; nothing is decided by it.
        const plain = (one: EntailmentScore | null): unknown =>
          one && Object.fromEntries(Object.entries(one).map(([key, number]) => [key, (number as number) + 0]));
        for (const [premise, hypothesis, given] of items)
          expect(plain(again.get({ premise, hypothesis }))).toEqual(plain(given));
        again.close();
      }),
      { numRuns: 15 },
    );
  });

  test('tells pairs apart: direction, and where the premise ends', () => {
    const cache = new ScoreCache(createFolder(), SHA);
    cache.put(pair('a', 'bc'), scoreOf(0.1));
    for (const other of [pair('ab', 'c'), pair('bc', 'a'), pair('', 'abc'), pair('abc', ''), pair('A', 'bc')])
      expect(cache.get(other)).toBeNull();
    cache.close();
  });

  test('gives another model its own file', () => {
    const folder = createFolder();
    const [one, two] = [new ScoreCache(folder, SHA), new ScoreCache(folder, 'b'.repeat(64))];
    one.put(pair('a', 'b'), scoreOf(0.1));
    one.flush();
    expect(two.get(pair('a', 'b'))).toBeNull();
    one.close();
    two.close();
    expect(readdirSync(folder)).toEqual([`scores-${SHA.slice(0, 16)}.sqlite`, `scores-${'b'.repeat(16)}.sqlite`]);
  });

  test('serves two instances on one folder', () => {
    const folder = createFolder();
    const [one, two] = [new ScoreCache(folder, SHA), new ScoreCache(folder, SHA)];
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
    const cache = new ScoreCache(folder, SHA);
    cache.put(pair('mine', 'h'), scoreOf(0.5));
    cache.flush();
    for (const writer of writers) await writer.kill();
    for (let i = 0; i < 1024; i++) expect(cache.get(pair(`p${i}`, 'h'))?.entailment).toBe(i / 1100);
    expect(cache.get(pair('p1099', 'h'))).toBeNull();
    expect(cache.get(pair('mine', 'h'))).toEqual(scoreOf(0.5));
    cache.close();
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
