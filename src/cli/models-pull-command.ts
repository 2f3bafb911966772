import { statSync } from 'node:fs';
import { z } from 'zod';
import { DTYPES, PULL_TASKS, TASK_OF } from '../inference/hub/pull-choices.js';
import type { PullOptions, PullOutcome } from '../inference/hub/pull-model.js';
import { type ModelTask, NLI_LABELS, type NetworkTask } from '../inference/model-manifest.js';
import type { RunHost } from '../run/run-host.js';
import { defineCommand } from './command.js';
import { choice, described, flag, text } from '../options/option-field.js';
import { JSON_OPTION } from './shared-options.js';

const LABELS = `${NLI_LABELS.join(', ')} are expected, in the model’s order`;

const options = z.object({
  task: choice(
    PULL_TASKS,
    'what',
    'what the model is for: judge, table encoder, masked words, word vectors, schema linker (default: what its files say)',
  ).exactOptional(),
  dtype: choice(
    DTYPES,
    'format',
    'number format of the weights (default: the first of these that the model has)',
  ).exactOptional(),
  name: text('name', 'name that the model gets here (default: that of its source)').exactOptional(),
  labels: described(
    z
      .array(z.string().toLowerCase().pipe(z.enum(NLI_LABELS, LABELS)))
      .refine((labels) => new Set(labels).size === NLI_LABELS.length, LABELS),
    {
      value: 'names',
      description:
        'what each output of a judge means, in order, where its config does not say: contradiction,neutral,entailment',
      separator: ',',
    },
  ).exactOptional(),
  sha256: described(z.string().regex(/^[0-9a-f]{64}$/i, '64 hex digits are expected'), {
    value: 'hash',
    description: 'what the weights, or the vector file, must hash to',
  }).exactOptional(),
  license: text('name', 'license, where the source states none').exactOptional(),
  endpoint: text('url', 'address of the model hub (default: HF_ENDPOINT)').exactOptional(),
  offline: flag('use no network, as HF_HUB_OFFLINE=1 does'),
  ...JSON_OPTION,
});

/** Word vectors are files, models are folders: where no task is given, the source's name tells. */
async function isVectorFile(text: string): Promise<boolean> {
  const { parseSource, VECTOR_FILE } = await import('../inference/hub/model-source.js');
  const source = parseSource(text);
  if (source.kind === 'url') return VECTOR_FILE.test(new URL(source.url).pathname);
  return source.kind === 'path' && statSync(source.path).isFile();
}

async function pull(source: string, given: z.infer<typeof options>, host: RunHost): Promise<PullOutcome> {
  const { task, dtype, name, labels, sha256, license, endpoint, offline } = given;
  const asked: PullOptions = { source, dtype, name, labels, sha256, license, endpoint, offline };
  if (task === 'vectors' || (task === undefined && (await isVectorFile(source)))) {
    const [{ pullVectors }, { convertNumberbatch }, { VectorFile }] = await Promise.all([
      import('../inference/hub/pull-vectors.js'),
      import('../reranker/numberbatch-reader.js'),
      import('../reranker/vector-file.js'),
    ]);
    return pullVectors(asked, { convert: convertNumberbatch, open: (file) => VectorFile.open(file) }, host);
  }
  const { pullModel } = await import('../inference/hub/pull-model.js');
  return pullModel(task === undefined ? asked : { ...asked, task: TASK_OF[task] as NetworkTask }, host);
}

/** How a model is used that no setting chooses. */
const USE: Partial<Record<ModelTask, string>> = { 'schema-linker': 'perturbql attack … --victim linker --linker' };

/** `perturbql models pull`. */
export const command = defineCommand({
  options,
  argument: { name: '<source>', description: 'owner/name or owner/name@revision of a hub, a URL, or a path' },
  example: 'perturbql models pull cross-encoder/nli-deberta-v3-base --task nli --dtype q8',
  onInterrupt: 'pauses',
  async run(given, { args: [source = ''], host }) {
    const { bytesOf } = await import('../inference/hub/model-inventory.js');
    const { name, folder, manifest, fetched } = await pull(source, given, host);
    const size = `${(bytesOf(manifest) / 1e6).toFixed(1)} MB`;
    return {
      json: { name, folder, fetched, manifest },
      lines: [
        `${fetched === 0 ? 'all there: ' : ''}${name} (${manifest.task}, ${size}, license: ${manifest.license})`,
        `  ${folder}`,
        `  ${USE[manifest.task] ?? 'perturbql models use'} ${name}`,
      ],
    };
  },
});
