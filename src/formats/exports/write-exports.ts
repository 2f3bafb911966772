import type { OutputFolder, OutputSet } from '../output-set.js';
import type { ExportName } from './export-names.js';
import type { PromptOptions } from './export-row.js';
import { exportLines, type LineExportName } from './line-exports.js';
import { exportLinker } from './linker-export.js';

type Exporter = (set: OutputSet, folder: OutputFolder, options: PromptOptions) => void;

/** Those that are no lines; what writes Parquet is heavy. */
const EXPORTERS: Readonly<Record<Exclude<ExportName, LineExportName>, () => Promise<Exporter> | Exporter>> = {
  jsonl: async () => (await import('./huggingface-export.js')).exportJsonl,
  parquet: async () => (await import('./huggingface-export.js')).exportParquet,
  verl: async () => (await import('./verl-export.js')).exportVerl,
  linker: () => exportLinker,
};

const isOther = (name: ExportName): name is keyof typeof EXPORTERS => Object.hasOwn(EXPORTERS, name);

/**
 * Writes a perturbed data set in further forms, each below a folder of its name.
 * `options` hold the prompt of those that have one, and the data set's own fields of an example, of any format.
 */
export async function writeExports(
  names: readonly ExportName[],
  set: OutputSet,
  folder: OutputFolder,
  options: PromptOptions,
): Promise<void> {
  for (const name of names) {
    if (isOther(name)) (await EXPORTERS[name]())(set, folder, options);
    else exportLines(name, set, folder, options);
  }
}
