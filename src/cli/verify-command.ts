import { z } from 'zod';
import { isVerified, verifyRun } from '../perturb/verify/verify-run.js';
import { ConsoleHost } from './console-host.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, positiveOption, withInterrupt } from './run-context.js';
import { renderVerification } from './verification-lines.js';

const schema = z.object({
  databases: z.string().nullable().default(null),
  timeout: positiveOption,
  jobs: positiveOption.optional(),
  json: z.boolean().default(false),
});

/** `perturbql verify`. */
export async function run(raw: RawOptions, folder?: string): Promise<CommandResult> {
  const { databases, timeout, jobs, json } = parseOptions(schema, raw);
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const limits = { timeoutMs: timeout * 1000 };
    const verification = await verifyRun({ run: folder!, databases, processes: jobs, limits }, host);
    host.stop();
    if (json) console.log(JSON.stringify(verification, null, 2));
    else for (const line of renderVerification(verification)) console.log(line);
    return isVerified(verification) ? undefined : 'failed-check';
  }, false);
}
