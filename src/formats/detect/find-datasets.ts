import { PerturbqlError } from '../../errors.js';
import { type DatasetPaths, leftOutOf, type SkippedExample } from '../dataset.js';
import { loadDataset } from '../load-dataset.js';
import { findLayouts, type Layout } from './find-layouts.js';

/** A data set that was found and can be read. */
export interface FoundDataset extends Layout {
  /** Questions and databases that it has. */
  readonly questions: number;
  /** Questions that the built-in parser can learn from: the training set's, else all but the one asked. */
  readonly toLearnFrom: number;
  readonly databases: number;
  /** How many of the databases have rows. */
  readonly withRows: number;
  /** Schemas that can't be used, or else questions: those of such schemas go with them. */
  readonly leftOut: readonly SkippedExample[];
}

/** The data sets in a folder. */
export interface FoundDatasets {
  /** Those with rows first, then the ones nearer to the folder. */
  readonly datasets: readonly FoundDataset[];
  /** The reasons that seeming data sets can't be read. */
  readonly refused: readonly string[];
}

const depthOf = ({ paths }: FoundDataset): number => (paths.examples ?? '').split(/[/\\]/).length;
const hasRows = ({ withRows }: FoundDataset): boolean => withRows > 0;

/** The questions of a training set; none of one that can't be read, which takes nothing from the data set. */
async function countQuestions(paths: DatasetPaths, examples: string): Promise<number> {
  try {
    return (await loadDataset({ ...paths, examples })).size;
  } catch (error) {
    if (error instanceof PerturbqlError) return 0;
    throw error;
  }
}

/** Finds data sets below a folder, each read once to see that it can be. */
export async function findDatasets(root: string): Promise<FoundDatasets> {
  const datasets: FoundDataset[] = [];
  const refused: string[] = [];
  for (const layout of findLayouts(root)) {
    try {
      const dataset = await loadDataset(layout.paths);
      const ids = [...dataset.databases.keys()];
      const withRows = ids.filter((id) => dataset.hasRows(id)).length;
      const toLearnFrom = layout.train === null ? dataset.size - 1 : await countQuestions(layout.paths, layout.train);
      const { skippedSchemas = [], skipped } = dataset;
      const leftOut = leftOutOf({ skippedSchemas, skipped: skippedSchemas.length === 0 ? skipped : [] });
      datasets.push({ ...layout, questions: dataset.size, toLearnFrom, databases: ids.length, withRows, leftOut });
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      refused.push(error.render());
    }
  }
  datasets.sort((a, b) => Number(hasRows(b)) - Number(hasRows(a)) || depthOf(a) - depthOf(b));
  return { datasets, refused };
}
