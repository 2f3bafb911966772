import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGED_EXAMPLES } from '../formats/packaged-examples.js';
import { augment } from '../perturb/augment.js';
import { isVerified } from '../perturb/verify/verdict.js';
import { freeRunFolder } from '../run/free-run-folder.js';
import { renderAugmented } from './augment-lines.js';
import { ConsoleHost } from './console-host.js';
import { renderNextCommands } from './next-commands.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({ out: z.string().min(1).optional() });

/** `perturbql demo`. */
export async function run(raw: RawOptions): Promise<CommandResult> {
  const { out = freeRunFolder('perturbql-demo') } = parseOptions(schema, raw);
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const outcome = await augment({ ...PACKAGED_EXAMPLES, out }, host).finally(() => host.stop());
    for (const line of renderAugmented(outcome, out)) console.log(line);
    console.log(`\nOpen ${join(out, 'report.html')} in a browser: what changed, example by example.`);
    const next = [
      ['view', 'one page over all runs in this folder'],
      ['init', 'a project file for your own data'],
    ] as const;
    for (const line of renderNextCommands(next)) console.log(line);
    return outcome.verification === null || isVerified(outcome.verification) ? undefined : 'failed-check';
  });
}
