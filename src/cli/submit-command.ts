import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { ENGINE_NAMES, ENGINES } from '../run/engines/engines.js';
import { holdsRun } from '../run/run-folder.js';
import { isFreeFolder } from '../run/unfinished-folder.js';
import { defineCommand } from './command.js';
import { choice, flag, positive } from '../options/option-field.js';

/** How often shards that fail are started by default. */
const TRIES = 3;

/** The command without its `--out`, and that. */
function splitOut(words: readonly string[]): { readonly rest: readonly string[]; readonly out: string } {
  const at = words.findIndex((word) => word === '--out' || word.startsWith('--out='));
  const word = words[at];
  const out = word === '--out' ? words[at + 1] : word?.slice('--out='.length);
  if (out === undefined || out === '') {
    throw new ConfigError('the command has no --out', { fix: 'Give --out: the folder of the whole run.' });
  }
  return { rest: [...words.slice(0, at), ...words.slice(at + (word === '--out' ? 2 : 1))], out };
}

/** `perturbql submit`. */
export const command = defineCommand({
  options: z.object({
    engine: choice(ENGINE_NAMES, 'name', 'scheduler that runs the shards'),
    shards: positive('n', 'how many parts the work is cut into'),
    tries: positive('n', 'how often shards that are missing are started').default(TRIES),
    print: flag('show what would be started; write and start nothing', { flagOnly: true }),
  }),
  argument: { name: '<command...>', description: 'a command that makes a run, with its options, behind --' },
  example:
    'perturbql submit --engine parallel --shards 4 -- mutate --tables examples/tables.json --examples examples/dev.json --out RUN',
  onInterrupt: 'pauses',
  async run({ engine, shards: count, tries, print }, { args, host, globals }) {
    const [{ planSubmission, submitShards }, { COMMANDS }, { runCommand }] = await Promise.all([
      import('../run/engines/submit-shards.js'),
      import('./commands.js'),
      import('./run-command.js'),
    ]);
    const { rest, out } = splitOut(args);
    // What would be in the way of merging is said before anything is started.
    if (!isFreeFolder(out)) holdsRun(out);
    const shards = `${resolve(out)}-shards`;
    const own = [process.execPath, resolve(process.argv[1] ?? '')];
    const options = { engine: ENGINES[engine], command: [...own, ...rest, '--out', shards], shards, count, tries };
    if (print) {
      const { files, lines } = planSubmission(options);
      return { lines: [...Object.entries(files).flatMap(([file, text]) => [`# ${file}`, text]), ...lines] };
    }
    if (!(await submitShards(options, host))) return { lines: [`then: perturbql merge ${shards} --out ${out}`] };
    const merge = COMMANDS.find(({ name }) => name === 'merge');
    if (merge === undefined) throw new Error('there is no command merge');
    const { command: job } = await merge.load();
    const given = { command: 'merge', flags: { out: resolve(out) }, globals, args: [shards] };
    return { failedCheck: !(await runCommand(job, given, COMMANDS)) };
  },
});
