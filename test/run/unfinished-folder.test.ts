import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFreeFolder, UnfinishedFolder } from '../../src/run/working-folders.js';
import { createFolder } from './run-fixture.js';

function fill(folder: string, text: string): UnfinishedFolder {
  const unfinished = new UnfinishedFolder(folder);
  mkdirSync(join(unfinished.path, 'inner'));
  for (const name of ['a', 'inner/b']) writeFileSync(join(unfinished.path, name), text);
  return unfinished;
}

describe('a folder that is filled', () => {
  it('has its content when it is finished, and nothing else', () => {
    const folder = join(createFolder(), 'new');
    expect(isFreeFolder(folder)).toBe(true);
    const unfinished = fill(folder, 'x');
    expect(isFreeFolder(folder)).toBe(true);
    unfinished.finish();
    expect(readdirSync(folder).sort()).toEqual(['a', 'inner']);
    expect(readFileSync(join(folder, 'inner/b'), 'utf8')).toBe('x');
    expect(isFreeFolder(folder)).toBe(false);
  });

  it('can be filled again after a crash, whatever was in its place by then', () => {
    const folder = createFolder();
    fill(folder, 'old');
    writeFileSync(join(folder, 'a'), 'old');
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'inner/gone'), 'old');
    expect(isFreeFolder(folder)).toBe(true);
    fill(folder, 'new').finish();
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['a', 'inner', 'inner/b']);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
  });

  it('leaves what was there when it is given up', () => {
    const folder = createFolder();
    fill(folder, 'x').abandon();
    expect(readdirSync(folder)).toEqual([]);
    fill(join(folder, 'new'), 'x').abandon();
    expect(readdirSync(folder)).toEqual([]);
  });
});
