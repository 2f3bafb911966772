import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { makeFolder } from '../../run/output-place.js';
import { openConnection } from '../../sql/execution/open-connection.js';
import { AnnotationError } from '../../errors.js';
import { requireRegularFile } from '../../regular-file.js';
import { commitFile } from '../../run/durable-file.js';
import { memoize } from '../../schema/memoize.js';
import { JOURNALS } from '../../sql/execution/database-files.js';

/** Rows read at once when all are walked through: a statement that is walked through would keep others from writing. */
const PAGE = 1000;

/** Statements of an open project, each prepared once. */
export class Prepared {
  readonly #sqlite: Sqlite.Database;
  readonly statement: (sql: string) => Sqlite.Statement = memoize((sql) => this.#sqlite.prepare(sql));

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
  }

  get(sql: string, ...given: unknown[]): unknown {
    return this.statement(sql).get(...given);
  }

  all(sql: string, ...given: unknown[]): unknown[] {
    return this.statement(sql).all(...given);
  }

  run(sql: string, ...given: unknown[]): void {
    this.statement(sql).run(...given);
  }

  /** The rows of a query that goes on behind the last one, of which it is told by `after`. */
  *pages<Row>(sql: string, after: (last: Row | undefined) => readonly unknown[]): Generator<Row> {
    let rows: Row[] = [];
    do {
      rows = this.all(`${sql} LIMIT ${PAGE}`, ...after(rows.at(-1))) as Row[];
      yield* rows;
    } while (rows.length === PAGE);
  }

  /** Does all of some work or none of it; nobody else writes meanwhile. */
  atOnce<T>(work: () => T): T {
    return this.#sqlite.transaction(work).immediate();
  }
}

/** Marks a SQLite file as a project: "PqlA". https://sqlite.org/pragma.html#pragma_application_id */
const APPLICATION_ID = 0x50716c41;
/** Longest wait for another process's write, in milliseconds. */
const BUSY_TIMEOUT = 5000;

const ANSWER_COLUMNS = `
  author INTEGER NOT NULL REFERENCES people,
  revision INTEGER NOT NULL,
  state TEXT NOT NULL,
  accepted TEXT NOT NULL,
  written TEXT NOT NULL,
  comment TEXT NOT NULL,
  flagged INTEGER NOT NULL,
  saved_at TEXT NOT NULL`;

/**
 * Steps from each version to the next; a project's version is its `user_version`. Answers lie in slots: an annotator's
 * is the annotator's id, slot 0 is the adjudication. Large texts stand apart, so that lists are read from small rows, and
 * answers are counted as they come, so that no list of chunks counts them.
 */
const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  role TEXT NOT NULL,
  token_hash BLOB NOT NULL,
  qualification REAL
) STRICT;
CREATE TABLE qualification_rounds (
  person INTEGER NOT NULL REFERENCES people,
  taken_at TEXT NOT NULL,
  score REAL NOT NULL,
  answers TEXT NOT NULL
) STRICT;
CREATE TABLE contexts (id INTEGER PRIMARY KEY, content TEXT NOT NULL) STRICT;
CREATE TABLE chunks (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, items INTEGER NOT NULL) STRICT;
CREATE TABLE assignments (
  person INTEGER NOT NULL REFERENCES people,
  chunk INTEGER NOT NULL REFERENCES chunks,
  PRIMARY KEY (person, chunk)
) WITHOUT ROWID, STRICT;
CREATE INDEX assignments_by_chunk ON assignments (chunk, person);
CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  db_id TEXT NOT NULL,
  table_name TEXT NOT NULL,
  column_name TEXT NOT NULL,
  chunk INTEGER NOT NULL REFERENCES chunks,
  context INTEGER NOT NULL REFERENCES contexts,
  annotators INTEGER NOT NULL DEFAULT 0,
  disagreement REAL NOT NULL DEFAULT 0,
  flagged INTEGER NOT NULL DEFAULT 0,
  adjudicated INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX items_by_chunk ON items (chunk);
CREATE INDEX items_to_review ON items (adjudicated, flagged DESC, disagreement DESC, id) WHERE annotators > 0;
CREATE TABLE item_contents (
  id INTEGER PRIMARY KEY REFERENCES items,
  item TEXT NOT NULL,
  questions TEXT NOT NULL,
  scores TEXT NOT NULL
) STRICT;
CREATE TABLE answers (
  item INTEGER NOT NULL REFERENCES items,
  slot INTEGER NOT NULL,
  chunk INTEGER NOT NULL,${ANSWER_COLUMNS},
  PRIMARY KEY (item, slot)
) WITHOUT ROWID, STRICT;
CREATE INDEX answers_by_time ON answers (slot, saved_at);
CREATE TABLE progress (
  slot INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  state TEXT NOT NULL,
  answers INTEGER NOT NULL,
  PRIMARY KEY (slot, chunk, state)
) WITHOUT ROWID, STRICT;
CREATE TRIGGER answer_added AFTER INSERT ON answers BEGIN
  INSERT INTO progress VALUES (new.slot, new.chunk, new.state, 1) ON CONFLICT DO UPDATE SET answers = answers + 1;
END;
CREATE TRIGGER answer_changed AFTER UPDATE OF state ON answers BEGIN
  UPDATE progress SET answers = answers - 1 WHERE slot = old.slot AND chunk = old.chunk AND state = old.state;
  INSERT INTO progress VALUES (new.slot, new.chunk, new.state, 1) ON CONFLICT DO UPDATE SET answers = answers + 1;
