import { join } from 'node:path';
import { generateCandidates } from '../perturb/generate-candidates.js';
import { datasetSchema } from './dataset-options.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseCommonOptions, parseOptions } from './run-context.js';
import { runDatasetCommand } from './run-dataset-command.js';

/** `perturbql candidates`. */
export async function run(raw: RawOptions): Promise<CommandResult> {
  const { dryRun, ...paths } = parseOptions(datasetSchema, raw);
  return runDatasetCommand({ ...paths, ...parseCommonOptions(raw) }, dryRun, async (options, host) => {
    const { counts, skipped, fresh } = await generateCandidates(options, host);
    const lines = [
      `${fresh ? '' : 'already complete: '}${counts.RPL} RPL and ${counts.ADD} ADD candidates, ${counts.rejected} rejected, ${skipped} left out`,
      `  ${join(options.out, 'candidates.jsonl')}`,
      `  ${join(options.out, 'report.html')}`,
    ];
    return { lines };
  });
}
