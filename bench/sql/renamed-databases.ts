import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createSyntheticDatabase } from '../../src/formats/synthetic-databases.js';
import type { RenameTask } from './rename-tasks.js';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Pair = readonly [before: SqliteDatabase.Database, after: SqliteDatabase.Database];

/** The databases of golds before and after the renames, in memory: the data set's own, or synthetic ones. */
export class RenamedDatabases {
  readonly #folder: string;
  readonly #golds: ReadonlyMap<string, readonly string[]>;
  readonly #open = new Map<string, Pair>();

  constructor(folder: string, tasks: readonly RenameTask[]) {
    this.#folder = folder;
    const golds = new Map<string, string[]>();
    for (const { database, sql } of tasks) golds.set(database.id, [...(golds.get(database.id) ?? []), sql]);
    this.#golds = golds;
  }

  of(task: RenameTask): Pair {
    const known = this.#open.get(task.database.id) ?? this.#make(task);
    this.#open.set(task.database.id, known);
    return known;
  }

  #make({ database, renames }: RenameTask): Pair {
    const file = join(this.#folder, database.id, `${database.id}.sqlite`);
    const bytes = existsSync(file)
      ? readFileSync(file)
      : createSyntheticDatabase(database, [...new Set(this.#golds.get(database.id))], 0);
    const after = new SqliteDatabase(bytes);
    // By way of other names, for a new name may be that of another column still.
    for (const isLast of [false, true]) {
      let place = 0;
      for (const [key, name] of renames) {
        const [t = 0, c = 0] = key.split('.').map(Number);
        const table = database.tables[t];
        const between = `between ${place++}`;
        const [from, to] = isLast ? [between, name] : [table?.columns[c]?.originalName ?? '', between];
        after.exec(`ALTER TABLE ${quoted(table?.originalName ?? '')} RENAME COLUMN ${quoted(from)} TO ${quoted(to)}`);
      }
    }
    return [new SqliteDatabase(bytes), after];
  }
}

/** Rows as text: as they come where the query orders them, else as a bag; null where the query does not run. */
export function rowsOf(sqlite: SqliteDatabase.Database, sql: string): string | null {
  try {
    const rows = sqlite
      .prepare(sql)
      .raw()
      .all()
      .map((row) => JSON.stringify(row));
    return (/order by/i.test(sql) ? rows : rows.sort()).join('\n');
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return null;
    throw error;
  }
}
