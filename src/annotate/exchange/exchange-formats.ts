import type { ExchangeFormat } from './exchange-set.js';

/** Every format by its name on the command line, loaded when it is used. */
const FORMATS = {
  adveta: async () => (await import('./adveta-format.js')).ADVETA_FORMAT,
  jsonl: async () => (await import('./jsonl-format.js')).JSONL_FORMAT,
  csv: async () => (await import('./csv-format.js')).CSV_FORMAT,
  'label-studio': async () => (await import('./label-studio-format.js')).LABEL_STUDIO_FORMAT,
  argilla: async () => (await import('./argilla-format.js')).ARGILLA_FORMAT,
} as const satisfies Record<string, () => Promise<ExchangeFormat>>;

export type ExchangeFormatName = keyof typeof FORMATS;

/** Names of the formats. */
export const EXCHANGE_FORMATS = Object.keys(FORMATS) as ExchangeFormatName[];

/** Loads a format. */
export function exchangeFormat(name: ExchangeFormatName): Promise<ExchangeFormat> {
  return FORMATS[name]();
}
