import type Sqlite from 'better-sqlite3';

const COLUMNS = 'type, name, tbl_name, rootpage, sql';

/** Edits `sqlite_schema` of an open database; SQLite reads the schema again afterwards. */
export function editSchema(sqlite: Sqlite.Database, edit: () => unknown): void {
  sqlite.unsafeMode(true);
  sqlite.pragma('writable_schema = ON');
  edit();
  sqlite.pragma('writable_schema = RESET');
  sqlite.unsafeMode(false);
}

/** Works on tables while the schema has these statements, by name, for them, and none of their indexes and triggers. */
export function withDefinitions(
  sqlite: Sqlite.Database,
  definitions: ReadonlyMap<string, string>,
  work: () => void,
): void {
  sqlite.exec(`CREATE TEMP TABLE perturbql_aside (id INTEGER PRIMARY KEY, ${COLUMNS})`);
  const setAside = sqlite.prepare(
    `INSERT INTO temp.perturbql_aside SELECT rowid, ${COLUMNS} FROM main.sqlite_schema WHERE tbl_name = ? COLLATE NOCASE`,
  );
  for (const table of definitions.keys()) setAside.run(table);
  editSchema(sqlite, () => {
    sqlite.exec(
      "DELETE FROM main.sqlite_schema WHERE type <> 'table' AND rowid IN (SELECT id FROM temp.perturbql_aside)",
    );
    const update = sqlite.prepare("UPDATE main.sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?");
    for (const [table, sql] of definitions) update.run(sql, table);
  });
  work();
  editSchema(sqlite, () => {
    sqlite.exec(`DELETE FROM main.sqlite_schema WHERE rowid IN (SELECT id FROM temp.perturbql_aside);
      INSERT INTO main.sqlite_schema (rowid, ${COLUMNS}) SELECT * FROM temp.perturbql_aside ORDER BY id`);
  });
  sqlite.exec('DROP TABLE temp.perturbql_aside');
}
