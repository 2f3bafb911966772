import { join } from 'node:path';
import { ComposedRun } from '../compositional/compose/composed-run.js';
import { InputFormatError } from '../errors.js';
import type { Dataset, DatasetExample, DatasetPaths } from '../formats/dataset.js';
import { loadDataset } from '../formats/load-dataset.js';
import { groupBy } from '../run/group-by.js';
import { requireDatabases, requireExamples } from '../perturb/candidates-run.js';
import { findUnusable } from '../perturb/database/unusable-databases.js';
import { present } from '../present.js';
import { compareText } from '../report/column-tally.js';
import { idsInFold } from '../metamorphic/sampling/fold.js';
import type { ConsistencyOptions } from './consistency-options.js';
import { MutantRun } from '../metamorphic/mutant-run.js';
import { loadRunDataset, runPaths } from '../metamorphic/run-dataset.js';
import { loadRecompositions, type Recompositions } from '../victims/recomposition/load-recompositions.js';
import { seedSubject, type SeedGroup, type Subject } from './subject.js';

/** The inputs of a consistency run, read and joined. */
export interface ConsistencyInputs {
  readonly dataset: Dataset;
  /** Where the schemas and rows of further training examples lie. */
  readonly paths: DatasetPaths;
  /** Null where no mutants are asked. */
  readonly run: MutantRun | null;
  /** Seeds that have mutants, in the order of the data set; each one's mutants in theirs. */
  readonly groups: readonly SeedGroup[];
  /** Composed questions with their parents; null where none are asked. */
  readonly compositions: Recompositions | null;
  /** Ids of the examples in the fold; null without one. */
  readonly fold: ReadonlySet<string> | null;
}

const FIX = 'Name the data set that the mutants were made of, with --tables, --examples and --databases.';

function checkSeeds(run: MutantRun, examples: ReadonlyMap<string, DatasetExample>, folder: string): void {
  for (const { id, seed, origin } of run.records) {
    const where = { file: join(folder, 'mutants.jsonl'), id };
    const example = examples.get(seed);
    if (example === undefined) throw new InputFormatError(`its seed ${seed} is no example`, { where, fix: FIX });
    if (example.dbId !== origin) {
      throw new InputFormatError(`its seed ${seed} asks ${example.dbId}, not ${origin}`, { where, fix: FIX });
    }
  }
}

/** The runs whose questions are asked, read. */
interface AskedRuns {
  readonly mutants: MutantRun | null;
  readonly composed: ComposedRun | null;
}

/** The data set that is named; where none is, what the run of the mutants, or else that of the compositions, holds of it. */
async function loadSeedDataset(
  options: ConsistencyOptions,
  { mutants, composed }: AskedRuns,
): Promise<Pick<ConsistencyInputs, 'dataset' | 'paths'>> {
  const { tables, examples, connection, databases } = options;
  const isNamed = [tables, examples, connection].some((path) => path !== null);
  if (!isNamed && mutants !== null) {
    const folder = present(options.mutants, 'options.mutants');
    return { dataset: loadRunDataset(folder, mutants.schemas, databases), paths: runPaths(folder, databases) };
  }
  if (!isNamed && composed !== null) {
    return { dataset: composed.originals(databases), paths: composed.paths(databases) };
  }
  return { dataset: await loadDataset({ ...options, withoutGold: true }), paths: options };
}

/** Seeds with their mutants. @throws InputFormatError when a seed is no example, or none in the fold has a mutant */
function groupSeeds(
  run: MutantRun,
  folder: string,
  examples: readonly DatasetExample[],
  fold: ReadonlySet<string> | null,
): readonly SeedGroup[] {
  checkSeeds(run, new Map(examples.map((example) => [example.id, example])), folder);
  const bySeed = groupBy(run.records, ({ seed }) => seed);
  const groups = examples
    .filter(({ id }) => fold?.has(id) ?? true)
    .flatMap((example): SeedGroup[] => {
      const mutants = bySeed.get(example.id);
      return mutants === undefined ? [] : [{ example, seed: seedSubject(example), mutants }];
    });
  if (groups.length > 0) return groups;
  throw new InputFormatError('no example of the fold has a mutant', {
    where: { file: folder },
    fix: 'Give another --fold, or mutants of all its examples.',
  });
}

/** Reads data set, mutants and compositions. @throws InputFormatError, RunFolderError or ConfigError when one is missing or wrong */
export async function loadConsistencyInputs(options: ConsistencyOptions): Promise<ConsistencyInputs> {
  requireDatabases(options.databases);
  const run = options.mutants === null ? null : new MutantRun(options.mutants);
  const composed = options.compositions === null ? null : new ComposedRun(options.compositions);
  const { dataset, paths } = await loadSeedDataset(options, { mutants: run, composed });
  requireExamples(dataset, options);
  findUnusable(dataset, options.databases);
  const examples = [...dataset.examples()];
  const fold = options.fold === null ? null : idsInFold(examples, options.fold);
  const groups = run === null ? [] : groupSeeds(run, present(options.mutants, 'options.mutants'), examples, fold);
  const compositions = composed && loadRecompositions(composed, examples, { questionIdOf: (id) => id, asked: fold });
  return { dataset, paths, run, groups, compositions, fold };
}

/** What is asked, seeds first, then mutants: those of one schema together, as victims keep what they make of it. */
export function subjectsOf(groups: readonly SeedGroup[]): readonly Subject[] {
  const mutants = groups.flatMap((group) => group.mutants);
  const bySchema = [...mutants].sort((a, b) => compareText(a.origin, b.origin) || compareText(a.db_id, b.db_id));
  return [...groups.map(({ seed }) => seed), ...bySchema];
}
