// What docs/shards.md says to give a scheduler: the first block behind the scheduler's heading, for a number of shards and
// a command of one's own. check-engines.mjs and the tests run what they read here.
import { readFileSync } from 'node:fs';

const PAGE = new URL('../docs/shards.md', import.meta.url);
/** The command of the page, as a line of a shell and as a list of words, quoted or not. */
const COMMAND = ['candidates', '--config', 'spider.json', '--out', 'RUN'];
const QUOTED = COMMAND.map((word) => `"${word}"`).join(', ');

/** The block of a scheduler (`Slurm`, `GNU parallel`, `Ray`, `Kubernetes`) with `count` shards of a command. */
export function shardRecipe(scheduler, words, count) {
  const [, behind = ''] = readFileSync(PAGE, 'utf8').split(`\n### ${scheduler}\n`);
  const block = /^```\w+\n([^]*?)^```$/m.exec(behind)?.[1];
  if (block === undefined) throw new Error(`docs/shards.md has no block for ${scheduler}`);
  const list = words.map((word) => JSON.stringify(word)).join(', ');
  const recipe = block
    .replaceAll('0-7', `0-${count - 1}`)
    .replaceAll('seq 0 7', `seq 0 ${count - 1}`)
    .replaceAll(/\b8\b/g, String(count))
    .replaceAll(QUOTED, () => list)
    .replaceAll(COMMAND.join(', '), () => list)
    .replaceAll(COMMAND.join(' '), () => words.join(' '));
  if (!recipe.includes(words.at(-1))) throw new Error(`the block for ${scheduler} has another command`);
  return recipe;
}
