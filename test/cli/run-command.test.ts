import { expect, test } from 'vitest';
import { fileBesideFlags } from '../../src/cli/run-command.js';

const FILE = { dataset: 'spider', tables: 'tables.json', examples: 'dev.json', databases: 'database', seed: 7 };

test('places of the file that another format has no use for are left out', () => {
  const { tables: _, ...rest } = FILE;
  expect(fileBesideFlags(FILE, { dataset: 'sqlite' })).toEqual(rest);
});

test('the file’s places stay for its own format, and where no format is given', () => {
  expect(fileBesideFlags(FILE, {})).toEqual(FILE);
  expect(fileBesideFlags(FILE, { dataset: 'spider', tables: 'other.json' })).toEqual(FILE);
  const wrong = { ...FILE, dataset: 'sqlite' };
  expect(fileBesideFlags(wrong, { dataset: 'sqlite' })).toEqual(wrong);
});
