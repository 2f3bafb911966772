import { type CandidatesOptions, CandidatesRun } from '../variants/candidates/candidates-run.js';
import { describeRun } from '../variants/candidates/run-estimate.js';
import { firstLeftOut } from '../report/left-out.js';
import type { VariantPlan } from '../variants/augment/variant-plan.js';
import type { RunHost } from '../run/run-host.js';

/** Lines on what a run over a data set will cost; `more` gives further ones on what it will need. */
export async function previewRun(
  options: CandidatesOptions & { readonly candidates?: string | null; readonly variants?: VariantPlan },
  host: RunHost,
  more: (run: CandidatesRun) => readonly string[] = () => [],
): Promise<readonly string[]> {
  const run = await CandidatesRun.open(options, host);
  const decides = (options.candidates ?? null) === null;
  return [
    describeRun(run, { decides, variants: options.variants ?? null }),
    ...(decides ? (run.estimateProposals()?.firstPrompts ?? []) : []),
    ...more(run),
    ...firstLeftOut(run.plan.skipped, 'report.json of the run').map((sentence) => `  note: ${sentence}`),
  ];
}
