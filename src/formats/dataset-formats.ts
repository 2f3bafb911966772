/** Data set formats that can be read; apart from their readers, so that the command line's table of options stays light. */
export const DATASET_FORMATS = ['spider'] as const;
export type DatasetFormat = (typeof DATASET_FORMATS)[number];
