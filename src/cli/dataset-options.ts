import { z } from 'zod';
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
