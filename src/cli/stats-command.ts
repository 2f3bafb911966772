import { z } from 'zod';
import { candidateStatistics } from '../perturb/candidate-statistics.js';
import { givenDataset, givenDatasetSchema } from './dataset-options.js';
import type { RawOptions } from './options.js';
import { parseOptions } from './run-context.js';
import { renderStatisticsLines } from './statistics-lines.js';

const schema = givenDatasetSchema.extend({ candidates: z.string().min(1), json: z.boolean().default(false) });

/** `perturbql stats`. */
export async function run(raw: RawOptions): Promise<void> {
  const { candidates, json, ...dataset } = parseOptions(schema, raw);
  const result = await candidateStatistics({ candidates, paths: givenDataset(dataset) });
  if (json) console.log(JSON.stringify(result, null, 2));
  else for (const line of renderStatisticsLines(result)) console.log(line);
}
