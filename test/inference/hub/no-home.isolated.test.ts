import { expect, test, vi } from 'vitest';
import { ConfigError } from '../../../src/errors.js';
import { readHubEnvironment } from '../../../src/inference/hub/hub-source.js';
import { parseSource } from '../../../src/inference/hub/model-source.js';
import { modelsFolder } from '../../../src/inference/models-folder.js';
import { errorOf } from '../../error-of.js';

// As in a container whose user id has no name, without HOME.
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  homedir: () => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT');
  },
}));

test('without a home folder, what would do instead is said', () => {
  expect(errorOf(ConfigError, () => modelsFolder({})).fix).toMatch(/HOME.*PERTURBQL_CACHE/);
  expect(errorOf(ConfigError, () => readHubEnvironment({})).fix).toMatch(/HOME.*HF_HOME/);
  expect(errorOf(ConfigError, () => parseSource('~/model')).fix).toMatch(/HOME.*without ~/);
});

test('and none is needed where that is set', () => {
  expect(modelsFolder({ PERTURBQL_CACHE: '/cache' })).toBe('/cache/models');
  expect(readHubEnvironment({ HF_HOME: '/hub' }).hubCache).toBe('/hub/hub');
});
