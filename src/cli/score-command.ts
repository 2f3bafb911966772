import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { loadText } from '../formats/json-file.js';
import { PairExplainer, parsePairs } from '../perturb/score-pairs.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({ pairs: z.string() });

/** `perturbql score`. */
export async function run(raw: RawOptions): Promise<void> {
  const { pairs: file } = parseOptions(schema, raw);
  const { settings, workers, cacheFolder } = parseCommonOptions(raw);
  const pairs = file === '-' ? parsePairs(readFileSync(0, 'utf8'), 'standard input') : parsePairs(loadText(file), file);
  await withInterrupt(async (signal) => {
    const explainer = new PairExplainer(settings, { workers, cacheFolder, signal });
    try {
      for (const line of await explainer.explain(pairs)) console.log(JSON.stringify(line));
    } finally {
      await explainer.dispose();
    }
  });
}
