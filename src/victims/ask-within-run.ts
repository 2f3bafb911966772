import { RunFolder, type RunManifest } from '../run/run-folder.js';
import { clearScratch } from '../run/scratch-folder.js';
import { isSettled, type VictimAnswer } from './victim.js';

/** What a run found, and the answers to all that it asked. */
export interface AskedWork<R> {
  readonly report: R;
  readonly answers: readonly VictimAnswer[];
}

/** What a run that asks a victim ends in. */
export interface AskedOutcome<R> {
  readonly report: R;
  /** Questions without an answer for a reason that may pass: the same call asks them again. */
  readonly open: number;
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

/**
 * Does the work of a run that asks a victim, in the run's folder: a finished run is left as it is and its report loaded;
 * one that fails or leaves questions open stays to be resumed.
 * @throws RunFolderError as `RunFolder.open`, and what `loadReport` and `work` throw
 */
export async function askWithinRun<R>(
  out: string,
  manifest: Omit<RunManifest, 'complete'>,
  loadReport: (out: string) => R,
  work: (folder: RunFolder<VictimAnswer>) => Promise<AskedWork<R>>,
): Promise<AskedOutcome<R>> {
  const folder = RunFolder.open<VictimAnswer>(out, manifest);
  if (folder.complete) {
    folder.close();
    return { report: loadReport(out), open: 0, fresh: false };
  }
  clearScratch(out);
  try {
    const { report, answers } = await work(folder);
    const open = answers.filter((answer) => !isSettled(answer)).length;
    if (open === 0) folder.finish();
    else folder.close();
    return { report, open, fresh: true };
  } catch (error) {
    folder.close();
    throw error;
  }
}
