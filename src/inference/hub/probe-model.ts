import { join } from 'node:path';
import { ModelFileError } from '../../errors.js';
import { InferencePool } from '../inference-pool.js';
import type { InferenceInput, InferenceOutput } from '../inference-protocol.js';
import type { NetworkManifest } from '../model-manifest.js';
import { networksOf } from '../model-store.js';

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
    return (await pool.run([input], signal))[0]!;
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

function refuse(manifest: NetworkManifest, folder: string, { dims }: InferenceOutput, wanted: string): ModelFileError {
  return new ModelFileError(`the network of ${manifest.name} gives [${dims.join(', ')}], not ${wanted}`, {
    where: { file: folder },
    fix: 'Check --task; export the model with training/export_hub_model.py if it was exported for something else.',
  });
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
  const shapes: { readonly isPooled: boolean; readonly dimension: number }[] = [];
  for (const network of networksOf(manifest)) {
    const output = await runOnce(folder, manifest, network, { text: 'singer: name, age' }, signal);
    const { dims } = output;
    if (dims.length !== 2 && dims.length !== 3) throw refuse(manifest, folder, output, 'vectors');
    shapes.push({ isPooled: dims.length === 2, dimension: dims.at(-1)! });
    if (shapes.some(({ dimension }) => dimension !== shapes[0]!.dimension)) {
      throw refuse(manifest, folder, output, `${shapes[0]!.dimension} dimensions as its other tower`);
    }
  }
  const { isPooled, dimension } = shapes[0]!;
  return { ...manifest, dimension, pooling: isPooled ? 'none' : manifest.pooling };
}
