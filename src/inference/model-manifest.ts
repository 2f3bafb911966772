import { z } from 'zod';

export const NLI_LABELS = ['contradiction', 'neutral', 'entailment'] as const;
export type NliLabel = (typeof NLI_LABELS)[number];

/** The readings that a judge may give after its labels, learned from readers (training/readings). */
const READING_LABELS = ['replacement', 'addition', 'topic'] as const;
export type ReadingLabel = (typeof READING_LABELS)[number];

const POOLINGS = ['mean', 'cls', 'none'] as const;
export type Pooling = (typeof POOLINGS)[number];

/** The network's file within a model folder whose manifest names no other. */
export const NETWORK_FILE = 'onnx/model_quantized.onnx';
/** The compact vectors within a folder of pulled word vectors. */
export const VECTORS_FILE = 'vectors.pqv';

const fileSchema = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().positive() });
/** A path within the model's folder: never out of it. */
const innerPath = z.string().regex(/^(?![/\\.])(?!.*(?:\.\.|\\|:)).+$/, 'a path within the folder is expected');

const sharedFields = {
  name: z.string().min(1),
  revision: z.string().min(1),
  license: z.string().min(1),
  /** True where the training data forbid commercial use of the weights. */
  nonCommercial: z.boolean(),
  made: z.string(),
  /** Files by path within the model's folder. */
  files: z.record(innerPath, fileSchema),
  /** Where `perturbql models pull` had it from, and the command that pulls it again. */
  pulled: z.strictObject({ source: z.string(), command: z.string() }).optional(),
};

const networkFields = {
  ...sharedFields,
  /** Longest input in tokens; longer ones are truncated. */
  maxTokens: z.int().positive(),
  /** The network among the files; of an encoder with two towers, the one for queries. */
  network: innerPath.default(NETWORK_FILE),
};

const probability = z.number().min(0).max(1);
/** Decision thresholds that were calibrated for one model on held-out pairs; they override ADVETA's 0.65 and 0.45. */
const thresholdsSchema = z.strictObject({
  rplMin: probability,
  addMax: probability,
  /** Least probability that a replacement, an addition and its closeness in topic read right, for models that tell. */
  reading: z.strictObject({ replacement: probability, addition: probability, topic: probability }).exactOptional(),
});

/** `manifest.json` of a model folder: what it is, where it comes from, and the hashes that are checked before use. */
export const modelManifestSchema = z.discriminatedUnion('task', [
  z.strictObject({
    task: z.literal('table-context-encoder'),
    ...networkFields,
    dimension: z.int().positive(),
    /** The pooling of the tokens' vectors: their mean, the first one, or nothing if the network gives one vector. */
    pooling: z.enum(POOLINGS),
    /** The tower for tables, of an encoder that has two. */
    tableNetwork: innerPath.optional(),
  }),
  z.strictObject({
    task: z.literal('nli'),
    ...networkFields,
    /** Label of each output position. */
    labels: z
      .array(z.enum(NLI_LABELS))
      .length(3)
      .refine((labels) => new Set(labels).size === labels.length, 'each label must occur once'),
    /** The readings in the output positions after them. */
    readings: z.array(z.enum(READING_LABELS)).length(READING_LABELS.length).exactOptional(),
    thresholds: thresholdsSchema.optional(),
  }),
  /** Predicts masked words: a language model whose network gives a score per token and vocabulary entry. */
  z.strictObject({ task: z.literal('fill-mask'), ...networkFields }),
  z.strictObject({
    task: z.literal('schema-linker'),
    ...networkFields,
    /** Logit of a column from which on it is taken to be asked for; chosen on databases that were held out. */
    threshold: z.number(),
  }),
  z.strictObject({
    task: z.literal('vectors'),
    ...sharedFields,
    dimension: z.int().positive(),
    /** Terms that have a vector. */
    terms: z.int().positive(),
  }),
]);

export type ModelManifest = z.infer<typeof modelManifestSchema>;
export type ModelTask = ModelManifest['task'];
/** A manifest of what runs as a network. */
export type NetworkManifest = Exclude<ModelManifest, { task: 'vectors' }>;
export type NetworkTask = NetworkManifest['task'];
export type EncoderManifest = Extract<ModelManifest, { task: 'table-context-encoder' }>;
export type NliManifest = Extract<ModelManifest, { task: 'nli' }>;
export type FillMaskManifest = Extract<ModelManifest, { task: 'fill-mask' }>;
export type LinkerManifest = Extract<ModelManifest, { task: 'schema-linker' }>;
export type VectorsManifest = Extract<ModelManifest, { task: 'vectors' }>;
