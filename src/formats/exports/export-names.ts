/** What a perturbed data set can be written as besides Spider's layout; apart from the writers, so that the CLI stays light. */
export const EXPORT_NAMES = ['jsonl', 'parquet', 'chat'] as const;
export type ExportName = (typeof EXPORT_NAMES)[number];
