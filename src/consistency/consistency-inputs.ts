import { ComposeOutput } from '../compositional/compose/compose-output.js';
import { requireDatabases, requireExamples } from '../perturb/candidates-run.js';
import { findUnusable } from '../perturb/database/unusable-databases.js';
import { compareText } from '../report/column-tally.js';
import { idsInFold } from '../metamorphic/sampling/fold.js';
import type { ConsistencyOptions } from './consistency-options.js';
import { MutantSet } from '../metamorphic/mutant-set.js';
import { loadRecompositions, type Recompositions } from '../victims/recomposition/load-recompositions.js';
import { groupSeeds } from '../victims/mutants/seed-groups.js';
import type { SeedGroup, Subject } from '../victims/mutants/subject.js';
import { loadSeedDataset, type SeedDataset } from '../victims/seed-dataset.js';

/** The inputs of a consistency run, read and joined. */
export interface ConsistencyInputs extends SeedDataset {
  /** Null where no mutants are asked. */
  readonly run: MutantSet | null;
  /** Seeds that have mutants, in the order of the data set; each one's mutants in theirs. */
  readonly groups: readonly SeedGroup[];
  /** Composed questions with their parents; null where none are asked. */
  readonly compositions: Recompositions | null;
  /** Ids of the examples in the fold; null without one. */
  readonly fold: ReadonlySet<string> | null;
}

/**
 * Reads data set, mutants and compositions. @throws InputFormatError, RunFolderError or ConfigError when one is missing
 * or wrong
 */
export async function loadConsistencyInputs(options: ConsistencyOptions): Promise<ConsistencyInputs> {
  requireDatabases(options.databases);
  const run = options.mutants === null ? null : new MutantSet(options.mutants);
  const composed = options.compositions === null ? null : new ComposeOutput(options.compositions);
  const { dataset, paths } = await loadSeedDataset({ ...options, withoutGold: true }, { mutants: run, composed });
  requireExamples(dataset, options);
  findUnusable(dataset, options.databases);
  const examples = [...dataset.examples()];
  const fold = options.fold === null ? null : idsInFold(examples, options.fold);
  const groups = run === null ? [] : groupSeeds(run, examples, fold);
  const compositions = composed && loadRecompositions(composed, examples, { questionIdOf: (id) => id, asked: fold });
  return { dataset, paths, run, groups, compositions, fold };
}

/** Lists the subjects to ask about, seeds first, then mutants by schema, as victims keep what they make of a schema. */
export function subjectsOf(groups: readonly SeedGroup[]): readonly Subject[] {
  const mutants = groups.flatMap((group) => group.mutants);
  const bySchema = [...mutants].sort((a, b) => compareText(a.origin, b.origin) || compareText(a.db_id, b.db_id));
  return [...groups.map(({ seed }) => seed), ...bySchema];
}
