import { type CandidatesOptions, CandidatesRun } from '../perturb/candidates-run.js';
import { describeRun } from '../perturb/run-estimate.js';
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
    if (dryRun) {
      const run = await CandidatesRun.open(options, host);
      console.log(describeRun(run));
      for (const { id, reason } of run.plan.skipped) console.log(`  left out: ${id}, ${reason}`);
      return;
    }
    try {
      const lines = await work(options, host);
      host.stop();
      for (const line of lines) console.log(line);
    } finally {
      host.stop();
    }
  });
}
