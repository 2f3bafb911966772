import { z } from 'zod';

export const NLI_LABELS = ['contradiction', 'neutral', 'entailment'] as const;
export type NliLabel = (typeof NLI_LABELS)[number];

const fileSchema = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().positive() });

const commonFields = {
  name: z.string().min(1),
  revision: z.string().min(1),
  license: z.string().min(1),
  /** True where the training data forbid commercial use of the weights. */
  nonCommercial: z.boolean(),
  made: z.string(),
  /** Longest input in tokens; longer ones are truncated. */
  maxTokens: z.int().positive(),
  /** Files by path within the model's folder; `onnx/model_quantized.onnx` is the network. */
  files: z.record(z.string(), fileSchema),
};

/** Decision thresholds that were calibrated for one model on held-out pairs; they override ADVETA's 0.65 and 0.45. */
const thresholdsSchema = z.strictObject({ rplMin: z.number().min(0).max(1), addMax: z.number().min(0).max(1) });

/** `manifest.json` of a model folder: what it is, where it comes from, and the hashes that are checked before use. */
export const modelManifestSchema = z.discriminatedUnion('task', [
  z.strictObject({
    task: z.literal('table-context-encoder'),
    ...commonFields,
    dimension: z.int().positive(),
    pooling: z.literal('mean'),
  }),
  z.strictObject({
    task: z.literal('nli'),
    ...commonFields,
    /** Label of each output position. */
    labels: z
      .array(z.enum(NLI_LABELS))
      .length(3)
      .refine((labels) => new Set(labels).size === labels.length, 'each label must stand once'),
    thresholds: thresholdsSchema.optional(),
  }),
]);

export type ModelManifest = z.infer<typeof modelManifestSchema>;
export type ModelTask = ModelManifest['task'];
export type EncoderManifest = Extract<ModelManifest, { task: 'table-context-encoder' }>;
export type NliManifest = Extract<ModelManifest, { task: 'nli' }>;

/** The network's file within every model folder. */
export const NETWORK_FILE = 'onnx/model_quantized.onnx';