END;
CREATE TABLE revisions (
  item INTEGER NOT NULL REFERENCES items,
  slot INTEGER NOT NULL,${ANSWER_COLUMNS},
  PRIMARY KEY (item, slot, revision)
) WITHOUT ROWID, STRICT;
CREATE TABLE conflicts (
  id INTEGER PRIMARY KEY,
  item INTEGER NOT NULL REFERENCES items,
  slot INTEGER NOT NULL,${ANSWER_COLUMNS}
) STRICT;
CREATE INDEX conflicts_by_item ON conflicts (item, slot);
`,
  // Browsers keep drafts by project, and two can have one name.
  "INSERT INTO meta VALUES ('id', lower(hex(randomblob(16))));",
];

function pragma(sqlite: Sqlite.Database, name: string): number {
  return Number(sqlite.pragma(name, { simple: true }));
}

function migrate(sqlite: Sqlite.Database): void {
  sqlite
    .transaction(() => {
      for (const step of MIGRATIONS.slice(pragma(sqlite, 'user_version'))) sqlite.exec(step);
      sqlite.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}

function requireProject(sqlite: Sqlite.Database, file: string, readonly: boolean): void {
  if (pragma(sqlite, 'application_id') !== APPLICATION_ID)
    throw new AnnotationError('this is not an annotation project', {
      where: { file },
      fix: 'Name a file that `perturbql annotate init` or `annotate import` made.',
    });
  const version = pragma(sqlite, 'user_version');
  if (version > MIGRATIONS.length)
    throw new AnnotationError(`the project has version ${version}, this perturbql knows ${MIGRATIONS.length}`, {
      where: { file },
      fix: 'Use the newer perturbql that made or opened it.',
    });
  if (readonly && version < MIGRATIONS.length)
    throw new AnnotationError(
      `the project has version ${version}, which is brought to ${MIGRATIONS.length} by writing`,
      {
        where: { file },
        fix: 'Open it once for writing: `perturbql annotate serve`.',
      },
    );
}

function openSqlite(file: string, readonly: boolean): Sqlite.Database {
  try {
    requireRegularFile(file);
    const sqlite = openConnection(file, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT });
    // The first read is what fails on a file that is no database.
    sqlite.pragma('schema_version');
    return sqlite;
  } catch (cause) {
    throw new AnnotationError(existsSync(file) ? 'the project can’t be opened' : 'there is no such file', {
      where: { file },
      cause,
      fix: 'Name a project that `perturbql annotate init` made.',
    });
  }
}

/**
 * Opens a project so that each transaction is on the disk before it returns; brings an older one to this version.
 * @throws AnnotationError when the file is no project, of a newer version, or can't be opened
 */
export function openProjectFile(file: string, readonly: boolean): Sqlite.Database {
  const sqlite = openSqlite(file, readonly);
  try {
    requireProject(sqlite, file, readonly);
    if (!readonly) {
      sqlite.pragma('journal_mode = WAL');
      // WAL's default, NORMAL, may lose the last commits when the power fails. https://sqlite.org/pragma.html#pragma_synchronous
      sqlite.pragma('synchronous = FULL');
      migrate(sqlite);
    }
    sqlite.pragma('foreign_keys = ON');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Closes a project. Who has written, and is the last to have it open, takes it out of the write-ahead log: of a file that
 * is in it, even a reader would leave `-wal` and `-shm` files behind. https://sqlite.org/wal.html#read_only_databases
 */
export function closeProjectFile(sqlite: Sqlite.Database): void {
  try {
    // Whoever else has it open is not waited for.
    if (sqlite.open && !sqlite.readonly) sqlite.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'SQLITE_BUSY') throw error;
  } finally {
    sqlite.close();
  }
}

/**
 * Checks that a project can be made: it overwrites none, and takes no log for its own. SQLite would read the log of a
 * project that was killed and then removed into the new one of its name. https://sqlite.org/howtocorrupt.html
 * @throws AnnotationError when the file exists, or the log of another lies next to it
 */
export function requireFreePlace(file: string): void {
  if (existsSync(file))
    throw new AnnotationError('the file exists', {
      where: { file },
      fix: 'Name another file: a project is never overwritten.',
    });
  const log = JOURNALS.map((end) => `${file}${end}`).find((each) => existsSync(each));
  if (log !== undefined)
    throw new AnnotationError('this is the log of another project, which is gone from here', {
      where: { file: log },
      fix: 'Name another file; or put that project back, or remove its log, which may hold answers.',
    });
}

/**
 * Makes a project file, whole or not at all.
 * @throws AnnotationError as `requireFreePlace` does
 */
export function createProjectFile(file: string, fill: (sqlite: Sqlite.Database) => void): void {
  requireFreePlace(file);
  makeFolder(dirname(file));
  const temporary = `${file}.tmp`;
  rmSync(temporary, { force: true });
  const sqlite = openConnection(temporary);
  try {
    sqlite.pragma('journal_mode = OFF');
    sqlite.pragma('synchronous = OFF');
    sqlite.pragma(`application_id = ${APPLICATION_ID}`);
    migrate(sqlite);
    sqlite.transaction(fill)(sqlite);
    sqlite.close();
    commitFile(temporary, file);
  } catch (error) {
    sqlite.close();
    rmSync(temporary, { force: true });
    throw error;
  }
}
