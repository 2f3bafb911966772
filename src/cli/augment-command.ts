import { z } from 'zod';
import { EXPORT_NAMES } from '../formats/exports/export-names.js';
import { augment, materializeModeOf } from '../perturb/augment.js';
import { ADD_POSITIONS } from '../perturb/add-position.js';
import { MATERIALIZE_MODES } from '../perturb/database/materialize-mode.js';
import { describeDatabases } from '../perturb/database/write-databases.js';
import { LINKED_KEYS } from '../perturb/linked-keys.js';
import { isVerified } from '../perturb/verify/verdict.js';
import type { RunHost } from '../run/run-host.js';
import { renderAugmented } from './augment-lines.js';
import { datasetSchema } from './dataset-options.js';
import type { CommandResult, RawOptions } from './options.js';
import { parseCommonOptions, parseOptions } from './run-context.js';
import { type JobSummary, runDatasetCommand } from './run-dataset-command.js';

const schema = datasetSchema.extend({
  candidates: z.string().nullable().default(null),
  linkedKeys: z.enum(LINKED_KEYS),
  addPosition: z.enum(ADD_POSITIONS),
  keepStar: z.boolean().default(false),
  materialize: z.enum(MATERIALIZE_MODES).optional(),
  verify: z.boolean(),
  export: z.array(z.enum(EXPORT_NAMES)).default([]),
  promptTemplate: z.string().nullable().default(null),
});

/** `perturbql augment`. */
export async function run(raw: RawOptions): Promise<CommandResult> {
  const { dryRun, materialize, export: exports, ...paths } = parseOptions(schema, raw);
  const given = materialize === undefined ? {} : { materialize };
  const options = { ...paths, exports, ...given, ...parseCommonOptions(raw) };
  const work = async (_: typeof options, host: RunHost): Promise<JobSummary> => {
    const outcome = await augment(options, host);
    const { verification } = outcome;
    const lines = renderAugmented(outcome, options.out);
    return { lines, result: verification === null || isVerified(verification) ? undefined : 'failed-check' };
  };
  return runDatasetCommand(options, dryRun, work, (run) => describeDatabases(run, materializeModeOf(options)));
}
