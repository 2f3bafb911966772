import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/schema/schema.js';
import { renderCreateTables } from '../../src/sql/create-tables.js';
import { MYSQL } from '../../src/sql/mysql-dialect.js';
import { POSTGRESQL } from '../../src/sql/postgresql-dialect.js';
import { SQLITE_KEYWORDS } from './sqlite-keywords.js';

const SPELLINGS = SQLITE_KEYWORDS.flatMap((word) => [word, word.toLowerCase()]);

/** A table of that name with columns of those names, whose first is its key and refers to itself. */
function schemaOf(table: string, names: readonly string[]): Database {
  const columns = names.map((originalName) => ({ name: originalName, originalName, type: 'text' as const }));
  const first = { table: 0, column: 0 };
  return {
    id: 'words',
    tables: [{ name: table, originalName: table, columns }],
    primaryKeys: [first],
    foreignKeys: [{ from: first, to: first }],
  };
}

function tablesAfter(statements: string): { readonly name: string; readonly columns: readonly string[] }[] {
  const sqlite = new SqliteDatabase(':memory:');
  sqlite.exec(statements);
  const names = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  return names.map((name) => {
    const columns = sqlite.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name) as string[];
    return { name, columns };
  });
}

describe('renderCreateTables', () => {
  it.each([...SPELLINGS, 'first name', 'a"b', '2x', 'é', "it's", 'a.b', '[x]'])(
    'gives a statement that SQLite executes where a table and its columns are called %j',
    (name) => {
      const statements = renderCreateTables(schemaOf(name, [name, 'other']));
      expect(tablesAfter(statements)).toEqual([{ name, columns: [name, 'other'] }]);
    },
  );

  it('gives a statement that SQLite executes where every keyword is a column without a type', () => {
    const types = [SQLITE_KEYWORDS.map(() => '')];
    const statements = renderCreateTables(schemaOf('words', SQLITE_KEYWORDS), types);
    expect(tablesAfter(statements)).toEqual([{ name: 'words', columns: SQLITE_KEYWORDS }]);
  });

  it('quotes the names alone that need it', () => {
    expect(renderCreateTables(schemaOf('order', ['group', 'Home_Town', 'key', 'first name']))).toBe(
      [
        'CREATE TABLE "order" (',
        '  "group" TEXT,',
        '  Home_Town TEXT,',
        '  key TEXT,',
        '  "first name" TEXT,',
        '  PRIMARY KEY ("group"),',
        '  FOREIGN KEY ("group") REFERENCES "order" ("group")',
        ');',
      ].join('\n'),
    );
  });

  it('quotes as the gold queries of a dialect do', () => {
    const schema = { ...schemaOf('order', ['name', 'Town']), primaryKeys: [], foreignKeys: [] };
    expect(renderCreateTables(schema, [], MYSQL)).toBe('CREATE TABLE `order` (\n  name TEXT,\n  Town TEXT\n);');
    expect(renderCreateTables(schema, [], POSTGRESQL)).toBe('CREATE TABLE "order" (\n  name TEXT,\n  "Town" TEXT\n);');
  });
});
