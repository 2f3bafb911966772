import { readTableText } from '../../src/sql/definitions/table-text.js';
import { sqliteColumnType } from '../../src/schema/column-types.js';
import { naturalName } from '../../src/schema/natural-name.js';
import type { Column, Database, Table } from '../../src/schema/schema.js';
import { SQLITE } from '../../src/sql/dialect.js';
import { sqlFault } from '../../src/sql/sql-fault.js';
import { tokenize } from '../../src/sql/tokenizer.js';

/** What follows a column's type. */
const AFTER_TYPE = /\b(?:not|null|primary|unique|check|default|collate|references|constraint|generated|as|comment)\b/i;

function statementsOf(text: string): readonly string[] {
  const ends = tokenize(text, SQLITE).filter((token) => token.kind === 'operator' && token.text === ';');
  const starts = [0, ...ends.map(({ end }) => end)];
  return starts
    .map((start, i) => text.slice(start, ends[i]?.start))
    .filter((sql) => /^\s*create\b.*\btable\b/is.test(sql));
}

function readTable(sql: string): Table {
  const { name, columns } = readTableText(sql);
  const named = (identifier: string): Pick<Column, 'name' | 'originalName'> => ({
    name: naturalName(identifier) || identifier.toLowerCase(),
    originalName: identifier,
  });
  return {
    ...named(name.name),
    columns: columns.map(({ name: column, end }) => {
      const [declared = ''] = sql.slice(column.span.end, end).split(AFTER_TYPE);
      return { ...named(column.name), type: sqliteColumnType(declared.trim()) ?? 'others' };
    }),
  };
}

/**
 * The schema of some CREATE TABLE statements; other statements are passed over.
 * @throws SqlRewriteError where a statement can't be read, or none is there
 */
export function readSchema(text: string): Database {
  const statements = statementsOf(text);
  if (statements.length === 0) throw sqlFault(text, 0, 'no CREATE TABLE statement', 'Paste one for each table.');
  const tables = statements.map(readTable);
  // The encoder reads a database's name as its topic; here the first table's says most of that.
  return { id: tables[0]!.name, tables, primaryKeys: [], foreignKeys: [] };
}
