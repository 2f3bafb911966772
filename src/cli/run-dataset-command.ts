import { availableParallelism } from 'node:os';
import { type CandidatesOptions, CandidatesRun } from '../perturb/candidates-run.js';
import { estimateRun, renderEstimate } from '../perturb/run-estimate.js';
import type { RunHost } from '../run/run-host.js';
import { ConsoleHost } from './console-host.js';
import { withInterrupt } from './run-context.js';

/** Says what a run will cost, then does it unless it is a dry run; prints the work's lines on standard output. */
export async function runDatasetCommand<O extends CandidatesOptions>(
  options: O,
  dryRun: boolean,
  work: (options: O, host: RunHost) => Promise<readonly string[]>,
): Promise<void> {
  await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const run = new CandidatesRun(options, host);
    const estimate = renderEstimate(estimateRun(run, options.workers ?? availableParallelism()));
    if (dryRun) {
      console.log(estimate);
      for (const { id, reason } of run.plan.skipped) console.log(`  left out: ${id}, ${reason}`);
      return;
    }
    host.note(estimate);
    try {
      const lines = await work(options, host);
      host.stop();
      for (const line of lines) console.log(line);
    } finally {
      host.stop();
    }
  });
}
