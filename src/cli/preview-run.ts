import { type CandidatesOptions, CandidatesRun } from '../variants/candidates/candidates-run.js';
import { DECIDES, describeRun, noteUndecided, type RunWork } from '../variants/candidates/run-estimate.js';
import { firstLeftOut } from '../report/left-out.js';
import type { RunHost } from '../run/run-host.js';

/** What a run would do, and further lines on what it will need. */
interface Preview {
  readonly work: RunWork;
  readonly lines: readonly string[];
}

/** Lines on what a run over a data set will cost. */
export async function previewRun(
  options: CandidatesOptions,
  host: RunHost,
  previewOf: (run: CandidatesRun) => Preview = () => ({ work: DECIDES, lines: [] }),
): Promise<readonly string[]> {
  const run = await CandidatesRun.open(options, host);
  const { work, lines } = previewOf(run);
  noteUndecided(work.given, run, host);
  return [
    await describeRun(run, work),
    ...(work.given === null ? (run.proposals?.firstPrompts ?? []) : []),
    ...lines,
    ...firstLeftOut(run.plan.skipped, 'report.json of the run').map((sentence) => `  note: ${sentence}`),
  ];
}
