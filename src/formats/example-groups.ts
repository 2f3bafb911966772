import { itemAt } from '../present.js';
import type { DatasetExample } from './dataset.js';

/** Examples by their group, in order: an interaction's turns together, any other example by itself. */
export function* groupExamples(examples: Iterable<DatasetExample>): Generator<readonly DatasetExample[]> {
  let group: DatasetExample[] = [];
  for (const example of examples) {
    if (group.length > 0 && itemAt(group, 0).group !== example.group) {
      yield group;
      group = [];
    }
    group.push(example);
  }
  if (group.length > 0) yield group;
}
