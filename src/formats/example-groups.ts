import type { DatasetExample } from './dataset.js';
import { runsBy } from '../run/group-by.js';

/** The turns of an interaction, or any other example by itself. */
export type ExampleGroup = readonly [DatasetExample, ...DatasetExample[]];

/** Examples by their group, in order. */
export const groupExamples = (examples: Iterable<DatasetExample>): Generator<ExampleGroup> =>
  runsBy(examples, ({ group }) => group);
