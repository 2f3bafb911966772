import { z } from 'zod';
import { defineCommand } from './command.js';
import { DATASET_OPTIONS, JSON_OPTION } from './shared-options.js';

/** `perturbql identifiers`. */
export const command = defineCommand({
  options: z.object({ ...DATASET_OPTIONS, ...JSON_OPTION }),
  example: 'perturbql identifiers --databases clinic.sqlite',
  async run({ json, ...paths }) {
    const [{ loadSchemas }, { readingLinesOf }, { renderReadings }] = await Promise.all([
      import('../formats/load-dataset.js'),
      import('../formats/given-readings.js'),
      import('./identifiers-lines.js'),
    ]);
    const lines = readingLinesOf(await loadSchemas(paths));
    return { lines: json ? lines.map((line) => JSON.stringify(line)) : renderReadings(lines) };
  },
});
