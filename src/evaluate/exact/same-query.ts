import { type FormedQuery, formQuery } from './form-comparison.js';
import type { ValueRule } from './form-rules.js';
import { type QueryReading, readQuery } from './query-reading.js';
import { createSpiderNames } from './spider-names.js';
import { getOrMake, itemAt } from '../../present.js';
import type { Database, Table } from '../../schema/schema.js';
import { foldName, SQLITE } from '../../sql/dialect.js';

/** True if two predictions say the same; null where that can't be told. */
export type Sameness = boolean | null;

/** A prediction with the schema that it was made for; null is no SQL at all. */
export interface Predicted {
  readonly sql: string | null;
  readonly schema: Database;
}

/** Two predictions in one normal form; null where one of them has none. */
export interface FormedPair {
  readonly before: FormedQuery;
  readonly after: FormedQuery;
}

const nameOf = ({ originalName }: { readonly originalName: string }): string => foldName(originalName);

/** The names that a table's columns count as: its own, or of one that stands in another's place, the other's. */
function columnNames(table: Table, seed: Table | undefined): readonly string[] {
  const own = table.columns.map(nameOf);
  const before = seed?.columns.map(nameOf) ?? [];
  if (before.length !== own.length) return own;
  return own.map((name, c) => (before.includes(name) || own.includes(itemAt(before, c)) ? name : itemAt(before, c)));
}

/**
 * Reads queries on a seed's schema and on a mutated one so that they can be compared: tables and columns are numbered by
 * name, wherever they are. A column that only is under another name in a table of as many columns is the same.
 */
function commonReader(seed: Database): (sql: string, schema: Database) => QueryReading {
  const [tables, columns] = [new Map<string, number>(), new Map<string, number>()];
  const numberOf = (numbers: Map<string, number>, name: string): number =>
    getOrMake(numbers, name, () => numbers.size + 1); // 0 is `*`
  return (sql, schema) =>
    readQuery(sql, schema, SQLITE, {
      tables: schema.tables.map((table) => numberOf(tables, nameOf(table))),
      columns: schema.tables.map((table) => {
        const before = seed.tables.find((one) => nameOf(one) === nameOf(table));
        return columnNames(table, before).map((name) => numberOf(columns, JSON.stringify([nameOf(table), name])));
      }),
    });
}

/** The default rules look no name up: columns are numbers by then. */
const NO_NAMES = createSpiderNames({ id: '', tables: [], primaryKeys: [], foreignKeys: [] });

const plainText = (sql: string): string => sql.trim().replace(/\s+/g, ' ').replace(/\s*;$/, '').toLowerCase();

const hasNoForm = (reading: QueryReading): boolean => 'bound' in reading && reading.structure === null;

/**
 * Both predictions in the normal form of exact match, names of both schemas taken as one; null where one has no form.
 */
export function formPair(before: Predicted, after: Predicted, values: ValueRule): FormedPair | null {
  if (before.sql === null || after.sql === null) return null;
  const read = commonReader(before.schema);
  const [first, second] = [read(before.sql, before.schema), read(after.sql, after.schema)];
  if ('fault' in first || 'fault' in second) return null;
  const [formed, other] = [first, second].map((reading) => formQuery(reading, NO_NAMES, values));
  return formed == null || other == null ? null : { before: formed, after: other };
}

/**
 * Checks whether two predictions are the same query, by exact set match (MT-TEQL §5). Two that are no SQL for their
 * schemas are the same where their words are; SQL that exact match has no form for is the same where its words are,
 * else it can't be told. Two answers without SQL are the same.
 */
export function sameQuery(before: Predicted, after: Predicted, values: ValueRule): Sameness {
  if (before.sql === null || after.sql === null) return before.sql === after.sql;
  const pair = formPair(before, after, values);
  if (pair !== null) return pair.before.form.whole === pair.after.form.whole;
  if (plainText(before.sql) === plainText(after.sql)) return true;
  const read = commonReader(before.schema);
  const isOpen = hasNoForm(read(before.sql, before.schema)) || hasNoForm(read(after.sql, after.schema));
  return isOpen ? null : false;
}
