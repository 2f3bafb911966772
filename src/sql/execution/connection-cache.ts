import { readFileSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { openConnection } from './open-connection.js';
import { openUntouched } from './open-untouched.js';
import type { QuerySource, QueryTask } from './query-protocol.js';
import { canCopy, copyTables } from './copied-tables.js';

/** Connections kept open; each may hold 16 MB of pages (better-sqlite3's cache_size). */
const CACHE_SIZE = 8;

/** Connections kept with copied tables, which are in memory: one for each order of rows. */
const KEPT_COPIES = 2;

/** A row id has no place in a reversed copy: it is the order of the rows. */
const ROW_ID = /\b(?:rowid|oid|_rowid_)\b/i;

type RowOrder = NonNullable<QuerySource['rowOrder']>;

interface Connection {
  readonly sqlite: Sqlite.Database;
  readonly isCopy: boolean;
  /** State of its `PRAGMA reverse_unordered_selects`. */
  pragma: boolean;
}

/** Which version of a file this is; a file that was replaced or written to is opened again. */
function versionOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      return found === undefined ? '' : `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}`;
    })
    .join(' ');
}

/** Names a database as it is now; another content has another key. */
export function sourceKey({ file, setup }: QuerySource): string {
  const scripts = (setup ?? []).map((script) =>
    typeof script === 'string' ? script : [script.file, versionOf(script.file)],
  );
  return JSON.stringify([file, file === null ? '' : versionOf(file), scripts]);
}

function open({ file, setup }: QuerySource, prepare: (sqlite: Sqlite.Database) => void): Sqlite.Database {
  const sqlite = file === null ? openConnection(':memory:') : openUntouched(file);
  try {
    // Sorting in memory: nothing is written to a disk, and the process's memory limit bounds it.
    sqlite.pragma('temp_store = MEMORY');
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get(); // a file that is no database fails here
    for (const script of setup ?? [])
      sqlite.exec(typeof script === 'string' ? script : readFileSync(script.file, 'utf8'));
    prepare(sqlite);
    sqlite.pragma('query_only = ON');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Keeps the last few databases open, each set up once. */
export class ConnectionCache {
  /** In order of use, the latest last. */
  readonly #kept = new Map<string, Connection>();
  /** Databases whose tables could not be copied. */
  readonly #uncopied = new Set<string>();

  /**
   * A connection to the task's database; `opening` is called where it is not open yet.
   * @throws Error of better-sqlite3 or the file system where it can't be opened or set up.
   */
  connect(task: QueryTask, opening: () => void): Sqlite.Database {
    const key = sourceKey(task);
    const order = task.rowOrder ?? null;
    const copy = order !== null && this.#isCopied(task, key) ? this.#connectCopy(task, key, order, opening) : null;
    return copy ?? this.#connectPlain(task, key, order === 'reversed', opening);
  }

  #connectPlain(task: QueryTask, key: string, pragma: boolean, opening: () => void): Sqlite.Database {
    const connection = this.#keep(`plain ${key}`, false, () => {
      opening();
      return open(task, () => undefined);
    });
    if (connection.pragma !== pragma) {
      connection.pragma = pragma;
      connection.sqlite.pragma(`reverse_unordered_selects = ${pragma ? 'ON' : 'OFF'}`);
    }
    return connection.sqlite;
  }

  #isCopied({ file, setup, sql }: QueryTask, key: string): boolean {
    if (file === null || (setup ?? []).length > 0 || ROW_ID.test(sql)) return false;
    return !this.#uncopied.has(key) && canCopy(file);
  }

  #connectCopy(task: QueryTask, key: string, order: RowOrder, opening: () => void): Sqlite.Database | null {
    try {
      return this.#keep(`${order} ${key}`, true, () => {
        opening();
        this.#closeOldest(KEPT_COPIES - 1, ({ isCopy }) => isCopy);
        return open(task, (sqlite) => copyTables(sqlite, order));
      }).sqlite;
    } catch {
      // An odd table or too little memory: the plain connection is left, and tells of the file's own faults.
      this.#uncopied.add(key);
      return null;
    }
  }

  #keep(key: string, isCopy: boolean, create: () => Sqlite.Database): Connection {
    const connection = this.#kept.get(key) ?? { sqlite: create(), isCopy, pragma: false };
    this.#kept.delete(key);
    this.#kept.set(key, connection);
    this.#closeOldest(CACHE_SIZE, () => true);
    return connection;
  }

  /** Closes the least used of the connections meant, down to so many. */
  #closeOldest(left: number, isMeant: (connection: Connection) => boolean): void {
    const meant = [...this.#kept].filter(([, connection]) => isMeant(connection));
    for (const [key, connection] of meant.slice(0, Math.max(0, meant.length - left))) {
      this.#kept.delete(key);
      connection.sqlite.close();
    }
  }
}
