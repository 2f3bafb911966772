import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freeRunFolder } from '../../src/run/free-run-folder.js';
import { makeTempFolder } from '../e2e/run-cli.js';
import { writeManifest } from '../report/view/runs-fixture.js';

it('takes the next number where something is, and goes on with a run that was stopped', () => {
  const temp = makeTempFolder();
  const demo = join(temp.path, 'demo');
  expect(freeRunFolder(demo)).toBe(demo);
  mkdirSync(demo);
  expect(freeRunFolder(demo)).toBe(`${demo}-2`);
  writeManifest(`${demo}-2`, 'augment');
  writeManifest(`${demo}-3`, 'augment', false);
  expect(freeRunFolder(demo)).toBe(`${demo}-3`);
  temp.remove();
});
