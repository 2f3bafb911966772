import type { DatasetExample } from './dataset.js';
import { runsBy } from '../run/group-by.js';

/** Examples by their group, in order: an interaction's turns together, any other example by itself. */
export const groupExamples = (
  examples: Iterable<DatasetExample>,
): Generator<readonly [DatasetExample, ...DatasetExample[]]> => runsBy(examples, ({ group }) => group);
