import { formatCount } from '../counts.js';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineCommand } from './command.js';
import { modelSettings } from './model-settings.js';
import { text } from '../options/option-field.js';
import { MODEL_OPTIONS } from './shared-options.js';

/** Pairs explained, and printed, at a time. */
const CHUNK = 256;

/** `perturbql score`. */
export const command = defineCommand({
  options: z.object({
    pairs: text('file', 'JSON lines of {a, b, tpe?, type?, table?}; - for standard input'),
    ...MODEL_OPTIONS,
  }),
  example: 'echo \'{"a": "nationality", "b": "citizenship", "tpe": "student"}\' | perturbql score --pairs -',
  onInterrupt: 'stops',
  async run(given, { host, config }) {
    const [{ PairExplainer, parsePairs }, { loadText }] = await Promise.all([
      import('../variants/candidates/score-pairs.js'),
      import('../formats/json-file.js'),
    ]);
    const { settings, ...machine } = await modelSettings(given, config);
    const isInput = given.pairs === '-';
    const pairs = parsePairs(
      isInput ? readFileSync(0, 'utf8') : loadText(given.pairs),
      isInput ? 'standard input' : given.pairs,
    );
    if (given.dryRun)
      return {
        lines: [`${formatCount(pairs.length)} pairs to explain, at least ${formatCount(2 * pairs.length)} to score`],
      };
    const explainer = new PairExplainer(settings, { ...machine, signal: host.signal });
    try {
      for (let done = 0; done < pairs.length; done += CHUNK) {
        for (const line of await explainer.explain(pairs.slice(done, done + CHUNK))) console.log(JSON.stringify(line));
        // A handful of pairs is answered at once; only longer work shows where it is.
        if (pairs.length > CHUNK) host.progress('pairs explained', Math.min(done + CHUNK, pairs.length), pairs.length);
      }
      return {};
    } finally {
      host.stop();
      await explainer.dispose();
    }
  },
});
