import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { causeText } from '../cause-text.js';
import { NativeModuleError } from '../errors.js';
import { isSqliteError, openConnection } from '../sql/execution/open-connection.js';
import type { EntailmentPair, EntailmentScore } from '../stage.js';
import { defaultCacheFolder } from './cache-folder.js';
import { makeFolder } from './make-folder.js';
import { SHARD_SCORES } from './run-folder.js';
import type { ShardOption } from './shard.js';

export { defaultCacheFolder } from './cache-folder.js';

/**
 * Scores kept back before they are written in one transaction: a kill loses at most these, and they are only
 * recomputed.
 */
const WRITE_EVERY = 512;

interface Row {
  readonly entailment: number;
  readonly neutral: number;
  readonly contradiction: number;
  readonly entailmentLogit: number;
  readonly replacement: number | null;
  readonly addition: number | null;
  readonly topic: number | null;
}

function scoreOf({ replacement, addition, topic, ...score }: Row): EntailmentScore {
  const isRead = replacement !== null && addition !== null && topic !== null;
  return { ...score, reading: isRead ? { replacement, addition, topic } : null };
}

/** Bytes of a key. */
const KEY_BYTES = 16;

/** A file for each model and device: the fingerprint is a hash, with `@device` where that is not the CPU. */
function fileOf(modelFingerprint: string): string {
  const [hash = '', device] = modelFingerprint.split('@');
  return `scores-2-${hash.slice(0, 16)}${device === undefined ? '' : `-${device}`}.sqlite`;
}

/**
 * Entailment scores on disk by (model fingerprint, premise, hypothesis); a changed model has a file of its own. Several
 * processes may share it. At the first error of its file an opened cache is given up with one warning: from then on it
 * knows nothing and keeps nothing, since every score can be computed again.
 */
export class ScoreCache {
  readonly #database: Sqlite.Database;
  readonly #select: Sqlite.Statement<[Buffer], Row>;
  readonly #insert: Sqlite.Statement<[Buffer, ...(number | null)[]]>;
  readonly #pending = new Map<string, { key: Buffer; score: EntailmentScore }>();
  readonly #warn: (message: string) => void;
  #givenUp = false;

  /** @throws Error when the folder or the file can't be opened, or is not there and is only to be read */
  constructor(folder: string, modelFingerprint: string, warn: (message: string) => void, readonly = false) {
    this.#warn = warn;
    if (!readonly) makeFolder(folder);
    this.#database = openConnection(join(folder, fileOf(modelFingerprint)), { timeout: 30_000, readonly });
    // A rollback journal, not WAL: a killed process leaves nothing that the next one has to recover by checkpoint.
    this.#database.pragma('synchronous = NORMAL');
    this.#database.exec(
      `CREATE TABLE IF NOT EXISTS score (key BLOB PRIMARY KEY, entailment REAL NOT NULL, neutral REAL NOT NULL,
       contradiction REAL NOT NULL, entailmentLogit REAL NOT NULL, replacement REAL, addition REAL, topic REAL)
       WITHOUT ROWID`,
    );
    this.#select = this.#database.prepare(
      'SELECT entailment, neutral, contradiction, entailmentLogit, replacement, addition, topic FROM score WHERE key = ?',
    );
    this.#insert = this.#database.prepare('INSERT OR IGNORE INTO score VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  }

  get(pair: EntailmentPair): EntailmentScore | null {
    const key = keyOf(pair);
    const pending = this.#pending.get(key.toString('hex'));
    if (pending !== undefined) return pending.score;
    const row = this.#attempt(() => this.#select.get(key));
    return row === undefined ? null : scoreOf(row);
  }

  put(pair: EntailmentPair, score: EntailmentScore): void {
    if (this.#givenUp) return;
    const key = keyOf(pair);
    this.#pending.set(key.toString('hex'), { key, score });
    if (this.#pending.size >= WRITE_EVERY) this.flush();
  }

  flush(): void {
    if (this.#pending.size === 0) return;
    const writeAll = this.#database.transaction(() => {
      for (const { key, score } of this.#pending.values()) {
        const { entailment, neutral, contradiction, entailmentLogit, reading } = score;
        const { replacement = null, addition = null, topic = null } = reading ?? {};
        this.#insert.run(key, entailment, neutral, contradiction, entailmentLogit, replacement, addition, topic);
      }
    });
    this.#attempt(writeAll);
    this.#pending.clear();
  }

  /** Writes a row and takes it back: a file that can be read only is given up now, not at the first flush. */
  tryWriting(): void {
    this.#attempt(() => {
      this.#database.exec('BEGIN');
      try {
        this.#insert.run(Buffer.alloc(KEY_BYTES), 0, 0, 0, 0, null, null, null);
      } finally {
        // SQLite has rolled back by itself after some errors.
        if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      }
    });
  }

  /** Takes over the scores of another cache's file. */
  absorb(file: string): void {
    this.#attempt(() => {
      this.#database.prepare('ATTACH ? AS other').run(file);
      this.#database.exec('INSERT OR IGNORE INTO score SELECT * FROM other.score; DETACH other');
    });
  }

  close(): void {
    this.flush();
    this.#database.close();
  }

  #attempt<T>(use: () => T): T | undefined {
    if (this.#givenUp) return undefined;
    try {
      return use();
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      this.#givenUp = true;
      this.#pending.clear();
      this.#warn(unusableCache(this.#database.name, error));
      return undefined;
    }
  }
}

function unusableCache(path: string, error: unknown): string {
  return `scores are not cached, ${path} can't be used: ${causeText(error)}`;
}

/**
 * Opens the cache of a model. A bad one costs time, not the run: it warns once; null where it can't even be opened.
 * @throws NativeModuleError when no database can be opened here, as an installation without SQLite is no cache's fault
 */
export function openScoreCache(
  folder: string | undefined,
  modelFingerprint: string,
  warn: (message: string) => void,
): ScoreCache | null {
  const path = folder ?? defaultCacheFolder();
  try {
    return new ScoreCache(path, modelFingerprint, warn);
  } catch (error) {
    if (error instanceof NativeModuleError) throw error;
    warn(unusableCache(path, error));
    return null;
  }
}

/** Scores that one shard made, and behind them those of a cache that it only reads. */
class ShardScores {
  readonly #own: ScoreCache;
  readonly #shared: ScoreCache | null;

  constructor(own: ScoreCache, shared: ScoreCache | null) {
    this.#own = own;
    this.#shared = shared;
  }

  get(pair: EntailmentPair): EntailmentScore | null {
    return this.#own.get(pair) ?? this.#shared?.get(pair) ?? null;
  }

  put(pair: EntailmentPair, score: EntailmentScore): void {
    this.#own.put(pair, score);
  }

  close(): void {
    this.#own.close();
    this.#shared?.close();
  }
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
  try {
    return new ScoreCache(folder, modelFingerprint, warn, true);
  } catch (error) {
    warn(unusableCache(folder, error));
    return null;
  }
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
  return new ShardScores(own, openShared(cacheFolder ?? defaultCacheFolder(), modelFingerprint, warn));
}

function keyOf({ premise, hypothesis }: EntailmentPair): Buffer {
  // The length keeps ("a", "bc") apart from ("ab", "c").
  return createHash('sha256').update(`${premise.length}:${premise}${hypothesis}`).digest().subarray(0, KEY_BYTES);
}
