import { join } from 'node:path';
import { z } from 'zod';
import { augment } from '../perturb/augment.js';
import { ADD_POSITIONS } from '../perturb/add-position.js';
import { LINKED_KEYS } from '../perturb/linked-keys.js';
import { datasetSchema } from './dataset-options.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions } from './run-context.js';
import { runDatasetCommand } from './run-dataset-command.js';

const schema = datasetSchema.extend({
  candidates: z.string().nullable().default(null),
  linkedKeys: z.enum(LINKED_KEYS),
  addPosition: z.enum(ADD_POSITIONS),
  keepStar: z.boolean().default(false),
});

/** `perturbql augment`. */
export async function run(raw: RawOptions): Promise<void> {
  const { dryRun, ...paths } = parseOptions(schema, raw);
  await runDatasetCommand({ ...paths, ...parseCommonOptions(raw) }, dryRun, async (options, host) => {
    const { written, leftOut, redraws, warnings, fresh } = await augment(options, host);
    const total = written.original + written.rpl + written.add;
    return [
      `${fresh ? '' : 'already complete: '}${total} examples: ${written.original} original, ${written.rpl} RPL, ${written.add} ADD; ${leftOut} variants left out, ${redraws} redrawn`,
      ...warnings.map((warning) => `  note: ${warning}`),
      ...['tables.json', 'examples.json', 'provenance.jsonl', 'report.html'].map(
        (name) => `  ${join(options.out, name)}`,
      ),
    ];
  });
}
