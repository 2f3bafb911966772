import { ComposeOutput } from '../compositional/compose/compose-output.js';
import { InputFormatError } from '../errors.js';
import type { Dataset, DatasetExample, DatasetPaths } from '../formats/dataset.js';
import { loadDataset } from '../formats/load-dataset.js';
import { loadRunDataset, MutantSet, runPaths } from '../variants/mutate/mutant-set.js';
import { type Fold, idsInFold } from '../variants/mutate/sampling/fold.js';
import { requireDatabases, requireExamples } from '../variants/candidates/candidates-run.js';
import { findUnusable } from '../variants/databases/unusable-databases.js';
import { groupBy } from '../run/group-by.js';
import { seedSubject, type SeedGroup } from './mutants/subject-store.js';
import { loadRecompositions, type Recompositions } from './compositions/load-recompositions.js';

/** A run of `mutate`, and the examples that its mutants were made of, in the order of the data set. */
export interface MutantInputs {
  readonly run: MutantSet;
  readonly groups: readonly SeedGroup[];
}

/** What a victim is asked about, read and joined. */
export interface AskedInputs {
  readonly dataset: Dataset;
  /** Where the schemas and rows of further training examples lie. */
  readonly paths: DatasetPaths;
  /** Null where no mutants are asked. */
  readonly mutants: MutantInputs | null;
  /** Composed questions with their parents; null where none are asked. */
  readonly compositions: Recompositions | null;
  /** Ids of the examples in the fold; null without one. */
  readonly fold: ReadonlySet<string> | null;
}

/** The runs whose questions are asked; null: none. */
export interface AskedFolders {
  /** Folder that `perturbql mutate` wrote. */
  readonly mutants: string | null;
  /** Folder that `perturbql compose` wrote. */
  readonly compositions: string | null;
}

interface JoinOptions {
  /** The id under which an example is asked. */
  readonly questionIdOf: (exampleId: string) => string;
  /** Only examples of this part are asked; null: all. */
  readonly fold: Fold | null;
}

/** The data set that is named; where none is, what the run of the mutants, or else that of the compositions, holds of it. */
async function loadNamedOrAsked(
  options: Parameters<typeof loadDataset>[0],
  run: MutantSet | null,
  composed: ComposeOutput | null,
): Promise<Pick<AskedInputs, 'dataset' | 'paths'>> {
  const { tables, examples, connection, databases } = options;
  const isNamed = [tables, examples, connection].some((path) => path !== null);
  if (!isNamed && run !== null) {
    const { folder, schemas } = run;
    return { dataset: loadRunDataset(folder, schemas, databases), paths: runPaths(folder, databases) };
  }
  if (!isNamed && composed !== null) {
    return { dataset: composed.originals(databases), paths: composed.paths(databases) };
  }
  return { dataset: await loadDataset(options), paths: options };
}

/**
 * The examples that have mutants, with them; of a fold only those in it.
 * @throws InputFormatError when a seed is no example, or none in the fold has a mutant
 */
function groupSeeds(
  run: MutantSet,
  examples: readonly DatasetExample[],
  fold: ReadonlySet<string> | null,
): readonly SeedGroup[] {
  run.checkSeeds(new Map(examples.map((example) => [example.id, example])));
  const bySeed = groupBy(run.records, ({ seed }) => seed);
  const groups = examples
    .filter(({ id }) => fold?.has(id) ?? true)
    .flatMap((example): SeedGroup[] => {
      const mutants = bySeed.get(example.id);
      return mutants === undefined ? [] : [{ example, seed: seedSubject(example), mutants }];
    });
  if (groups.length > 0) return groups;
  throw new InputFormatError('no example of the fold has a mutant', {
    where: { file: run.folder },
    fix: 'Give another --fold, or mutants of all its examples.',
  });
}

/** Databases of the data set that seeds and compositions are asked of. */
export function askedDatabases({ mutants, compositions }: AskedInputs): readonly string[] {
  const seeds = (mutants?.groups ?? []).map(({ seed }) => seed);
  return [...seeds, ...(compositions?.cases ?? []).map(({ child }) => child)].map(({ db_id: id }) => id);
}

/**
 * Reads data set, mutants and compositions. @throws InputFormatError, RunFolderError or ConfigError when one is missing
 * or wrong
 */
export async function loadAskedInputs(
  options: Parameters<typeof loadDataset>[0] & AskedFolders,
  { questionIdOf, fold: part }: JoinOptions,
): Promise<AskedInputs> {
  requireDatabases(options.databases);
  const run = options.mutants === null ? null : new MutantSet(options.mutants);
  const composed = options.compositions === null ? null : new ComposeOutput(options.compositions);
  const { dataset, paths } = await loadNamedOrAsked(options, run, composed);
  requireExamples(dataset, options);
  findUnusable(dataset, options.databases);
  const examples = [...dataset.examples()];
  const fold = part === null ? null : idsInFold(examples, part);
  const mutants = run && { run, groups: groupSeeds(run, examples, fold) };
  const compositions = composed && loadRecompositions(composed, examples, { questionIdOf, asked: fold });
  return { dataset, paths, mutants, compositions, fold };
}
