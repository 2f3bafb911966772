import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { DATASET_FORMATS } from '../formats/dataset.js';
import { COLUMN_CHOICES } from '../perturb/column-choice.js';
import { CandidatesRun } from '../perturb/candidates-run.js';
import { generateCandidates } from '../perturb/generate-candidates.js';
import { estimateRun, renderEstimate } from '../perturb/run-estimate.js';
import { ConsoleHost } from './console-host.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({
  dataset: z.enum(DATASET_FORMATS),
  tables: z.string(),
  examples: z.string(),
  databases: z.string().nullable().default(null),
  columns: z.enum(COLUMN_CHOICES),
  out: z.string(),
  dryRun: z.boolean().default(false),
});

/** `perturbql candidates`. */
export async function run(raw: RawOptions): Promise<void> {
  const { dryRun, ...paths } = parseOptions(schema, raw);
  const options = { ...paths, ...parseCommonOptions(raw) };
  await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    host.note(renderEstimate(estimateRun(new CandidatesRun(options, host), options.workers ?? availableParallelism())));
    if (dryRun) return;
    try {
      const { counts } = await generateCandidates(options, host);
      console.log(`${counts.RPL} RPL and ${counts.ADD} ADD candidates, ${counts.rejected} rejected: ${options.out}/candidates.jsonl`);
    } finally {
      host.stop();
    }
  });
}
