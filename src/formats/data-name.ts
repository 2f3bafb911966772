import { basename } from 'node:path';
import type { DatasetPaths } from './dataset.js';

/** How reports and manifests keep the name of the file or folder with the examples, "dev.json". */
export interface ExamplesNamed {
  /** Absent where there are no examples, and in reports of earlier versions. */
  readonly examplesName?: string;
}

/** The name of the examples, for a report or a manifest: ids begin with it. */
export function examplesNamed({ examples }: Pick<DatasetPaths, 'examples'>): ExamplesNamed {
  return examples === null ? {} : { examplesName: basename(examples) };
}

/** The name of a report's data: the file of its examples, or else their format. */
export function dataName({ dataset, examplesName }: ExamplesNamed & { readonly dataset: string }): string {
  return examplesName ?? dataset;
}
