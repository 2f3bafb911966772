import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { DATASET_FORMATS, DATASET_NEEDS, unreadInputs } from '../../src/formats/dataset-formats.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { PATH_DEFAULTS } from '../../src/formats/dataset.js';

describe('inputs that a format does not read', () => {
  const cases = DATASET_FORMATS.flatMap((format) => unreadInputs(format).map((input) => [format, input] as const));

  test.each(cases)('%s refuses %s', async (format, input) => {
    const needed = Object.fromEntries(DATASET_NEEDS[format].map((name) => [name, 'nope']));
    const loading = loadDataset({ ...PATH_DEFAULTS, dataset: format, ...needed, [input]: 'nope' });
    await expect(loading).rejects.toThrow(ConfigError);
    await expect(loading).rejects.toThrow(`data set format ${format} does not read --${input}`);
  });

  test('are named all at once', async () => {
    const paths = { databases: 'nope', examples: 'nope', tables: 'nope', connection: 'mysql://nope' };
    await expect(loadDataset({ ...PATH_DEFAULTS, dataset: 'sqlite', ...paths })).rejects.toThrow(
      'does not read --tables and --connection',
    );
  });

  test('are none of a format that can do without them', () => {
    expect(unreadInputs('spider')).toEqual(['connection']);
    expect(unreadInputs('dr-spider')).toEqual(['connection']);
    expect(unreadInputs('evoschema')).toEqual(['tables', 'connection']);
  });
});
