import type { Dataset } from './dataset.js';
import type { OutputExample } from './output-set.js';

/** The id of a variant after its original's and its kind, distinct from those taken, and from now on taken itself. */
export function variantId(id: string, kind: string, taken: Set<string | number>): string {
  const stem = `${id}__${kind.toLowerCase()}`;
  let own = stem;
  for (let number = 2; taken.has(own); number++) own = `${stem}_${number}`;
  taken.add(own);
  return own;
}

/**
 * Ids of written examples: an original keeps its own; a variant is called after it and its kind, "dev:17__rpl", with a
 * number where that is taken, "dev:17__rpl_2"; a mutant has its own. Made for one pass over the examples.
 */
export function createVariantIds(input: Dataset): (example: OutputExample) => string {
  const taken = new Set<string | number>();
  // A data set that was perturbed before has such ids already.
  for (const { id } of input.examples()) taken.add(id);
  return ({ id, source, kind }) => id ?? (kind === 'original' ? source.id : variantId(source.id, kind, taken));
}
