import { z } from 'zod';
import type { DatasetPaths } from '../formats/dataset.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { COLUMN_CHOICES } from '../perturb/column-choice.js';

/** Options of the commands that run over a data set. */
export const datasetSchema = z.object({
  dataset: z.enum(DATASET_FORMATS),
  tables: z.string().nullable().default(null),
  examples: z.string().nullable().default(null),
  databases: z.string().nullable().default(null),
  connection: z.string().nullable().default(null),
  columns: z.enum(COLUMN_CHOICES),
  out: z.string(),
  dryRun: z.boolean().default(false),
});

/** Options of commands that can do without a data set. */
export const givenDatasetSchema = datasetSchema.pick({
  dataset: true,
  tables: true,
  examples: true,
  databases: true,
  connection: true,
});

/** The data set where any of its places is given; null where none is. */
export function givenDataset(paths: z.infer<typeof givenDatasetSchema>): DatasetPaths | null {
  const { tables, examples, databases, connection } = paths;
  return [tables, examples, databases, connection].some((place) => place !== null) ? paths : null;
}
