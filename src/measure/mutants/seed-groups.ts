import { InputFormatError } from '../../errors.js';
import type { DatasetExample } from '../../formats/dataset.js';
import type { MutantSet } from '../../metamorphic/mutant-set.js';
import { groupBy } from '../../run/group-by.js';
import { seedSubject, type SeedGroup } from './subject.js';

/**
 * The examples that have mutants, with them; of a fold only those in it.
 * @throws InputFormatError when a seed is no example, or none in the fold has a mutant
 */
export function groupSeeds(
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
