import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { type WalkOptions, walkFolders } from '../../src/run/walk-folders.js';
import { createFolder } from './run-fixture.js';

/** A folder `data` with `b/c`, hidden and linked ones, next to a folder `elsewhere`. */
function createTree(): string {
  const base = createFolder();
  for (const path of ['data/b/c', 'data/.hidden', 'data/node_modules', 'elsewhere/inner'])
    mkdirSync(join(base, path), { recursive: true });
  for (const path of ['data/one.txt', 'data/b/c/two.txt', 'elsewhere/three.txt']) writeFileSync(join(base, path), '');
  const links = {
    'data/a': '../elsewhere',
    'data/again': 'b',
    'data/file.txt': '../elsewhere/three.txt',
    'data/lost': 'nowhere',
    'data/loop': 'loop',
    'data/b/up': '..',
    'data/b/top': base,
    'elsewhere/inner/back': '..',
    'elsewhere/inner/data': '../../data',
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(base, path));
  return join(base, 'data');
}

function walked(root: string, options?: WalkOptions): Record<string, readonly string[]> {
  const folders = walkFolders(root, () => false, options);
  return Object.fromEntries(Array.from(folders, ({ path, files }) => [relative(root, path), files]));
}

test('a link is neither file nor folder', () => {
  expect(walked(createTree())).toEqual({ '': ['one.txt'], b: [], 'b/c': ['two.txt'] });
});

test('links that are followed come last, each folder once, and none that holds one that was walked', () => {
  const found = walked(createTree(), { followsLinks: true });
  expect(found).toEqual({
    '': ['file.txt', 'one.txt'],
    b: [],
    'b/c': ['two.txt'],
    a: ['three.txt'],
    'a/inner': [],
  });
  expect(Object.keys(found).slice(0, 3)).toEqual(['', 'b', 'b/c']);
});
