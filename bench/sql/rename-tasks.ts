import { existsSync, readFileSync } from 'node:fs';
import { InputFormatError } from '../../src/errors.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { columnKey, type Database } from '../../src/schema/schema.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';

/** A gold query with single-quoted strings, so that all can read it, and the names its database's columns get. */
export interface RenameTask {
  readonly sql: string;
  readonly database: Database;
  readonly renames: ReadonlyMap<string, string>;
}

/** Names that SQL reads otherwise, that other columns and aliases have, or that need quotes. */
const ADVERSARIAL = [
  'order',
  'name',
  'T1',
  'count',
  'true',
  'group by',
  'it"s',
  'ID',
  'Größe',
  'T2',
  'value',
  'select',
];

/** The new name of a column, by its place in its table and in its schema. */
type Naming = (column: number, place: number) => string;

export const NAMINGS = {
  plain: (_, place) => `fresh_${place}`,
  adversarial: (column) => {
    const name = ADVERSARIAL[column % ADVERSARIAL.length] ?? 'order';
    return column < ADVERSARIAL.length ? name : `${name} ${Math.floor(column / ADVERSARIAL.length)}`;
  },
} as const satisfies Readonly<Record<string, Naming>>;

/** Every column of a schema with a new name. */
function newNames({ tables }: Database, naming: Naming): ReadonlyMap<string, string> {
  const refs = tables.flatMap(({ columns, originalName }, table) =>
    originalName.startsWith('sqlite_') ? [] : columns.map((_, column) => ({ table, column })),
  );
  return new Map(refs.map((ref, i) => [columnKey(ref), naming(ref.column, i)]));
}

/** Schemas with the names that their columns get, by id. */
export function loadRenames(
  tables: string,
  naming: keyof typeof NAMINGS,
): ReadonlyMap<string, Omit<RenameTask, 'sql'>> {
  const databases = loadSpiderTables(tables);
  return new Map(
    [...databases].map(([id, database]) => [id, { database, renames: newNames(database, NAMINGS[naming]) }]),
  );
}

/** The golds of a file of lines (query, tab, db_id). @throws InputFormatError where it is absent */
export function loadRenameTasks(gold: string, tables: string, naming: keyof typeof NAMINGS): RenameTask[] {
  if (!existsSync(gold)) {
    throw new InputFormatError('the gold queries are not there', {
      fix: 'Give the folder of data with --data.',
      where: { file: gold },
    });
  }
  const schemas = loadRenames(tables, naming);
  return readFileSync(gold, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [query = '', id = ''] = line.split('\t');
      const schema = schemas.get(id.trim());
      if (schema === undefined) return [];
      try {
        return [{ sql: singleQuoteLiterals(query, schema.database).sql, ...schema }];
      } catch {
        return [{ sql: query, ...schema }];
      }
    });
}
