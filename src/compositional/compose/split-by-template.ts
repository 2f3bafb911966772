import { createRng, shuffled } from '../../seeded-rng.js';
import type { ComposedExample } from '../../formats/artifacts/compositions.js';

/** A split of compositions: no template of the test set is in the train set, every element of it is. */
export interface TemplateSplit {
  readonly train: readonly ComposedExample[];
  readonly test: readonly ComposedExample[];
}

/**
 * Splits compositions by the templates of their queries, so that about `testShare` of them are for test. Templates of the
 * originals, which are for training, are none of the test set's; so each element is in training by its own question at
 * least, and what is new in the test set is the combination.
 */
export function splitByTemplate(
  examples: readonly ComposedExample[],
  originalTemplates: ReadonlySet<string>,
  { testShare, seed }: { readonly testShare: number; readonly seed: number },
): TemplateSplit {
  const sizes = new Map<string, number>();
  for (const { template } of examples) sizes.set(template, (sizes.get(template) ?? 0) + 1);
  const unseen = [...sizes.keys()].filter((template) => !originalTemplates.has(template)).sort();
  const tested = new Set<string>();
  let open = Math.round(examples.length * testShare);
  for (const template of shuffled(unseen, createRng(seed, 'templates'))) {
    const size = sizes.get(template) ?? 0;
    if (size > open) continue;
    tested.add(template);
    open -= size;
  }
  return {
    train: examples.filter(({ template }) => !tested.has(template)),
    test: examples.filter(({ template }) => tested.has(template)),
  };
}
