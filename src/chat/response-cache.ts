import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { makeFolder } from '../run/make-folder.js';
import { openConnection } from '../sql/execution/open-connection.js';
import { ConfigError } from '../errors.js';

/** The stored part of a model's answer. */
export interface CachedReply {
  readonly content: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/**
 * Answers kept back before they are written in one transaction: a kill loses at most these, and the run's journal has
 * them.
 */
const WRITE_EVERY = 64;

/** Answers on disk by the sha256 of their requests. Several processes may share the file. */
export class ResponseCache {
  readonly #database: Sqlite.Database;
  readonly #select: Sqlite.Statement<[Buffer], CachedReply>;
  readonly #insert: Sqlite.Statement<[Buffer, string, number, number]>;
  readonly #pending = new Map<string, CachedReply>();

  /** @throws ConfigError when the file can't be opened, or is none of ours */
  constructor(file: string) {
    try {
      makeFolder(dirname(file));
      this.#database = openConnection(file, { timeout: 30_000 });
      // As in ScoreCache: a rollback journal, so that a killed process leaves nothing to recover.
      this.#database.pragma('synchronous = NORMAL');
      this.#database.exec(
        `CREATE TABLE IF NOT EXISTS reply (key BLOB PRIMARY KEY, content TEXT NOT NULL,
         promptTokens INTEGER NOT NULL, completionTokens INTEGER NOT NULL) WITHOUT ROWID`,
      );
      this.#select = this.#database.prepare('SELECT content, promptTokens, completionTokens FROM reply WHERE key = ?');
      this.#insert = this.#database.prepare('INSERT OR IGNORE INTO reply VALUES (?, ?, ?, ?)');
    } catch (cause) {
      throw new ConfigError('the cache of answers can’t be used', {
        where: { file },
        cause,
        fix: 'Remove the file, or name another.',
      });
    }
  }

  /** The answer to the request with this sha256 (hex), or null. */
  get(key: string): CachedReply | null {
    return this.#pending.get(key) ?? this.#select.get(Buffer.from(key, 'hex')) ?? null;
  }

  put(key: string, reply: CachedReply): void {
    this.#pending.set(key, reply);
    if (this.#pending.size >= WRITE_EVERY) this.flush();
  }

  /** @throws ConfigError when the file can't be written; what was to be written is forgotten */
  flush(): void {
    if (this.#pending.size === 0) return;
    const replies = [...this.#pending];
    this.#pending.clear();
    try {
      this.#database.transaction(() => {
        for (const [key, { content, promptTokens, completionTokens }] of replies) {
          this.#insert.run(Buffer.from(key, 'hex'), content, promptTokens, completionTokens);
        }
      })();
    } catch (cause) {
      const where = { file: this.#database.name };
      throw new ConfigError('answers can’t be cached', { where, cause, fix: 'Look at the disk’s space and rights.' });
    }
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#database.close();
    }
  }
}
