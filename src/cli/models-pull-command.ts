import { statSync } from 'node:fs';
import { z } from 'zod';
import { NLI_LABELS, type NetworkTask } from '../inference/model-manifest.js';
import { bytesOf } from '../inference/hub/model-inventory.js';
import { parseSource, VECTOR_FILE } from '../inference/hub/model-source.js';
import { DTYPES, PULL_TASKS, TASK_OF } from '../inference/hub/pull-choices.js';
import { type PullOptions, type PullOutcome, pullModel } from '../inference/hub/pull-model.js';
import { pullVectors } from '../inference/hub/pull-vectors.js';
import type { RunHost } from '../run/run-host.js';
import { ConsoleHost } from './console-host.js';
import type { RawOptions } from './options.js';
import { parseOptions, withInterrupt } from './run-context.js';

const labelsSchema = z
  .string()
  .transform((text) => text.split(',').map((label) => label.trim().toLowerCase()))
  .refine((labels) => [...labels].sort().join() === [...NLI_LABELS].sort().join(), {
    message: `${NLI_LABELS.join(', ')} are expected, in the model’s order`,
  })
  .transform((labels) => labels as (typeof NLI_LABELS)[number][]);

const schema = z.object({
  task: z.enum(PULL_TASKS).optional(),
  dtype: z.enum(DTYPES).optional(),
  name: z.string().optional(),
  labels: labelsSchema.optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hex digits are expected')
    .optional(),
  license: z.string().min(1).optional(),
  endpoint: z.string().optional(),
  offline: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** Word vectors are files, models are folders: where no task is given, the source's name tells. */
function isVectorFile(text: string): boolean {
  const source = parseSource(text);
  if (source.kind === 'url') return VECTOR_FILE.test(new URL(source.url).pathname);
  return source.kind === 'path' && statSync(source.path).isFile();
}

async function pull(source: string, given: z.infer<typeof schema>, host: RunHost): Promise<PullOutcome> {
  const { task, dtype, name, labels, sha256, license, endpoint, offline } = given;
  const options: PullOptions = { source, dtype, name, labels, sha256, license, endpoint, offline };
  if (task === 'vectors' || (task === undefined && isVectorFile(source))) {
    const [{ convertNumberbatch }, { VectorFile }] = await Promise.all([
      import('../reranker/numberbatch-reader.js'),
      import('../reranker/vector-file.js'),
    ]);
    return pullVectors(options, { convert: convertNumberbatch, open: (file) => VectorFile.open(file) }, host);
  }
  return pullModel(task === undefined ? options : { ...options, task: TASK_OF[task] as NetworkTask }, host);
}

/** `perturbql models pull`. */
export async function run(raw: RawOptions, source?: string): Promise<void> {
  const options = parseOptions(schema, raw);
  const { name, folder, manifest, fetched } = await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    try {
      return await pull(source!, options, host);
    } finally {
      host.stop();
    }
  });
  if (options.json) {
    console.log(JSON.stringify({ name, folder, fetched, manifest }, null, 2));
    return;
  }
  const size = `${(bytesOf(manifest) / 1e6).toFixed(1)} MB`;
  console.log(`${fetched === 0 ? 'all there: ' : ''}${name} (${manifest.task}, ${size}, licence: ${manifest.license})`);
  console.log(`  ${folder}`);
  console.log(`  perturbql models use ${name}`);
}
