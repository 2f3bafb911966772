import { join } from 'node:path';
import { ModelFileError } from '../../errors.js';
import { InferencePool } from '../inference-pool.js';
import type { InferenceInput, InferenceOutput } from '../inference-protocol.js';
import type { NetworkManifest } from '../model-manifest.js';
import { itemAt } from '../../present.js';

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
  if (manifest.task === 'nli') {
    const output = await runOnce(folder, manifest, manifest.network, { text: 'name.', pair: 'age.' }, signal);
    if (output.data.length !== manifest.labels.length) throw refuse(manifest, folder, output, 'three scores a pair');
    return manifest;
  }
  if (manifest.task === 'fill-mask') {
    const output = await runOnce(folder, manifest, manifest.network, { text: 'name.' }, signal);
    if (output.name !== 'logits' || output.dims.length !== 3) throw refuse(manifest, folder, output, 'scores of words');
    return manifest;
  }
  if (manifest.task === 'schema-linker') {
    const output = await runOnce(
      folder,
      manifest,
      manifest.network,
      { text: 'singers [SEP] singer : name , age' },
      signal,
    );
    if (output.data.length !== PROBED_STRETCHES) throw refuse(manifest, folder, output, 'a logit for each stretch');
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
