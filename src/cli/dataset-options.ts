import { z } from 'zod';
import type { DatasetPaths } from '../formats/dataset.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { COLUMN_CHOICES } from '../perturb/column-choice.js';

const path = z.string().nullable().default(null);

/** Where a data set is: of every command that takes one. */
export const datasetPathsShape = {
  dataset: z.enum(DATASET_FORMATS),
  tables: path,
  examples: path,
  databases: path,
  connection: path,
};

/** Options of the commands that run over a data set. */
export const datasetSchema = z.object({
  ...datasetPathsShape,
  columns: z.enum(COLUMN_CHOICES),
  out: z.string(),
  dryRun: z.boolean().default(false),
});

/** Options of commands that can do without a data set. */
export const givenDatasetSchema = z.object(datasetPathsShape);

/** The data set where any of its places is given; null where none is. */
export function givenDataset(paths: z.infer<typeof givenDatasetSchema>): DatasetPaths | null {
  const { tables, examples, databases, connection } = paths;
  return [tables, examples, databases, connection].some((place) => place !== null) ? paths : null;
}
