import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeDurably } from '../../src/run/durable-file.js';
import { builtModule, createFolder, ScriptProcess } from './run-fixture.js';

describe('writeDurably', () => {
  test('writes text, chunks and bytes, making folders', () => {
    const file = join(createFolder(), 'a', 'b', 'c.txt');
    writeDurably(file, 'whole');
    expect(readFileSync(file, 'utf8')).toBe('whole');
    writeDurably(file, ['é', Buffer.from('bytes'), '', '🙂\n']);
    expect(readFileSync(file, 'utf8')).toBe('ébytes🙂\n');
    writeDurably(file, []);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('leaves the old file and no rest when the contents fail midway', () => {
    const folder = createFolder();
    const file = join(folder, 'a.txt');
    writeDurably(file, 'old');
    const failing = function* (): Generator<string> {
      yield 'new';
      throw new Error('no more');
    };
    expect(() => writeDurably(file, failing())).toThrow('no more');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  test('leaves the old file when the process is killed midway; the next write succeeds', async () => {
    const folder = createFolder();
    const file = join(folder, 'a.txt');
    writeDurably(file, 'old');
    const script = `
      import { writeSync } from 'node:fs';
      const { writeDurably } = await import(process.argv[1]);
      writeDurably(process.argv[2], (function* () {
        yield 'new'.repeat(100000);
        writeSync(1, 'half\\n');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      })());`;
    const writer = new ScriptProcess(script, [builtModule('run/durable-file.js'), file]);
    expect(await writer.nextLine()).toBe('half');
    await writer.kill();
    expect(readFileSync(file, 'utf8')).toBe('old');
    writeDurably(file, 'newer');
    expect(readFileSync(file, 'utf8')).toBe('newer');
    expect(readdirSync(folder)).toEqual(['a.txt']);
  });

  test('does not hide that the place can’t be written', () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'taken'));
    expect(() => writeDurably(join(folder, 'taken'), 'x')).toThrow();
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeDurably(join(folder, 'file', 'below'), 'x')).toThrow();
    expect(existsSync(join(folder, 'file', 'below'))).toBe(false);
  });
});
