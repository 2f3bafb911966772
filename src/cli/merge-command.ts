import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError, RunFolderError } from '../errors.js';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { RUN_FOLDER } from './shared-options.js';

/** `perturbql merge`. */
export const command = defineCommand({
  options: z.object({ out: text('dir', RUN_FOLDER) }),
  argument: { name: '<shards...>', description: 'folders of all shards of a run, or the folder that holds them' },
  example: 'perturbql merge RUN --out RUN-whole',
  async run({ out }, { args, globals }) {
    const [{ mergeShards, shardFoldersIn }, { COMMANDS }, { runCommand }] = await Promise.all([
      import('../run/merge-shards.js'),
      import('./commands.js'),
      import('./run-command.js'),
    ]);
    const folders = args.flatMap((path) => {
      const shards = shardFoldersIn(path);
      return shards.length === 0 ? [path] : shards;
    });
    const { path, shard } = await mergeShards(folders, out);
    const { call } = shard;
    if (call === null) {
      throw new RunFolderError('these shards were made by the library, so no command is known that goes on', {
        where: { file: path },
        fix: `Call the same job with out: '${out}' and no shard.`,
      });
    }
    if (!existsSync(call.cwd)) {
      throw new ConfigError(`the shards were made in ${call.cwd}, which is not here`, {
        fix: 'Merge on a machine that has the folder, as relative paths begin there.',
      });
    }
    const entry = COMMANDS.find(({ name }) => name === call.command);
    if (entry === undefined)
      throw new ConfigError(`there is no command ${call.command}`, { fix: 'Run perturbql --help.' });
    const place = resolve(out);
    process.chdir(call.cwd);
    const { command: job } = await entry.load();
    const flags = { ...call.flags, out: place };
    const config = call.config === null ? {} : { config: call.config };
    const given = { command: call.command, flags, globals: { ...globals, ...config }, args: call.args };
    return { failedCheck: !(await runCommand(job, given, COMMANDS)) };
  },
});
