import { embeddedIndexFolder } from '../recipes/stage-resources.js';
import { readIndexManifest } from '../retriever/index-manifest.js';
import { defaultTopK } from '../retriever/top-k.js';
import type { RawOptions } from './options.js';

/** `perturbql index info`. */
export async function run(raw: RawOptions, folder = embeddedIndexFolder()): Promise<void> {
  const manifest = await readIndexManifest(folder);
  if (raw['json'] === true) {
    console.log(JSON.stringify({ folder, ...manifest }, null, 2));
    return;
  }
  const { count, dimension, encoder, columns, skipped } = manifest;
  console.log(`${folder}: ${count} tables of ${columns.min} to ${columns.max} columns, ${dimension} dimensions`);
  console.log(`  encoder: ${encoder.name} (${encoder.revision}, sha256 ${encoder.sha256.slice(0, 12)})`);
  console.log(`  retrieved per target unless set: ${defaultTopK(count)} tables`);
  for (const [reason, tables] of Object.entries(skipped)) console.log(`  left out of the corpus: ${tables} ${reason}`);
}
