import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, ModelFileError } from '../../errors.js';
import { streamSha256 } from '../../run/sha256.js';
import {
  type EncoderManifest,
  type NetworkManifest,
  type NetworkTask,
  NLI_LABELS,
  type NliLabel,
  type NliManifest,
  type Pooling,
} from '../model-manifest.js';
import type { ChosenFiles } from './choose-files.js';
import { itemAt, mustGet } from '../../present.js';
import { InferencePool } from '../inference-pool.js';
import type { InferenceInput, InferenceOutput } from '../inference-protocol.js';

/** One inference on the CPU, to see what a network gives. */
async function runOnce(
  folder: string,
  manifest: NetworkManifest,
  network: string,
  input: InferenceInput,
  signal: AbortSignal,
): Promise<InferenceOutput> {
  // Its files have just been hashed; the pool is spared from doing so again.
  const bare = { ...manifest, files: {} };
  const pool = new InferencePool({ folder, manifest: bare, sha256: '', fingerprint: '' }, 1, { network });
  try {
    return itemAt(await pool.run([input], signal), 0);
  } catch (cause) {
    if (!(cause instanceof ModelFileError)) throw cause;
    throw new ModelFileError(cause.message, {
      where: { file: join(folder, network) },
      fix: 'Take another --dtype, or export the model with training/export_hub_model.py; `perturbql doctor` checks the rest.',
    });
  } finally {
    await pool.dispose();
  }
}

/** Of what a linker is probed with: a question, a table, two columns. */
const PROBED_STRETCHES = 4;

function refuse(manifest: NetworkManifest, folder: string, { dims }: InferenceOutput, wanted: string): ModelFileError {
  return new ModelFileError(`the network of ${manifest.name} gives [${dims.join(', ')}], not ${wanted}`, {
    where: { file: folder },
    fix: 'Check --task; export the model with training/export_hub_model.py if it was exported for something else.',
  });
}

/** Returns the output of an encoder's tower: `[1, tokens, dimension]`, or `[1, dimension]` if it pools itself. */
async function embedOnce(
  folder: string,
  manifest: NetworkManifest,
  network: string,
  signal: AbortSignal,
): Promise<InferenceOutput> {
  const output = await runOnce(folder, manifest, network, { text: 'singer: name, age' }, signal);
  const { name, dims } = output;
  if (name === 'logits') {
    throw new ModelFileError(`the network of ${manifest.name} gives logits: it classifies, and has no vectors`, {
      where: { file: join(folder, network) },
      fix: 'Pull it with --task nli if it judges pairs, with --task fill-mask if it predicts words; else take an encoder.',
    });
  }
  if (dims.length !== 2 && dims.length !== 3) throw refuse(manifest, folder, output, 'vectors');
  return output;
}

/** What models are probed with that give no vectors, and what they have to give. */
const PROBES = {
  nli: { input: { text: 'name.', pair: 'age.' }, wanted: 'three scores a pair' },
  'fill-mask': { input: { text: 'name.' }, wanted: 'scores of words' },
  'schema-linker': { input: { text: 'singers [SEP] singer : name , age' }, wanted: 'a logit for each stretch' },
} as const;

function isAsked(manifest: Exclude<NetworkManifest, EncoderManifest>, { name, dims, data }: InferenceOutput): boolean {
  if (manifest.task === 'fill-mask') return name === 'logits' && dims.length === 3;
  return data.length === (manifest.task === 'nli' ? manifest.labels.length : PROBED_STRETCHES);
}

/**
 * Proves that a model runs by running it once, and completes its manifest with what only the network tells: the true
 * dimension of its vectors, and that they are pooled already.
 * @throws ModelFileError when it can't be run, or gives something else than its task wants.
 */
export async function probeModel(
  folder: string,
  manifest: NetworkManifest,
  signal: AbortSignal,
): Promise<NetworkManifest> {
  if (manifest.task !== 'table-context-encoder') {
    const { input, wanted } = PROBES[manifest.task];
    const output = await runOnce(folder, manifest, manifest.network, input, signal);
    if (!isAsked(manifest, output)) throw refuse(manifest, folder, output, wanted);
    return manifest;
  }
  const { network, tableNetwork = network } = manifest;
  const query = await embedOnce(folder, manifest, network, signal);
  const table = tableNetwork === network ? query : await embedOnce(folder, manifest, tableNetwork, signal);
  const [isPooled, dimension = 0] = [query.dims.length === 2, query.dims.at(-1)];
  if (table.dims.length !== query.dims.length || table.dims.at(-1) !== dimension) {
    throw refuse(manifest, folder, table, `[${query.dims.join(', ')}] as its other tower`);
  }
  return { ...manifest, dimension, pooling: isPooled ? 'none' : manifest.pooling };
}

const configSchema = z.looseObject({
  architectures: z.array(z.string()).nullish(),
  model_type: z.string().optional(),
  id2label: z.record(z.string(), z.string()).optional(),
  max_position_embeddings: z.number().int().positive().optional(),
  hidden_size: z.number().int().positive().optional(),
  dim: z.number().int().positive().optional(),
  d_model: z.number().int().positive().optional(),
  /** Of a schema linker, as training/linker/export_linker.py writes it. */
  linker_threshold: z.number().optional(),
});
type ModelConfig = z.infer<typeof configSchema>;

const tokenizerSchema = z.looseObject({ model_max_length: z.number().nullish() });
const lengthSchema = z.looseObject({ max_seq_length: z.number().int().positive().nullish() });
const poolingSchema = z.looseObject({
  pooling_mode_cls_token: z.boolean().default(false),
  pooling_mode_mean_tokens: z.boolean().default(false),
});

