import type { OutputSet } from '../output-set.js';

/** Splits by the names that Hugging Face gives them. */
export type SplitName = 'train' | 'validation' | 'test';

/** The split that the name of a file of examples tells, such as "dev"; ids begin with it: "dev:17". */
export function splitNamed(name: string): SplitName {
  const stem = name.toLowerCase();
  if (/dev|val/.test(stem)) return 'validation';
  return stem.includes('test') ? 'test' : 'train';
}

/** The split that a data set's first example is of. */
export function splitOf({ input }: Pick<OutputSet, 'input'>): SplitName {
  const [first] = input.examples();
  return splitNamed(first?.id.split(':')[0] ?? '');
}
