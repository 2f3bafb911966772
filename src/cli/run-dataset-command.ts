import { type CandidatesOptions, CandidatesRun } from '../perturb/candidates-run.js';
import { describeRun } from '../perturb/run-estimate.js';
import type { RunHost } from '../run/run-host.js';
import { ConsoleHost } from './console-host.js';
import type { CommandResult } from './options.js';
import { withInterrupt } from './run-context.js';

/** What a job over a data set has to say in the end. */
export interface JobSummary {
  /** Lines for standard output. */
  readonly lines: readonly string[];
  readonly result?: CommandResult;
}

/**
 * Says what a run will cost, then does it unless it is a dry run; prints the work's lines on standard output. `foresee`
 * gives further lines on what the run will need.
 */
export async function runDatasetCommand<O extends CandidatesOptions & { readonly candidates?: string | null }>(
  options: O,
  dryRun: boolean,
  work: (options: O, host: RunHost) => Promise<JobSummary>,
  foresee: (run: CandidatesRun) => readonly string[] = () => [],
): Promise<CommandResult> {
  return withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    if (dryRun) {
      const run = await CandidatesRun.open(options, host);
      for (const line of [describeRun(run, (options.candidates ?? null) === null), ...foresee(run)]) console.log(line);
      for (const { id, reason } of run.plan.skipped) console.log(`  left out: ${id}, ${reason}`);
      return;
    }
    try {
      const { lines, result } = await work(options, host);
      host.stop();
      for (const line of lines) console.log(line);
      return result;
    } finally {
      host.stop();
    }
  });
}
