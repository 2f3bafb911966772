import { z } from 'zod';
import { ConfigError } from '../errors.js';
import { sha256Of } from './sha256.js';

/** How a command line called for a shard: what merging runs again for the whole. */
const shardCallSchema = z.strictObject({
  command: z.string(),
  /** Options as they were given, by name. */
  flags: z.record(z.string(), z.unknown()),
  args: z.array(z.string()),
  config: z.string().nullable(),
  /** Folder that relative paths begin at. */
  cwd: z.string(),
});

/** One of the `count` parts that the work of a run is cut into; `index` counts from 0. */
export const shardSchema = z.strictObject({
  index: z.int().nonnegative(),
  count: z.int().positive(),
  /** Null where the library was called. */
  call: shardCallSchema.nullable(),
});
export type Shard = z.infer<typeof shardSchema>;

/** Where a job does the items of one shard only. */
export interface ShardOption {
  /**
   * The part of the work that is done; null or left out: all of it. A shard writes no products: `mergeShards` goes on.
   */
  readonly shard?: Shard | null;
}

/** Thrown where the items of a shard are done. It is no failure: products are written of all shards together. */
export class ShardFinished extends Error {
  readonly path: string;
  readonly shard: Shard;

  constructor(path: string, shard: Shard) {
    super(`shard ${shard.index} of ${shard.count} is done`);
    this.name = new.target.name;
    this.path = path;
    this.shard = shard;
  }
}

/** Name of a shard's folder in that of its run. */
export function shardName({ index, count }: Pick<Shard, 'index' | 'count'>): string {
  return `shard-${index}-of-${count}`;
}

const SHARD_NAME = /^shard-(\d+)-of-(\d+)$/;

/** Returns the shard that a folder's name tells, or null for another name. */
export function shardOfName(name: string): Pick<Shard, 'index' | 'count'> | null {
  const [, index, count] = SHARD_NAME.exec(name) ?? [];
  return index === undefined ? null : { index: Number(index), count: Number(count) };
}

const DIGITS = 12;

/** Checks whether an item falls to a shard, by the hash of its id; all do without a shard. */
export function isOwn(shard: Shard | null | undefined, id: string): boolean {
  if (shard == null) return true;
  return Number.parseInt(sha256Of(id).slice(0, DIGITS), 16) % shard.count === shard.index;
}

/**
 * The items that fall to a shard: the heaviest first, each to the shard that has least by then, so that shards are
 * about equal; all items without a shard.
 */
export function ownItems(shard: Shard | null | undefined, weights: ReadonlyMap<string, number>): ReadonlySet<string> {
  if (shard == null) return new Set(weights.keys());
  const loads = Array.from({ length: shard.count }, () => 0);
  const own = new Set<string>();
  const byWeight = [...weights].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  for (const [id, weight] of byWeight) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + weight;
    if (least === shard.index) own.add(id);
  }
  return own;
}

/** The groups, such as examples by database, that fall to a shard, weighed by their lengths; in their order. */
export function ownGroups<T>(
  shard: Shard | null | undefined,
  groups: ReadonlyMap<string, readonly T[]>,
): ReadonlyMap<string, readonly T[]> {
  const own = ownItems(shard, new Map(Array.from(groups, ([id, { length }]) => [id, length])));
  return new Map([...groups].filter(([id]) => own.has(id)));
}

const FIX = 'Give I/N with I from 0 to N - 1, such as --shard 2/8, or auto.';

/** "2/8" as a shard. @throws ConfigError for another text */
export function parseShard(text: string): Pick<Shard, 'index' | 'count'> {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index < shard.count) return shard;
  throw new ConfigError(`"${text}" is no shard`, { fix: FIX });
}

type Environment = Readonly<Record<string, string | undefined>>;

function numberOf(env: Environment, name: string): number | null {
  const value = env[name];
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : null;
}

/** A Slurm array: its numbers follow one another, or they don't say which shard is meant. */
function slurmShard(env: Environment, id: number): Pick<Shard, 'index' | 'count'> {
  const first = numberOf(env, 'SLURM_ARRAY_TASK_MIN') ?? 0;
  const last = numberOf(env, 'SLURM_ARRAY_TASK_MAX');
  const count = numberOf(env, 'SLURM_ARRAY_TASK_COUNT');
  if (count === null || last === null || last - first + 1 !== count) {
    throw new ConfigError('the numbers of this Slurm array have gaps, so they don’t say which shard a task is', {
      fix: 'Give --shard $SLURM_ARRAY_TASK_ID/N with the number of shards of the whole run.',
    });
  }
  return { index: id - first, count };
}

/**
 * The shard that a scheduler gives this process: a task of a Slurm array, of an Indexed Job of Kubernetes, or of GNU
 * parallel; the last two with `PERTURBQL_SHARDS`, the number of shards.
 * @throws ConfigError where no scheduler says so, or the number is missing
 */
export function scheduledShard(env: Environment): Pick<Shard, 'index' | 'count'> {
  const slurm = numberOf(env, 'SLURM_ARRAY_TASK_ID');
  if (slurm !== null) return slurmShard(env, slurm);
  const sequence = numberOf(env, 'PARALLEL_SEQ');
  const index = numberOf(env, 'JOB_COMPLETION_INDEX') ?? (sequence === null ? null : sequence - 1);
  if (index === null) {
    throw new ConfigError('no scheduler says which shard this is', {
      fix: 'Give --shard I/N, or start it as a task of a Slurm array, a Kubernetes Indexed Job or GNU parallel.',
    });
  }
  const count = numberOf(env, 'PERTURBQL_SHARDS');
  if (count === null) {
    throw new ConfigError('the number of shards is missing', {
      fix: 'Set PERTURBQL_SHARDS, or give --shard I/N.',
    });
  }
  return parseShard(`${index}/${count}`);
}
