import { DownloadError } from '../../errors.js';
import { isWeightsOf } from '../model-store.js';
import type { ModelSource, SourceFile } from './model-source.js';
import { type Dtype, DTYPES } from './pull-choices.js';

/** How exporters name the files of each format. */
const SUFFIXES: Readonly<Record<Dtype, readonly string[]>> = {
  fp32: [''],
  q8: ['_quantized', '_int8', '_uint8'],
  fp16: ['_fp16'],
  q4: ['_q4', '_q4f16'],
};

/** The file that every model has. */
export const CONFIG_FILE = 'config.json';
const REQUIRED = [CONFIG_FILE, 'tokenizer.json', 'tokenizer_config.json'];
/** Read where they are there: special tokens, and what sentence-transformers says of pooling and length. */
const OPTIONAL = ['special_tokens_map.json', '1_Pooling/config.json', 'sentence_bert_config.json'];

/** Stems of the networks: one, or a tower for queries and one for tables. */
const STEMS = [['model'], ['query_model', 'table_model'], ['query', 'table']];
/** Folders that exporters write to: the hub's convention first. */
const FOLDERS = ['onnx/', ''];

function networksFor(dtype: Dtype): readonly (readonly string[])[] {
  return FOLDERS.flatMap((folder) =>
    STEMS.flatMap((stems) => SUFFIXES[dtype].map((suffix) => stems.map((stem) => `${folder}${stem}${suffix}.onnx`))),
  );
}

/** Files besides the networks. */
export const TEXT_FILES: readonly string[] = [...REQUIRED, ...OPTIONAL];

/** The networks that may be there, best first: one path, or that of the tower for queries and that for tables. */
export function networkChoices(
  dtype?: Dtype,
): readonly { readonly dtype: Dtype; readonly networks: readonly string[] }[] {
  return (dtype === undefined ? DTYPES : [dtype]).flatMap((one) =>
    networksFor(one).map((networks) => ({ dtype: one, networks })),
  );
}

export interface ChosenFiles {
  readonly dtype: Dtype;
  readonly network: string;
  readonly tableNetwork: string | undefined;
  readonly files: readonly SourceFile[];
}

function exportFix(source: ModelSource): string {
  const id = source.argument.replace(/@.*/su, '');
  return `Export it: python training/export_hub_model.py ${id} --out FOLDER, then pull that folder.`;
}

function refuseNetworks(source: ModelSource, dtype: Dtype | undefined): DownloadError {
  const onnx = source.files.map(({ path }) => path).filter((path) => path.endsWith('.onnx'));
  const where = { id: source.described };
  if (onnx.length === 0) return new DownloadError('the model has no ONNX file', { where, fix: exportFix(source) });
  const offered = DTYPES.filter((one) => networksFor(one).some((paths) => paths.every((path) => onnx.includes(path))));
  const named = dtype === undefined ? 'a known name' : `--dtype ${dtype}`;
  const fix = offered.length > 0 ? `Give --dtype ${offered.join(' or ')}.` : exportFix(source);
  return new DownloadError(`the model has no ONNX file of ${named}; it has ${onnx.slice(0, 8).join(', ')}`, {
    where,
    fix,
  });
}

/**
 * The files of a model that are needed, of all that its source has: config, tokenizer, and the network of a number
 * format with its weights; two networks where it has a tower for queries and one for tables.
 * @throws DownloadError when one of them is missing, with what can be done.
 */
export function chooseFiles(source: ModelSource, dtype?: Dtype): ChosenFiles {
  const byPath = new Map(source.files.map((file) => [file.path, file]));
  const chosen = networkChoices(dtype).find(({ networks }) => networks.every((path) => byPath.has(path)));
  if (chosen === undefined) throw refuseNetworks(source, dtype);
  const missing = REQUIRED.find((path) => !byPath.has(path));
  if (missing !== undefined) {
    throw new DownloadError(`the model has no ${missing}`, { where: { id: source.described }, fix: exportFix(source) });
  }
  const weights = source.files.filter(({ path }) => chosen.networks.some((network) => isWeightsOf(path, network)));
  const texts = TEXT_FILES.flatMap((path) => byPath.get(path) ?? []);
  const [network, tableNetwork] = chosen.networks as [string, string?];
  return { dtype: chosen.dtype, network, tableNetwork, files: [...texts, ...weights] };
}
