import { z } from 'zod';
import { isVerified } from '../perturb/verify/verdict.js';
import { type VerifyOptions, verifyRun } from '../perturb/verify/verify-run.js';
import { readRunManifest } from '../run/run-folder.js';
import type { RunHost } from '../run/run-host.js';
import { ConsoleHost } from './console-host.js';
import { renderMutantVerification } from './mutant-verification-lines.js';
import { positiveOption, secondsOption } from './number-options.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';
import { renderVerification } from './verification-lines.js';

const schema = z.object({
  databases: z.string().nullable().default(null),
  timeout: secondsOption,
  jobs: positiveOption.optional(),
  json: z.boolean().default(false),
});

/** `perturbql verify`: of a run of `augment` or `mutate`. */
export async function run(raw: RawOptions, folder?: string): Promise<CommandResult> {
  const { databases, timeout, jobs, json } = parseOptions(schema, raw);
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const request = { run: folder!, databases, processes: jobs, limits: { timeoutMs: timeout * 1000 } };
    const { found, lines, isRight } =
      readRunManifest(folder!).command === 'mutate' ? await checkMutants(request, host) : await checkRun(request, host);
    host.stop();
    for (const line of json ? [JSON.stringify(found, null, 2)] : lines) console.log(line);
    return isRight ? undefined : 'failed-check';
  }, false);
}

/** What a verification found, for machines and for people. */
interface Checked {
  readonly found: unknown;
  readonly lines: readonly string[];
  readonly isRight: boolean;
}

async function checkRun(request: VerifyOptions, host: RunHost): Promise<Checked> {
  const found = await verifyRun(request, host);
  return { found, lines: renderVerification(found), isRight: isVerified(found) };
}

async function checkMutants(request: VerifyOptions, host: RunHost): Promise<Checked> {
  const { verifyMutateRun } = await import('../metamorphic/verify/verify-mutate-run.js');
  const { areMutantsVerified } = await import('../metamorphic/verify/verify-mutants.js');
  const found = await verifyMutateRun(request, host);
  return { found, lines: renderMutantVerification(found), isRight: areMutantsVerified(found) };
}
