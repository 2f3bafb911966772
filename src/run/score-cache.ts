import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EntailmentPair, EntailmentScore } from '../stage.js';
import { defaultCacheFolder } from './cache-folder.js';
import { openCache, RowCache, type RowLayout, type SqlValue } from './row-cache.js';
import { SHARD_SCORES } from './run-folder.js';
import type { ShardOption } from './shard.js';

export { defaultCacheFolder } from './cache-folder.js';

const SCORES: RowLayout = {
  what: 'scores',
  table: 'score',
  columns: [
    'entailment REAL NOT NULL',
    'neutral REAL NOT NULL',
    'contradiction REAL NOT NULL',
    'entailmentLogit REAL NOT NULL',
    'replacement REAL',
    'addition REAL',
    'topic REAL',
  ],
};

interface ScoreRow {
  readonly entailment: number;
  readonly neutral: number;
  readonly contradiction: number;
  readonly entailmentLogit: number;
  readonly replacement: number | null;
  readonly addition: number | null;
  readonly topic: number | null;
}

function scoreOf({ replacement, addition, topic, ...score }: ScoreRow): EntailmentScore {
  const isRead = replacement !== null && addition !== null && topic !== null;
  return { ...score, reading: isRead ? { replacement, addition, topic } : null };
}

function rowOf({ entailment, neutral, contradiction, entailmentLogit, reading }: EntailmentScore): readonly SqlValue[] {
  const { replacement = null, addition = null, topic = null } = reading ?? {};
  return [entailment, neutral, contradiction, entailmentLogit, replacement, addition, topic];
}

/** A file for each model and device: the fingerprint is a hash, with `@device` where that is not the CPU. */
function fileOf(modelFingerprint: string): string {
  const [hash = '', device] = modelFingerprint.split('@');
  return `scores-2-${hash.slice(0, 16)}${device === undefined ? '' : `-${device}`}.sqlite`;
}

/** The length keeps ("a", "bc") apart from ("ab", "c"). */
function textOf({ premise, hypothesis }: EntailmentPair): string {
  return `${premise.length}:${premise}${hypothesis}`;
}

/** Entailment scores on disk by (model fingerprint, premise, hypothesis); a changed model has a file of its own. */
export class ScoreCache extends RowCache<EntailmentPair, ScoreRow, EntailmentScore> {
  /** @throws Error when the folder or the file can't be opened, or is not there and is only to be read */
  constructor(folder: string, modelFingerprint: string, warn: (message: string) => void, readonly = false) {
    const row = { textOf, decode: scoreOf, encode: rowOf };
    super(join(folder, fileOf(modelFingerprint)), SCORES, { ...row, warn, readonly });
  }
}

/** Opens the cache of a model, as `openCache`. @throws as that */
export function openScoreCache(
  folder: string | undefined,
  modelFingerprint: string,
  warn: (message: string) => void,
): ScoreCache | null {
  const open = (path: string): ScoreCache => new ScoreCache(path, modelFingerprint, warn);
  return openCache(SCORES.what, folder ?? defaultCacheFolder(), warn, open);
}

/** The facts about a run that determine where its scores are kept. */
interface CachedRun extends ShardOption {
  readonly out: string;
  /** Undefined = the platform's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/** A cache that is only read; null where there is none. */
function openShared(folder: string, modelFingerprint: string, warn: (message: string) => void): ScoreCache | null {
  if (!existsSync(join(folder, fileOf(modelFingerprint)))) return null;
  return openCache(SCORES.what, folder, warn, (path) => new ScoreCache(path, modelFingerprint, warn, true));
}

/**
 * The cache of a run. A shard writes one in its own folder, as SQLite's locks do not hold on every network file system;
 * a run that was merged takes over those of its shards.
 * @throws as `openScoreCache`
 */
export function openRunScores(
  { out, shard, cacheFolder }: CachedRun,
  modelFingerprint: string,
  warn: (message: string) => void,
): Pick<ScoreCache, 'get' | 'put' | 'close'> | null {
  const ofShards = join(out, SHARD_SCORES);
  if (shard == null) {
    const cache = openScoreCache(cacheFolder, modelFingerprint, warn);
    const file = fileOf(modelFingerprint);
    const folders = existsSync(ofShards) ? readdirSync(ofShards).map((name) => join(ofShards, name, file)) : [];
    for (const one of folders.filter((path) => existsSync(path))) cache?.absorb(one);
    return cache;
  }
  const own = openScoreCache(ofShards, modelFingerprint, warn);
  if (own === null) return null;
  // Behind the scores that the shard made are those of a cache that it only reads.
  const shared = openShared(cacheFolder ?? defaultCacheFolder(), modelFingerprint, warn);
  return {
    get: (pair) => own.get(pair) ?? shared?.get(pair) ?? null,
    put: (pair, score) => own.put(pair, score),
    close: () => {
      own.close();
      shared?.close();
    },
  };
}
