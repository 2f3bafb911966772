import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { FoundDataset } from '../../../src/formats/detect/find-datasets.js';
import { renderProjectFile } from '../../../src/formats/detect/project-file.js';
import { PATH_DEFAULTS } from '../../../src/formats/dataset.js';
import { packagePath } from '../../../src/package-path.js';
import { createFolder } from '../format-fixture.js';

const FOUND: FoundDataset = {
  paths: { ...PATH_DEFAULTS, tables: 'tables.json', examples: 'dev.json' },
  questions: 1,
  databases: 1,
  withRows: 0,
  toLearnFrom: 0,
  gold: null,
  predictions: null,
  train: null,
  leftOut: [],
};

const schemaIn = (folder: string): unknown =>
  (JSON.parse(renderProjectFile(FOUND, folder, { hasBaseline: true })) as Record<string, unknown>)['$schema'];

test('names the description of the file where the package is below the folder', () => {
  const file = packagePath('docs/perturbql.config.schema.json');
  expect(schemaIn(dirname(dirname(file)))).toBe('./docs/perturbql.config.schema.json');
});

test('names no description elsewhere: neither a path of this machine nor a host', () => {
  const folder = createFolder();
  expect(schemaIn(folder)).toBeUndefined();
  expect(renderProjectFile(FOUND, folder, { hasBaseline: true })).not.toMatch(/https?:|file:/);
});
