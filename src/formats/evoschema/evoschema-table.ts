import { naturalName } from '../../schema/natural-name.js';
import { knownColumnType } from '../../schema/column-types.js';
import type { Column } from '../../schema/schema.js';

/** A table as EvoSchema writes it. */
export interface EvoSchemaTable {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Declared types by column, in order; empty where there is none. */
  readonly types: readonly string[];
  readonly primaryKeys: readonly string[];
  readonly foreignKeys: readonly { readonly column: string; readonly table: string; readonly to: string }[];
}

const TYPE =
  /^(.*\S)\s+(text|integer|int|real|numeric|number|date|datetime|timestamp|time|boolean|blob|varchar|float)$/is;
/** The last word is the type, whatever became of it: where a column "text" is renamed, the release renames the type, too. */
const ANY_TYPE = /^(.*\S)\s+(\S+)$/s;
const KEY = /^foreign key\s*\((.+?)\) references (.+?)\((.+?)\)\s*(.*)$/is;
const CREATE = /^\s*create table (.+?)\s*\(\s(.*)\)\s*;?\s*$/is;

/** Texts between commas outside of parentheses: column names may hold both. */
function entriesOf(list: string): readonly string[] {
  const entries: string[] = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i < list.length; i++) {
    if (list[i] === '(') depth++;
    if (list[i] === ')') depth--;
    if (list[i] !== ',' || depth > 0) continue;
    entries.push(list.slice(from, i).trim());
    from = i + 1;
  }
  return [...entries, list.slice(from).trim()].filter((entry) => entry !== '');
}

/** A column called as it is, of a declared type. */
export function columnOf(originalName: string, type: string): Column {
  return { name: naturalName(originalName), originalName, type: knownColumnType(type) ?? 'others' };
}

/** The name in a list of columns, which may hold keys as the schema writes them. */
export function listedName(entry: string): string {
  return KEY.exec(`${entry} `)?.[1] ?? entry;
}

/**
 * Reads EvoSchema's `create table t( a text primary key, foreign key(b) references u(c) integer, First Date date)`, which
 * is no SQL: names are not quoted, and keys come before the type of their column. Null where it is not that.
 * @param isTyped whether the last word of a column is its type even where it is none
 */
export function readEvoSchemaTable(ddl: string, isTyped: boolean): EvoSchemaTable | null {
  const [, name, list] = CREATE.exec(ddl) ?? [];
  if (name === undefined || list === undefined) return null;
  const pattern = isTyped ? ANY_TYPE : TYPE;
  const types = new Map<string, string>();
  const primaryKeys: string[] = [];
  const foreignKeys: EvoSchemaTable['foreignKeys'][number][] = [];
  for (const entry of entriesOf(list)) {
    const isPrimary = / primary key$/i.test(entry);
    const text = isPrimary ? entry.slice(0, -' primary key'.length) : entry;
    const [, column = '', table = '', to = '', type = ''] = KEY.exec(text) ?? [];
    const [, plain = text, declared = ''] = column === '' ? (pattern.exec(text) ?? []) : [];
    const own = column === '' ? plain : column;
    if (!types.has(own)) types.set(own, column === '' ? declared : type);
    if (isPrimary) primaryKeys.push(own);
    if (column !== '') foreignKeys.push({ column, table, to });
  }
  const columns = [...types].map(([column, type]) => columnOf(column, type));
  return { name, columns, types: [...types.values()], primaryKeys, foreignKeys };
}
