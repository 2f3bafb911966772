import { openConnection } from '../../sql/execution/open-connection.js';

/** Version of the SQLite that queries are executed with: "3.51.3". */
export function sqliteVersion(): string {
  const sqlite = openConnection(':memory:');
  try {
    return sqlite.prepare('SELECT sqlite_version()').pluck().get() as string;
  } finally {
    sqlite.close();
  }
}
