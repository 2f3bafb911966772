import { z } from 'zod';
import type { VerifyOptions } from '../variants/verify/verify-groups.js';
import type { RunHost } from '../run/run-host.js';
import { type CommandOutput, defineCommand } from './command.js';
import { checkIdle } from '../options/given-options.js';
import { idleInVerify } from './idle-options.js';
import { optionalText } from '../options/option-field.js';
import {
  JSON_OPTION,
  QUERY_JOBS_OPTION,
  reportFolder,
  SHARD_OPTION,
  SYNTHETIC_OPTION,
  TIMEOUT_OPTION,
} from './shared-options.js';

async function checkRun(request: VerifyOptions, host: RunHost): Promise<CommandOutput> {
  const { isVerified } = await import('../variants/verify/verdict.js');
  const { verifyRun } = await import('../variants/verify/verify-run.js');
  const { renderVerification } = await import('./verification-lines.js');
  const json = await verifyRun(request, host);
  return { json, lines: renderVerification(json), failedCheck: !isVerified(json) };
}

async function checkMutants(request: VerifyOptions, host: RunHost): Promise<CommandOutput> {
  const { areMutantsVerified, verifyMutateRun } = await import('../variants/verify/verify-mutants.js');
  const { renderMutantVerification } = await import('./verification-lines.js');
  const json = await verifyMutateRun(request, host);
  return { json, lines: renderMutantVerification(json), failedCheck: !areMutantsVerified(json) };
}

/** `perturbql verify`: of a run of `augment` or `mutate`. */
export const command = defineCommand({
  options: z.object({
    databases: optionalText('path', 'original databases, for a run that wrote views'),
    ...SYNTHETIC_OPTION,
    ...TIMEOUT_OPTION,
    ...QUERY_JOBS_OPTION,
    out: reportFolder().nullable().default(null),
    ...JSON_OPTION,
    ...SHARD_OPTION,
  }),
  argument: { name: '<run>', description: 'folder that augment or mutate wrote' },
  example: 'perturbql verify RUN',
  onInterrupt: 'stops',
  async run({ databases, syntheticDatabases, timeout, jobs, out }, { args: [run = ''], host, shard, flags }) {
    const { readRunManifest } = await import('../run/run-folder.js');
    const manifest = readRunManifest(run);
    checkIdle(idleInVerify(manifest), flags, host);
    const limits = { timeoutMs: timeout * 1000 };
    const request = { run, databases, syntheticDatabases, jobs, limits, out, shard };
    return manifest.command === 'mutate' ? checkMutants(request, host) : checkRun(request, host);
  },
});
