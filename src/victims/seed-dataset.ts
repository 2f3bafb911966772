import type { ComposeOutput } from '../compositional/compose/compose-output.js';
import type { Dataset, DatasetPaths } from '../formats/dataset.js';
import { loadDataset } from '../formats/load-dataset.js';
import type { MutantSet } from '../metamorphic/mutant-set.js';
import { loadRunDataset, runPaths } from '../metamorphic/run-dataset.js';

/** The runs whose questions are asked, read. */
export interface AskedRuns {
  readonly mutants: MutantSet | null;
  readonly composed: ComposeOutput | null;
}

/** A data set, and where the schemas and rows of further training examples lie. */
export interface SeedDataset {
  readonly dataset: Dataset;
  readonly paths: DatasetPaths;
}

/** The data set that is named; where none is, what the run of the mutants, or else that of the compositions, holds of it. */
export async function loadSeedDataset(
  options: Parameters<typeof loadDataset>[0],
  { mutants, composed }: AskedRuns,
): Promise<SeedDataset> {
  const { tables, examples, connection, databases } = options;
  const isNamed = [tables, examples, connection].some((path) => path !== null);
  if (!isNamed && mutants !== null) {
    const { folder, schemas } = mutants;
    return { dataset: loadRunDataset(folder, schemas, databases), paths: runPaths(folder, databases) };
  }
  if (!isNamed && composed !== null) {
    return { dataset: composed.originals(databases), paths: composed.paths(databases) };
  }
  return { dataset: await loadDataset(options), paths: options };
}
