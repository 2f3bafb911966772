import { SqlRewriteError } from '../../../src/errors.js';
import type { PerturbedPair } from '../../../src/formats/dataset.js';
import type { Database } from '../../../src/schema/schema.js';
import { bindQuery } from '../../../src/sql/binder.js';
import { foldName, needsQuotes } from '../../../src/sql/dialect.js';

/** Why a published gold does not bind, by what went wrong when it was made. */
const GOLD_FAULTS = {
  removed: 'It needs a table or column that was removed.',
  'text-replaced': 'A name was replaced as text within another name, which became one that nothing has.',
  'not-quoted': 'A new name needs quotes, and has none.',
  'old-name': 'It still says a name that the schema has no more.',
  'moved-column': 'The column is in another table now, which the gold does not read there.',
  'other-new-name': 'Gold and schema have different new names for one thing.',
  'schema-disagrees': 'The record’s own list of columns has the column, its schema does not.',
  'schema-unreadable': 'The new schema can’t be read.',
  syntax: 'It is no SQL, for another reason.',
} as const satisfies Readonly<Record<string, string>>;

type GoldFaultName = keyof typeof GOLD_FAULTS;

/** What is wrong with a published gold. */
export interface GoldFault {
  readonly rule: GoldFaultName;
  readonly meaning: string;
  /** The table, column or place that it is about. */
  readonly identifier: string;
  /** What the parser or the resolver says. */
  readonly message: string;
}

/** Why a query does not bind; null where it does. */
export function bindFault(sql: string, database: Database): SqlRewriteError | null {
  try {
    bindQuery(sql, database);
    return null;
  } catch (error) {
    if (error instanceof SqlRewriteError) return error;
    if (error instanceof RangeError) return new SqlRewriteError('it is nested too deeply', { fix: 'Leave it out.' });
    throw error;
  }
}

const has = (names: readonly string[], name: string): boolean => names.some((one) => foldName(one) === foldName(name));

const tableNames = ({ tables }: Database): readonly string[] => tables.map(({ originalName }) => originalName);

const columnNames = ({ tables }: Database): readonly string[] =>
  tables.flatMap(({ columns }) => columns.map(({ originalName }) => originalName));

function missingTable(name: string, before: Database): GoldFaultName {
  return has(tableNames(before), name) ? 'old-name' : 'text-replaced';
}

function missingColumn(name: string, before: Database, after: Database): GoldFaultName {
  if (has(columnNames(after), name)) return 'moved-column';
  if (has(columnNames(before), name)) return 'old-name';
  const isNew = tableNames(before).length === tableNames(after).length;
  return isNew ? 'other-new-name' : 'text-replaced';
}

/** Names of the new schema that need quotes and are in a text without them. */
function unquotedNames(sql: string, before: Database, after: Database): readonly string[] {
  const old = [...columnNames(before), ...tableNames(before)];
  const text = sql.toLowerCase();
  return [...columnNames(after), ...tableNames(after)].filter((name) => {
    const at = text.indexOf(name.toLowerCase());
    const isWhole = !/["`[\w]/.test(sql[at - 1] ?? '') && !/\w/.test(sql[at + name.length] ?? '');
    return needsQuotes(name) && !has(old, name) && at >= 0 && isWhole;
  });
}

function ruleOf(message: string, sql: string, before: Database, after: Database): GoldFaultName {
  if (unquotedNames(sql, before, after).length > 0) return 'not-quoted';
  const { what, name } = missingIn(message);
  if (what === 'table') return missingTable(name, before);
  if (what === 'column') return missingColumn(name.slice(name.lastIndexOf('.') + 1), before, after);
  return 'syntax';
}

/** What a resolver's message says is missing or ambiguous. */
function missingIn(message: string): { readonly what: string; readonly name: string } {
  const [, what = '', name = ''] =
    /(?:no such (table|column)|ambiguous column name): (.+?)(?: at offset |$)/.exec(message) ?? [];
  return { what, name };
}

function faultOf(rule: GoldFaultName, identifier: string, message: string): GoldFault {
  return { rule, meaning: GOLD_FAULTS[rule], identifier, message };
}

/** What keeps a published gold from binding to its schema; null where it binds. */
export function explainFault({ before, after, intended, isRemoval }: PerturbedPair): GoldFault | null {
  if (before.database === null || after.query === null) return null;
  if (after.database === null) return faultOf('schema-unreadable', '', 'the schema is no schema');
  const fault = bindFault(after.query, after.database);
  if (fault === null) return null;
  const { message } = fault;
  const identifier = missingIn(message).name;
  if (isRemoval) return faultOf('removed', identifier, message);
  const isMeant = intended !== null && bindFault(after.query, intended) === null;
  const rule = isMeant ? 'schema-disagrees' : ruleOf(message, after.query, before.database, after.database);
  return faultOf(rule, identifier, message);
}
