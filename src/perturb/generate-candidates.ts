import { renderCandidate } from '../formats/candidates-file.js';
import type { TableResult } from '../pipeline.js';
import { RunFolder } from '../run/run-folder.js';
import type { RunHost } from '../run/run-host.js';
import { type CandidatesOptions, CandidatesRun } from './candidates-run.js';

export interface CandidatesOutcome {
  /** Decisions per bucket. */
  readonly counts: Readonly<Record<'RPL' | 'ADD' | 'rejected', number>>;
}

/**
 * Decides candidates for the columns of a data set and writes `candidates.jsonl`, `report.json` and `report.html` into
 * the run folder (ADVETA §4). The same call again resumes an interrupted run; a finished one is left as it is.
 */
export async function generateCandidates(options: CandidatesOptions, host: RunHost): Promise<CandidatesOutcome> {
  const run = new CandidatesRun(options, host);
  try {
    const folder = RunFolder.open<TableResult>(options.out, await run.manifest('candidates', {}));
    const results = await run.decide(folder, host);
    const decisions = results.flatMap((result) => result.decisions);
    folder.write('candidates.jsonl', decisions.map(renderCandidate));
    folder.finish();
    const counts = { RPL: 0, ADD: 0, rejected: 0 };
    for (const { bucket } of decisions) counts[bucket]++;
    return { counts };
  } finally {
    await run.dispose();
  }
}
