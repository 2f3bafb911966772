import { z } from 'zod';
import { PROJECT_OPTION } from './annotate-shared.js';
import { defineCommand } from './command.js';
import { modelSettings } from './model-settings.js';
import { flag, port, text, unlessOff } from '../options/option-field.js';
import { readOptions } from './read-options.js';
import { MACHINE_OPTIONS } from './shared-options.js';

/** `perturbql annotate serve`. */
export const command = defineCommand({
  options: z.object({
    ...PROJECT_OPTION,
    port: port(4747),
    host: text('address', 'address that the page is served at').default('127.0.0.1'),
    allowRemote: flag('serve at an address that other machines reach; nothing on the way is encrypted'),
    judge: unlessOff('do not ask the judge whether a written name means another column'),
  }),
  example: 'perturbql annotate serve --project project.db',
  async run(options, { host, config }) {
    const { serveProject } = await import('./serve-project.js');
    const { device } = readOptions(z.object({ device: MACHINE_OPTIONS.device }), {}, config.options);
    await serveProject(options, await modelSettings({ device }, config), host);
  },
});
