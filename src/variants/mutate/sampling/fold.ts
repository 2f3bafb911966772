import { ConfigError } from '../../../errors.js';
import type { DatasetExample } from '../../../formats/dataset.js';
import { createRng, shuffled } from '../../../seeded-rng.js';

/** One part of a data set that was split at random, to be measured on while a model learns from the others (MT-TEQL §4). */
export interface Fold {
  /** From 1 to `of`. */
  readonly index: number;
  /** Parts, at least 2; the paper's are ten. */
  readonly of: number;
  readonly seed: number;
}

const FORM = /^([1-9]\d*)\/([1-9]\d*)$/;

/** Reads "3/10". @throws ConfigError when it is no part of a whole of two or more */
export function parseFold(text: string, seed: number): Fold {
  const [, index, of] = (FORM.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || of < 2 || index > of) {
    throw new ConfigError(`--fold ${text} is no part of a whole`, {
      fix: 'Write for instance 1/10: the first of ten.',
    });
  }
  return { index, of, seed };
}

/**
 * Ids of the examples in a fold. Every example is in exactly one of a split's folds, those of one group (an interaction)
 * in the same; folds differ by one group at most.
 */
export function idsInFold(
  examples: Iterable<Pick<DatasetExample, 'id' | 'group'>>,
  { index, of, seed }: Fold,
): ReadonlySet<string> {
  const all = [...examples];
  const groups = shuffled([...new Set(all.map(({ group }) => group))], createRng(seed, `folds ${of}`));
  const own = new Set(groups.filter((_, i) => i % of === index - 1));
  return new Set(all.filter(({ group }) => own.has(group)).map(({ id }) => id));
}
