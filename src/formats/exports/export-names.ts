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
