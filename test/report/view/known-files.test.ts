import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { KnownFiles } from '../../../src/report/view/find-runs.js';
import { makeTempFolder } from '../../e2e/run-cli.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

it('reads a file again only where it has changed', () => {
  const file = join(temp.path, 'report.json');
  const read: string[] = [];
  const known = new KnownFiles((path) => read.push(path));
  writeFileSync(file, 'one');
  expect([known.of(file), known.of(file)]).toEqual([1, 1]);
  writeFileSync(file, 'another');
  expect(known.of(file)).toBe(2);
});
