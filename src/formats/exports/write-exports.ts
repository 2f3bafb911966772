import type { OutputFolder, OutputSet, OwnFields } from '../output-set.js';
import type { ExportName } from './export-names.js';
import type { PromptTemplate } from './prompt-template.js';

/** How exports are written. */
export interface ExportOptions {
  /** Prompt of the `chat` export. */
  readonly template: PromptTemplate;
  /** The data set's own fields of an example, of any format. */
  readonly fieldsOf: OwnFields;
}

type Exporter = (set: OutputSet, folder: OutputFolder, options: ExportOptions) => void;

const EXPORTERS: Readonly<Record<ExportName, () => Promise<Exporter>>> = {
  jsonl: async () => (await import('./huggingface-export.js')).exportJsonl,
  parquet: async () => (await import('./huggingface-export.js')).exportParquet,
  chat: async () => (await import('./chat-export.js')).exportChat,
};

/** Writes a perturbed data set in further forms, each below a folder of its name. */
export async function writeExports(
  names: readonly ExportName[],
  set: OutputSet,
  folder: OutputFolder,
  options: ExportOptions,
): Promise<void> {
  for (const name of names) (await EXPORTERS[name]())(set, folder, options);
}
