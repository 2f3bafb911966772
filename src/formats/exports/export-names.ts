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

/** Formats for a perturbed data set besides Spider's layout; apart from the writers, so that the CLI stays light. */
export const EXPORT_NAMES = [
  'jsonl',
  'parquet',
  'chat',
  'verl',
  'nemo-gym',
  'verifiers',
  'omnisql',
  'lm-eval',
  'inspect',
  'promptfoo',
  'linker',
] as const;
export type ExportName = (typeof EXPORT_NAMES)[number];

/** Those that hold prompts. */
export const PROMPTED_EXPORTS: ReadonlySet<ExportName> = new Set<ExportName>([
  ...(['chat', 'verl', 'nemo-gym', 'verifiers', 'lm-eval', 'inspect', 'promptfoo'] as const),
]);

/** Those whose readers execute queries, on the databases that are written next to them. */
export const EXECUTING_EXPORTS: ReadonlySet<ExportName> = new Set<ExportName>([
  ...(['verl', 'nemo-gym', 'verifiers', 'omnisql', 'lm-eval', 'inspect', 'promptfoo'] as const),
]);