/** Longest input where neither tokenizer nor network states one. */
const USUAL_LENGTH = 512;
/** Families whose first positions are taken: their tables of positions are longer than any input. */
const SHIFTED = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet', 'longformer']);

/** The facts about a pulled model beyond its files. */
export interface ManifestFacts {
  readonly name: string;
  readonly revision: string | null;
  readonly license: string;
  readonly made: string;
  readonly task: NetworkTask | undefined;
  /** Label of each output, where the model's config does not name them. */
  readonly labels: readonly NliLabel[] | undefined;
}

function readPart<T>(folder: string, path: string, schema: z.ZodType<T>): T {
  const file = join(folder, path);
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new ModelFileError(`${path} of the model is not what transformers writes`, {
      where: { file },
      fix: 'Check it at its source, or export the model again with training/export_hub_model.py.',
      cause,
    });
  }
}

function taskOf({ architectures }: ModelConfig): NetworkTask {
  if (architectures?.[0] === 'SchemaLinker') return 'schema-linker';
  return architectures?.[0]?.endsWith('ForSequenceClassification') === true ? 'nli' : 'table-context-encoder';
}

/** "ENTAILMENT", "Entailment": models write their labels as they like. */
function toLabel(name: string): NliLabel | undefined {
  return NLI_LABELS.find((label) => label === name.trim().toLowerCase());
}

function labelsOf({ id2label = {} }: ModelConfig, folder: string): NliManifest['labels'] {
  const names = Object.entries(id2label)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, label]) => label);
  const labels = names.map(toLabel).filter((label) => label !== undefined);
  if (names.length === 3 && new Set(labels).size === 3) return labels;
  const where = { file: join(folder, 'config.json') };
  const found = names.length === 0 ? 'no labels' : `the labels ${names.join(', ')}`;
  const isNameless = names.length === 0 || names.every((name) => /^LABEL_\d+$/i.test(name));
  const fix =
    names.length === 3 || isNameless
      ? 'Say what each output means, in order: --labels contradiction,neutral,entailment (see the model’s card).'
      : 'Take a model that distinguishes contradiction, neutral and entailment.';
  throw new ConfigError(`the model’s config names ${found}: which output is entailment can’t be told`, { where, fix });
}

function longestInput(folder: string, config: ModelConfig): number {
  const { model_max_length: tokens } = readPart(folder, 'tokenizer_config.json', tokenizerSchema);
  const sentence = 'sentence_bert_config.json';
  const stated = existsSync(join(folder, sentence)) ? readPart(folder, sentence, lengthSchema).max_seq_length : null;
  const positions = config.max_position_embeddings ?? USUAL_LENGTH;
  const room = SHIFTED.has(config.model_type ?? '') ? positions - 2 : positions;
  // A tokenizer without a limit says 1e30.
  return Math.max(1, Math.trunc(Math.min(room, tokens ?? room, stated ?? room)));
}

function poolingOf(folder: string): Pooling {
  const path = '1_Pooling/config.json';
  if (!existsSync(join(folder, path))) return 'mean';
  const pooling = readPart(folder, path, poolingSchema);
  if (pooling.pooling_mode_cls_token) return 'cls';
  if (pooling.pooling_mode_mean_tokens) return 'mean';
  throw new ModelFileError('the encoder pools neither by mean nor by its first token', {
    where: { file: join(folder, path) },
    fix: 'Take an encoder with mean or cls pooling.',
  });
}

function thresholdOf({ linker_threshold: threshold }: ModelConfig, folder: string): number {
  if (threshold !== undefined) return threshold;
  throw new ConfigError('the model’s config has no linker_threshold: it is no schema linker', {
    where: { file: join(folder, 'config.json') },
    fix: 'Export the linker with training/linker/export_linker.py.',
  });
}

async function describeFiles(folder: string, chosen: ChosenFiles): Promise<NetworkManifest['files']> {
  const files: NetworkManifest['files'] = {};
  for (const path of chosen.files.map((file) => file.path).sort()) {
    const file = join(folder, path);
    files[path] = { sha256: await streamSha256(file), bytes: statSync(file).size };
  }
  return files;
}

/**
 * The manifest of a model that lies in a hub's layout: labels, longest input and pooling are read from its own
 * files. The dimension is what the config says; {@link probeModel} finds the true one.
 * @throws ModelFileError when one of those files is damaged; ConfigError when the labels can't be told.
 */
export async function deriveManifest(
  folder: string,
  chosen: ChosenFiles,
  facts: ManifestFacts,
): Promise<NetworkManifest> {
  const config = readPart(folder, 'config.json', configSchema);
  const files = await describeFiles(folder, chosen);
  const task = facts.task ?? taskOf(config);
  const { name, license, made } = facts;
  const common = {
    name,
    revision: facts.revision ?? `sha256-${mustGet(files[chosen.network], 'the network').sha256.slice(0, 12)}`,
    license,
    nonCommercial: /(?:^|[^a-z])nc(?:[^a-z]|$)|non-?commercial/i.test(license),
    made,
    maxTokens: longestInput(folder, config),
    network: chosen.network,
    files,
  };
  if (task === 'nli') return { task, ...common, labels: [...(facts.labels ?? labelsOf(config, folder))] };
  if (task === 'fill-mask') return { task, ...common };
  if (task === 'schema-linker') return { task, ...common, threshold: thresholdOf(config, folder) };
  const dimension = config.hidden_size ?? config.dim ?? config.d_model ?? 1;
  const tables = chosen.tableNetwork === undefined ? {} : { tableNetwork: chosen.tableNetwork };
  const encoder: EncoderManifest = { task, ...common, dimension, pooling: poolingOf(folder), ...tables };
  return encoder;
}
