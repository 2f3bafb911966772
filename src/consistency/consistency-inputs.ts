import { join } from 'node:path';
import { InputFormatError } from '../errors.js';
import type { Dataset, DatasetExample, DatasetPaths } from '../formats/dataset.js';
import { loadDataset } from '../formats/load-dataset.js';
import { groupBy } from '../run/group-by.js';
import { requireDatabases, requireExamples } from '../perturb/candidates-run.js';
import { findUnusable } from '../perturb/database/unusable-databases.js';
import { compareText } from '../report/column-tally.js';
import { idsInFold } from '../metamorphic/sampling/fold.js';
import type { ConsistencyOptions } from './consistency-options.js';
import { MutantRun } from '../metamorphic/mutant-run.js';
import { loadRunDataset, runPaths } from '../metamorphic/run-dataset.js';
import { seedSubject, type SeedGroup, type Subject } from './subject.js';

/** The inputs of a consistency run, read and joined. */
export interface ConsistencyInputs {
  readonly dataset: Dataset;
  /** Where the schemas and rows of further training examples lie. */
  readonly paths: DatasetPaths;
  readonly run: MutantRun;
  /** Seeds that have mutants, in the order of the data set; each one's mutants in theirs. */
  readonly groups: readonly SeedGroup[];
  /** Ids of the examples in the fold; null without one. */
  readonly fold: ReadonlySet<string> | null;
}

const FIX = 'Name the data set that the mutants were made of, with --tables, --examples and --databases.';

function checkSeeds(run: MutantRun, examples: ReadonlyMap<string, DatasetExample>, options: ConsistencyOptions): void {
  for (const { id, seed, origin } of run.records) {
    const where = { file: join(options.mutants, 'mutants.jsonl'), id };
    const example = examples.get(seed);
    if (example === undefined) throw new InputFormatError(`its seed ${seed} is no example`, { where, fix: FIX });
    if (example.dbId !== origin) {
      throw new InputFormatError(`its seed ${seed} asks ${example.dbId}, not ${origin}`, { where, fix: FIX });
    }
  }
}

/** The data set that is named; where none is, what the run of the mutants holds of it. */
async function loadSeedDataset(
  options: ConsistencyOptions,
  run: MutantRun,
): Promise<Pick<ConsistencyInputs, 'dataset' | 'paths'>> {
  const { tables, examples, connection, mutants, databases } = options;
  const isNamed = [tables, examples, connection].some((path) => path !== null);
  if (isNamed) return { dataset: await loadDataset({ ...options, withoutGold: true }), paths: options };
  return { dataset: loadRunDataset(mutants, run.schemas, databases), paths: runPaths(mutants, databases) };
}

/** Reads data set and mutants. @throws InputFormatError, RunFolderError or ConfigError when one is missing or wrong */
export async function loadConsistencyInputs(options: ConsistencyOptions): Promise<ConsistencyInputs> {
  requireDatabases(options.databases);
  const run = new MutantRun(options.mutants);
  const { dataset, paths } = await loadSeedDataset(options, run);
  requireExamples(dataset, options);
  findUnusable(dataset, options.databases);
  const examples = [...dataset.examples()];
  checkSeeds(run, new Map(examples.map((example) => [example.id, example])), options);
  const fold = options.fold === null ? null : idsInFold(examples, options.fold);
  const bySeed = groupBy(run.records, ({ seed }) => seed);
  const groups = examples
    .filter(({ id }) => fold?.has(id) ?? true)
    .flatMap((example): SeedGroup[] => {
      const mutants = bySeed.get(example.id);
      return mutants === undefined ? [] : [{ example, seed: seedSubject(example), mutants }];
    });
  if (groups.length > 0) return { dataset, paths, run, groups, fold };
  throw new InputFormatError('no example of the fold has a mutant', {
    where: { file: options.mutants },
    fix: 'Give another --fold, or mutants of all its examples.',
  });
}

/** What is asked, seeds first, then mutants: those of one schema together, as victims keep what they make of it. */
export function subjectsOf(groups: readonly SeedGroup[]): readonly Subject[] {
  const mutants = groups.flatMap((group) => group.mutants);
  const bySchema = [...mutants].sort((a, b) => compareText(a.origin, b.origin) || compareText(a.db_id, b.db_id));
  return [...groups.map(({ seed }) => seed), ...bySchema];
}
