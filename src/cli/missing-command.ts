import { z } from 'zod';
import { defineCommand } from './command.js';
import { JSON_OPTION } from './shared-options.js';

/** `perturbql missing`. */
export const command = defineCommand({
  options: z.object(JSON_OPTION),
  argument: { name: '<run>', description: 'the --out folder of a run with --shard' },
  example: 'perturbql missing RUN',
  async run(_, { args: [run = ''], host }) {
    const [{ findMissingShards }, { arrayExpression }] = await Promise.all([
      import('../run/merge-shards.js'),
      import('../run/array-expression.js'),
    ]);
    const json = findMissingShards(run);
    const { count, absent, broken } = json;
    const all = arrayExpression([...absent, ...broken]);
    host.note(`${absent.length} of ${count} shards absent, ${broken.length} begun or damaged`);
    return { json, lines: all === '' ? [] : [all] };
  },
});
