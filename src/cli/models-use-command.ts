import { existsSync } from 'node:fs';
import { z } from 'zod';
import { checkWrittenFile } from '../run/output-place.js';
import { defineCommand } from './command.js';
import { DEFAULT_CONFIG } from './global-options.js';
import { modelSettings } from './model-settings.js';

const options = z.object({});

/** `perturbql models use`. */
export const command = defineCommand({
  options,
  argument: {
    name: '<name>',
    description: 'a model of the list, or a model folder; an embedded one takes the choice back',
  },
  example: 'perturbql models use cross-encoder/nli-deberta-v3-base',
  readsConfig: false,
  async run(_, { args: [name = ''], config }) {
    const file = config.file ?? DEFAULT_CONFIG;
    checkWrittenFile('config', file);
    const [{ useModel }, { loadConfig }, { COMMANDS }] = await Promise.all([
      import('./use-model.js'),
      import('./project-config.js'),
      import('./commands.js'),
    ]);
    // Read by the rules of a run first: a file that is wrong is told, not written over.
    const before = existsSync(file) ? await loadConfig(file, options, COMMANDS) : { file, settings: {}, options: {} };
    const { settings } = await modelSettings({}, before);
    return { lines: useModel(name, file, settings) };
  },
});
