import { formatCount } from '../counts.js';
import { z } from 'zod';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';

/** `perturbql index info`. */
export const command = defineCommand({
  options: z.object({ ...JSON_OPTION }),
  argument: { name: '[dir]', description: 'folder of the index (default: the embedded one)' },
  example: 'perturbql index info',
  async run(_, { args: [dir] }) {
    const [{ embeddedIndexFolder }, { readIndexManifest }, { defaultTopK }] = await Promise.all([
      import('../recipes/stage-resources.js'),
      import('../retriever/index-manifest.js'),
      import('../retriever/top-k.js'),
    ]);
    const folder = dir ?? embeddedIndexFolder();
    const manifest = await readIndexManifest(folder);
    const { count, dimension, encoder, columns, skipped } = manifest;
    const lines = [
      `${folder}: ${formatCount(count)} tables of ${columns.min} to ${columns.max} columns, ${dimension} dimensions`,
      `  encoder: ${encoder.name} (${encoder.revision}, sha256 ${encoder.sha256.slice(0, 12)})`,
      `  retrieved per target unless set: ${defaultTopK(count)} tables`,
      ...Object.entries(skipped).map(([reason, tables]) => `  left out of the corpus: ${tables} ${reason}`),
    ];
    return { json: { folder, ...manifest }, lines };
  },
});
