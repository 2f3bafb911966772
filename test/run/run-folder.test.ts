import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunFolderError } from '../../src/errors.js';
import { readRunManifest, RunFolder, type RunManifest } from '../../src/run/run-folder.js';
import type { Shard } from '../../src/run/shard.js';
import { builtModule, createFolder, ScriptProcess } from './run-fixture.js';
import { errorOf } from '../error-of.js';

const MANIFEST: Omit<RunManifest, 'complete'> = {
  command: 'candidates',
  version: '0.1.0',
  seed: 1,
  settings: { recipe: 'cta', nli: { rplMin: null }, parts: { index: 'abc' } },
  inputs: { tables: 'f00' },
};

const faultOf = (action: () => unknown): RunFolderError => errorOf(RunFolderError, action);

/** A run that was stopped after its first item. */
function begin(path: string, shard: Shard | null = null): void {
  const run = RunFolder.open<number>(path, MANIFEST, shard);
  run.journal.append('singer', 7);
  run.close();
}

describe('RunFolder', () => {
  test('makes its folder and writes the manifest first', () => {
    const path = join(createFolder(), 'deep', 'run');
    const run = RunFolder.open<number>(path, MANIFEST);
    expect(run.complete).toBe(false);
    expect(readRunManifest(path)).toEqual({ ...MANIFEST, complete: false });
    run.close();
  });

  test('resumes with the finished items of the same manifest', () => {
    const path = createFolder();
    const run = RunFolder.open<number>(path, MANIFEST);
    run.journal.append('singer', 7);
    run.close();
    const again = RunFolder.open<number>(path, structuredClone(MANIFEST));
    expect(again.journal.get('singer')).toBe(7);
    expect(again.complete).toBe(false);
    again.close();
  });

  test('refuses another configuration, naming each difference, and leaves the run as it was', () => {
    const path = createFolder();
    begin(path);
    const before = readFileSync(join(path, 'run.json'), 'utf8');
    const changed = {
      ...MANIFEST,
      seed: 2,
      settings: { recipe: 'cta', nli: { rplMin: 0.6, addMax: 0.4 }, parts: { index: 'abc' } },
    };
    const fault = faultOf(() => RunFolder.open(path, changed));
    expect(fault.message).toBe(
      [
        'this run was made with another configuration:',
        'seed is 2 here, the run was made with 1',
        'nli.rplMin is 0.6 here, the run was made without it',
        'nli.addMax is 0.4 here, the run was made without it',
      ].join('\n  '),
    );
    expect(fault.where).toEqual({ file: path });
    expect(fault.fix).toMatch(/--out.*files that have not changed/);
    expect(readFileSync(join(path, 'run.json'), 'utf8')).toBe(before);
    RunFolder.open(path, MANIFEST).close();
  });

  test('refuses a run of another command in one line, without what else differs', () => {
    const path = createFolder();
    begin(path);
    const fault = faultOf(() => RunFolder.open(path, { ...MANIFEST, command: 'mutate', seed: 2 }));
    expect(fault.message).toBe(`this folder holds a run of \`perturbql ${MANIFEST.command}\``);
  });

  describe('where nothing was finished', () => {
    const OTHER = { ...MANIFEST, command: 'attack', settings: { victim: 'python3' } };
    const shardOf2 = (index: number): Shard => ({ index, count: 2, call: null });

    test('is taken over by a run of other settings, and resumes that one from then on', () => {
      const path = createFolder();
      RunFolder.open(path, MANIFEST).close();
      expect(RunFolder.preview(path, OTHER)).toBe('new');
      expect(readRunManifest(path)).toMatchObject(MANIFEST);
      const run = RunFolder.open<number>(path, OTHER);
      run.journal.append('singer', 7);
      run.close();
      expect(readRunManifest(path)).toEqual({ ...OTHER, complete: false });
      expect(RunFolder.preview(path, OTHER)).toBe('begun');
      expect(faultOf(() => RunFolder.open(path, MANIFEST)).message).toContain('a run of `perturbql attack`');
    });

    test('also where the first item is torn, and not where there is another file', () => {
      const path = createFolder();
      RunFolder.open(path, MANIFEST).close();
      writeFileSync(join(path, '.items.jsonl'), '{"check":"0123456789abcdef","id":"sin');
      RunFolder.open(path, OTHER).close();
      expect(readFileSync(join(path, '.items.jsonl'), 'utf8')).toBe('');
      writeFileSync(join(path, 'vectors-0-of-2.journal'), '');
      expect(faultOf(() => RunFolder.open(path, MANIFEST)).message).toContain('a run of `perturbql attack`');
    });

    test('is no other run’s while a process works there', () => {
      const path = createFolder();
      const run = RunFolder.open(path, MANIFEST);
      const before = readFileSync(join(path, 'run.json'), 'utf8');
      expect(faultOf(() => RunFolder.open(path, { ...MANIFEST, seed: 2 })).message).toContain('seed is 2 here');
      expect(readFileSync(join(path, 'run.json'), 'utf8')).toBe(before);
      run.close();
    });

    test('is not taken over where the run is complete without items', () => {
      const path = createFolder();
      RunFolder.open(path, MANIFEST).finish();
      expect(faultOf(() => RunFolder.open(path, { ...MANIFEST, seed: 2 })).message).toContain('seed is 2 here');
    });

    test('a shard is in nobody’s way', () => {
      const whole = createFolder();
      for (const index of [0, 1]) RunFolder.open(join(whole, `shard-${index}-of-2`), MANIFEST, shardOf2(index)).close();
      RunFolder.open(join(whole, 'shard-1-of-2'), OTHER, shardOf2(1)).close();
      begin(join(whole, 'shard-0-of-2'), shardOf2(0));
      expect(faultOf(() => RunFolder.preview(join(whole, 'shard-1-of-2'), OTHER, shardOf2(1))).message).toMatch(
        /^here is a shard of another run/,
      );
    });

    test('a whole run that takes a shard’s folder makes it its own', () => {
      const path = createFolder();
      RunFolder.open(path, MANIFEST, shardOf2(0)).close();
      RunFolder.open(path, MANIFEST).close();
      expect(readdirSync(path).sort()).toEqual(['.items.jsonl', 'run.json']);
    });
  });

  test('refuses a folder that holds something else, and touches nothing there', () => {
    const path = createFolder();
    writeFileSync(join(path, 'thesis.txt'), 'mine');
    expect(faultOf(() => RunFolder.open(path, MANIFEST)).message).toMatch(/not empty and holds no run/);
    expect(readdirSync(path)).toEqual(['thesis.txt']);
  });

  test('previews what it would find, and writes nothing', () => {
    const path = join(createFolder(), 'run');
    expect(RunFolder.preview(path, MANIFEST)).toBe('new');
    expect(existsSync(path)).toBe(false);
    const run = RunFolder.open(path, MANIFEST);
    expect(RunFolder.preview(path, MANIFEST)).toBe('begun');
    run.finish();
    expect(RunFolder.preview(path, MANIFEST)).toBe('complete');
    expect(faultOf(() => RunFolder.preview(path, { ...MANIFEST, seed: 2 })).message).toContain(
      'seed is 2 here, the run was made with 1',
    );
  });

  test('refuses a manifest of something else', () => {
    const path = createFolder();
    writeFileSync(join(path, 'run.json'), '{"name": "jogging"}');
    expect(faultOf(() => RunFolder.open(path, MANIFEST)).message).toMatch(/not a run of this version/);
    writeFileSync(join(path, 'run.json'), '{');
    expect(faultOf(() => readRunManifest(path)).where).toEqual({ file: join(path, 'run.json') });
    const absent = faultOf(() => readRunManifest(join(path, 'nowhere')));
    expect(absent.message).toMatch(/there is no such folder/);
    expect(absent.fix).toMatch(/--out/);
  });

  test('resumes where a kill came between the lock and the manifest', () => {
    const path = createFolder();
    writeFileSync(join(path, '.lock'), '999999999');
    writeFileSync(join(path, 'run.json.tmp'), '{"comm');
    RunFolder.open(path, MANIFEST).close();
    expect(readRunManifest(path)).toMatchObject(MANIFEST);
    expect(readdirSync(path).sort()).toEqual(['.items.jsonl', 'run.json']);
  });

  test('is one live process’s at a time; the lock of a killed one is stale', async () => {
    const path = createFolder();
    const script = `
      import { writeSync } from 'node:fs';
      const { RunFolder } = await import(process.argv[1]);
      RunFolder.open(process.argv[2], JSON.parse(process.argv[3])).journal.append('singer', 7);
      writeSync(1, 'open\\n');
      setInterval(() => undefined, 1000);`;
    const holder = new ScriptProcess(script, [builtModule('run/run-folder.js'), path, JSON.stringify(MANIFEST)]);
    expect(await holder.nextLine()).toBe('open');
    const fault = faultOf(() => RunFolder.open(path, MANIFEST));
    expect(fault.message).toBe(`process ${holder.pid} is working in this folder`);
    expect(fault.fix).toContain(join(path, '.lock'));
    await holder.kill();
    const run = RunFolder.open<number>(path, MANIFEST);
    expect(run.journal.get('singer')).toBe(7);
    run.close();
    expect(existsSync(join(path, '.lock'))).toBe(false);
  });

  test.each(['', 'not a number', '-1', '0'])('takes the lock %j of nobody', (content) => {
    const path = createFolder();
    RunFolder.open(path, MANIFEST).close();
    writeFileSync(join(path, '.lock'), content);
    RunFolder.open(path, MANIFEST).close();
  });

  test('finish marks it complete and drops what only a resumed run needs', () => {
    const path = createFolder();
    const run = RunFolder.open<number>(path, MANIFEST);
    run.journal.append('singer', 7);
    run.write('candidates.jsonl', ['{}\n', '{}\n']);
    run.finish();
    expect(readdirSync(path).sort()).toEqual(['candidates.jsonl', 'run.json']);
    expect(readRunManifest(path)).toEqual({ ...MANIFEST, complete: true });
    const again = RunFolder.open<number>(path, MANIFEST);
    expect(again.complete).toBe(true);
    again.close();
    expect(readRunManifest(path).complete).toBe(true);
    expect(readFileSync(join(path, 'candidates.jsonl'), 'utf8')).toBe('{}\n{}\n');
    rmSync(join(path, 'run.json'));
  });
});
