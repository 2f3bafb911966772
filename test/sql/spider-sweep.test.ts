import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import { columnKey, type Database } from '../../src/schema/schema.js';
import { quoteIdentifier } from '../../src/sql/dialect.js';
import { renameColumns, rewriteForAdded } from '../../src/sql/rename-columns.js';
import { resolveColumns } from '../../src/sql/resolver.js';
import { changeSchema, NO_CHANGE } from '../../src/sql/schema-change.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { hasSpider, NEEDS_SPIDER, readDatabases, readGold, readSqlite } from './spider-files.js';
import { rowsOf } from './town-database.js';

// Train gold that SQLite refuses, too: a table that the schema lacks, and LIMIT before INTERSECT.
const FAULTY_TRAIN = [
  /^SELECT T1\.company_name FROM Third_Party_Companies .* JOIN Ref_Company_Types /,
  /^SELECT document_name FROM documents GROUP BY document_type_code ORDER BY count\(\*\) DESC LIMIT 3 INTERSECT /,
];

describe.skipIf(!hasSpider)(`Spider's gold queries${NEEDS_SPIDER}`, () => {
  const databases: ReadonlyMap<string, Database> = hasSpider ? readDatabases() : new Map<string, Database>();
  const databaseOf = (id: string): Database =>
    databases.get(id) ?? { id, tables: [], primaryKeys: [], foreignKeys: [] };

  it.each([
    ['dev_gold.sql', []],
    ['train_gold.sql', FAULTY_TRAIN],
  ])('%s: parses, resolves, and an identity rewrite changes nothing', (file, faulty) => {
    const refused: string[] = [];
    for (const { sql, dbId } of readGold(file)) {
      try {
        resolveColumns(sql, databaseOf(dbId));
        expect(renameColumns(sql, databaseOf(dbId), new Map())).toEqual({ sql, edits: [] });
      } catch (error) {
        if (!(error instanceof SqlRewriteError)) throw error;
        refused.push(sql);
      }
    }
    expect(refused.filter((sql) => !faulty.some((pattern) => pattern.test(sql)))).toEqual([]);
    expect(refused.length).toBe(faulty.length);
  });

  const gold = hasSpider ? readGold('dev_gold.sql') : [];
  const ids = [...new Set(gold.map(({ dbId }) => dbId))];

  /** Runs each query of a database before and after a change and compares the rows, as a bag without ORDER BY. */
  function compare(
    dbId: string,
    open: (sqlite: SqliteDatabase.Database) => void,
    rewrite: (sql: string) => string,
    changed: Database,
  ): void {
    const bytes = readSqlite(dbId);
    if (bytes === null) return;
    const [before, after] = [new SqliteDatabase(bytes), new SqliteDatabase(bytes)];
    open(after);
    for (const { sql } of gold.filter((query) => query.dbId === dbId)) {
      const rewritten = rewrite(sql);
      const results = [
        rowsOf(before, singleQuoteLiterals(sql, databaseOf(dbId)).sql),
        rowsOf(after, singleQuoteLiterals(rewritten, changed).sql),
      ];
      const [expected, actual] = /order by/i.test(sql) ? results : results.map(sortRows);
      expect(actual, rewritten).toBe(expected);
    }
    before.close();
    after.close();
  }

  const sortRows = (rows: string): string =>
    JSON.stringify((JSON.parse(rows) as unknown[]).map((row) => JSON.stringify(row)).sort());

  it.each(ids)('dev %s with all columns renamed gives the same rows', (dbId) => {
    const renames = new Map<string, string>();
    const database = databaseOf(dbId);
    const tables = database.tables
      .map((table, t) => ({ ...table, t }))
      .filter(({ originalName }) => originalName !== 'sqlite_sequence');
    const names = tables.flatMap(({ columns, t }) => columns.map((_, c) => columnKey({ table: t, column: c })));
    names.forEach((key, i) => renames.set(key, i % 2 === 0 ? `x ${i}` : `col_${i}`));
    const open = (sqlite: SqliteDatabase.Database): void => {
      sqlite.pragma('legacy_alter_table = OFF');
      for (const { originalName, columns, t } of tables) {
        columns.forEach((column, c) => {
          const name = renames.get(columnKey({ table: t, column: c })) ?? '';
          sqlite.exec(
            `ALTER TABLE ${quoteIdentifier(originalName)} RENAME COLUMN ${quoteIdentifier(column.originalName)} TO ${quoteIdentifier(name)}`,
          );
        });
      }
    };
    compare(
      dbId,
      open,
      (sql) => renameColumns(sql, database, renames).sql,
      changeSchema(database, { ...NO_CHANGE, renames }),
    );
  });

  it.each(ids)("dev %s with every table given the other tables' columns gives the same rows", (dbId) => {
    const database = databaseOf(dbId);
    const all = database.tables.flatMap(({ columns }) => columns.map((column) => column.originalName.toLowerCase()));
    const added = new Map<number, readonly string[]>();
    database.tables.forEach(({ originalName, columns }, t) => {
      const own = new Set(columns.map((column) => column.originalName.toLowerCase()));
      if (originalName !== 'sqlite_sequence')
        added.set(
          t,
          [...new Set(all)].filter((name) => !own.has(name)),
        );
    });
    const open = (sqlite: SqliteDatabase.Database): void => {
      for (const [t, names] of added) {
        const table = quoteIdentifier(database.tables[t]?.originalName ?? '');
        for (const name of names)
          sqlite.exec(`ALTER TABLE ${table} ADD COLUMN ${quoteIdentifier(name)} DEFAULT 'added'`);
      }
    };
    compare(
      dbId,
      open,
      (sql) => rewriteForAdded(sql, database, added).sql,
      changeSchema(database, { ...NO_CHANGE, added }),
    );
  });
});
