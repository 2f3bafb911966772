import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { loadText } from '../formats/json-file.js';
import { PairExplainer, parsePairs } from '../perturb/score-pairs.js';
import { ConsoleHost } from './console-host.js';
import type { RawOptions } from './options.js';
import { parseCommonOptions, parseOptions, withInterrupt } from './run-context.js';

const schema = z.object({ pairs: z.string(), dryRun: z.boolean().default(false) });

/** Pairs explained, and printed, at a time. */
const CHUNK = 256;

/** `perturbql score`. */
export async function run(raw: RawOptions): Promise<void> {
  const { pairs: file, dryRun } = parseOptions(schema, raw);
  const { settings, workers, device, cacheFolder } = parseCommonOptions(raw);
  const pairs = file === '-' ? parsePairs(readFileSync(0, 'utf8'), 'standard input') : parsePairs(loadText(file), file);
  if (dryRun) {
    console.log(`${pairs.length} pairs to explain, at least ${2 * pairs.length} to score`);
    return;
  }
  await withInterrupt(async (signal) => {
    const host = new ConsoleHost(signal);
    const explainer = new PairExplainer(settings, { workers, device, cacheFolder, signal });
    try {
      for (let done = 0; done < pairs.length; done += CHUNK) {
        for (const line of await explainer.explain(pairs.slice(done, done + CHUNK))) console.log(JSON.stringify(line));
        // A handful of pairs is answered at once; only longer work shows where it is.
        if (pairs.length > CHUNK) host.progress('pairs explained', Math.min(done + CHUNK, pairs.length), pairs.length);
      }
    } finally {
      host.stop();
      await explainer.dispose();
    }
  }, false);
}
