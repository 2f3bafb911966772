import type { OutputFolder, OutputSet } from '../output-set.js';
import type { ExportName } from './export-names.js';
import type { PromptOptions } from './export-row.js';

type Exporter = (set: OutputSet, folder: OutputFolder, options: PromptOptions) => void;

const EXPORTERS: Readonly<Record<ExportName, () => Promise<Exporter>>> = {
  jsonl: async () => (await import('./huggingface-export.js')).exportJsonl,
  parquet: async () => (await import('./huggingface-export.js')).exportParquet,
  chat: async () => (await import('./chat-export.js')).exportChat,
  verl: async () => (await import('./verl-export.js')).exportVerl,
  'nemo-gym': async () => (await import('./nemo-gym-export.js')).exportNemoGym,
  verifiers: async () => (await import('./verifiers-export.js')).exportVerifiers,
  omnisql: async () => (await import('./omnisql-export.js')).exportOmniSql,
  'lm-eval': async () => (await import('./lm-eval-export.js')).exportLmEval,
  inspect: async () => (await import('./inspect-export.js')).exportInspect,
  promptfoo: async () => (await import('./promptfoo-export.js')).exportPromptfoo,
  linker: async () => (await import('./linker-export.js')).exportLinker,
};

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
  for (const name of names) (await EXPORTERS[name]())(set, folder, options);
}
