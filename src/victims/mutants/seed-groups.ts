import { join } from 'node:path';
import { InputFormatError } from '../../errors.js';
import type { DatasetExample } from '../../formats/dataset.js';
import type { MutantRun } from '../../metamorphic/mutant-run.js';
import { groupBy } from '../../run/group-by.js';
import { seedSubject, type SeedGroup } from './subject.js';

const FIX = 'Name the data set that the mutants were made of, with --tables, --examples and --databases.';

function checkSeeds({ records, folder }: MutantRun, examples: ReadonlyMap<string, DatasetExample>): void {
  for (const { id, seed, origin } of records) {
    const where = { file: join(folder, 'mutants.jsonl'), id };
    const example = examples.get(seed);
    if (example === undefined) throw new InputFormatError(`its seed ${seed} is no example`, { where, fix: FIX });
    if (example.dbId !== origin) {
      throw new InputFormatError(`its seed ${seed} asks ${example.dbId}, not ${origin}`, { where, fix: FIX });
    }
  }
}

/**
 * The examples that have mutants, with them; of a fold only those in it.
 * @throws InputFormatError when a seed is no example, or none in the fold has a mutant
 */
export function groupSeeds(
  run: MutantRun,
  examples: readonly DatasetExample[],
  fold: ReadonlySet<string> | null,
): readonly SeedGroup[] {
  checkSeeds(run, new Map(examples.map((example) => [example.id, example])));
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
