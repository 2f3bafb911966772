/** SQLite's primary result codes by number; "" where there is none. https://sqlite.org/rescode.html */
const PRIMARY = [
  ...['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT'],
  ...['IOERR', 'CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG', 'CONSTRAINT'],
  ...['MISMATCH', 'MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB', 'NOTICE', 'WARNING'],
];

/** Extended codes of a primary one, from 1 on. */
const EXTENDED: Readonly<Record<string, readonly string[]>> = {
  BUSY: ['RECOVERY', 'SNAPSHOT', 'TIMEOUT'],
  LOCKED: ['SHAREDCACHE', 'VTAB'],
  READONLY: ['RECOVERY', 'CANTLOCK', 'ROLLBACK', 'DBMOVED', 'CANTINIT', 'DIRECTORY'],
  IOERR: [
    ...['READ', 'SHORT_READ', 'WRITE', 'FSYNC', 'DIR_FSYNC', 'TRUNCATE', 'FSTAT', 'UNLOCK', 'RDLOCK', 'DELETE'],
    ...['BLOCKED', 'NOMEM', 'ACCESS', 'CHECKRESERVEDLOCK', 'LOCK', 'CLOSE'],
  ],
  CORRUPT: ['VTAB', 'SEQUENCE', 'INDEX'],
  CANTOPEN: ['NOTEMPDIR', 'ISDIR', 'FULLPATH', 'CONVPATH', 'DIRTYWAL', 'SYMLINK'],
  CONSTRAINT: [
    ...['CHECK', 'COMMITHOOK', 'FOREIGNKEY', 'FUNCTION', 'NOTNULL', 'PRIMARYKEY', 'TRIGGER', 'UNIQUE', 'VTAB'],
    ...['ROWID', 'PINNED', 'DATATYPE'],
  ],
};

/** Name of an extended result code: 2067 is "SQLITE_CONSTRAINT_UNIQUE". */
function resultCodeName(code: number): string {
  const primary = PRIMARY[code & 0xff];
  if (primary === undefined) return `UNKNOWN_SQLITE_ERROR_${code}`;
  const extended = EXTENDED[primary]?.[(code >> 8) - 1];
  return extended === undefined ? `SQLITE_${primary}` : `SQLITE_${primary}_${extended}`;
}

/** An error of SQLite with better-sqlite3's name and code. */
class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

function isOfSqlite(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** An error for a file that should have been there. */
export function cantOpen(): Error {
  return new SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
}

/** Runs a step of `node:sqlite`; its errors of SQLite come as better-sqlite3's, all others as they are. */
export function translated<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw isOfSqlite(error) ? new SqliteError(error.message, resultCodeName(error.errcode)) : error;
  }
}
