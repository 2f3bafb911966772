import { join } from 'node:path';
import { z } from 'zod';
import { defineCommand } from './command.js';
import { renderNextCommands } from './next-commands.js';
import { text } from '../options/option-field.js';

const NEXT = [
  ['view', 'one page over all runs in this folder'],
  ['init', 'a project file for your own data'],
] as const;

/** `perturbql demo`. */
export const command = defineCommand({
  options: z.object({
    out: text('dir', 'folder of the run (default: perturbql-demo, or the next free number of it)', {
      flagOnly: true,
    }).exactOptional(),
  }),
  example: 'perturbql demo',
  onInterrupt: 'pauses',
  readsConfig: false,
  async run({ out: given }, { host }) {
    const [{ augment }, { PACKAGED_EXAMPLES }, { freeRunFolder }, { augmentOutput }] = await Promise.all([
      import('../variants/augment/augment.js'),
      import('../formats/packaged-examples.js'),
      import('../run/free-run-folder.js'),
      import('./augment-lines.js'),
    ]);
    const out = given ?? freeRunFolder('perturbql-demo');
    const output = augmentOutput(await augment({ ...PACKAGED_EXAMPLES, out }, host), out);
    const open = `\nOpen ${join(out, 'report.html')} in a browser: what changed, example by example.`;
    return { ...output, lines: [...output.lines, open, ...renderNextCommands(NEXT)] };
  },
});
