import { dirname, join } from 'node:path';
import { ConfigError } from '../errors.js';
import { parseShard, scheduledShard, type Shard, type ShardFinished, shardName } from '../run/shard.js';
import type { Given } from './command.js';

type Options = Readonly<Record<string, unknown>>;

/** Options whose values may be secret, so that no file keeps them. */
const SECRET: ReadonlyMap<string, string> = new Map([
  ['connection', 'Leave --shard out, or read the data from files.'],
  ['header', 'Give a key by --api-key-env and --key-header, or leave --shard out.'],
]);

/** Returns the part of a call that merging keeps. @throws ConfigError where an option of it may be secret */
function callOf({ command, flags, globals, args }: Given): Shard['call'] {
  const secret = [...SECRET].find(([name]) => flags[name] !== undefined);
  if (secret !== undefined) {
    const [name, fix] = secret;
    throw new ConfigError(`option --${name} can’t go with --shard: merging would need what may be secret`, { fix });
  }
  const { config } = globals;
  const kept = Object.entries(flags).filter(([name]) => name !== 'out' && name !== 'shard');
  return {
    command,
    flags: Object.fromEntries(kept),
    args: [...args],
    config: typeof config === 'string' ? config : null,
    cwd: process.cwd(),
  };
}

/** The shard that `--shard` asks for, which knows how to run the whole; null without that option. */
export function shardOf(options: Options, given: Given): Shard | null {
  const { shard: text, out } = options;
  if (typeof text !== 'string') return null;
  if (typeof out !== 'string') {
    throw new ConfigError('option --shard needs --out', { fix: 'Give --out: the folder of the whole run.' });
  }
  return { ...(text === 'auto' ? scheduledShard(process.env) : parseShard(text)), call: callOf(given) };
}

/** The options with the folder of the shard, which is in that of the run. */
export function inShardFolder<T extends Options>(options: T, shard: Shard | null): T {
  return shard === null ? options : { ...options, out: join(String(options['out']), shardName(shard)) };
}

/** Lines for people. */
export function describeShard({ path, shard: { index, count } }: ShardFinished): readonly string[] {
  const whole = dirname(path);
  return [
    `shard ${index} of ${count} is done: ${path}`,
    `  when all are: perturbql merge ${whole} --out RUN; perturbql missing ${whole} names those that are not`,
  ];
}
