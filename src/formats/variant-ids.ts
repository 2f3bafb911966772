import type { Dataset } from './dataset.js';
import type { OutputExample } from './output-set.js';

/**
 * Ids of written examples: an original keeps its own; a variant is called after it and its kind, "dev:17__rpl", with a
 * number where that is taken, "dev:17__rpl_2". Made for one pass over the examples.
 */
export function createVariantIds(input: Dataset): (example: OutputExample) => string {
  const taken = new Set<string>();
  // A data set that was perturbed before has such ids already.
  for (const { id } of input.examples()) taken.add(id);
  return ({ source, kind }) => {
    if (kind === 'original') return source.id;
    const stem = `${source.id}__${kind.toLowerCase()}`;
    let id = stem;
    for (let i = 2; taken.has(id); i++) id = `${stem}_${i}`;
    taken.add(id);
    return id;
  };
}
