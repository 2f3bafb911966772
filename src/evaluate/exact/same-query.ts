import { type FormedQuery, formQuery } from './form-comparison.js';
import type { ValueRule } from './form-rules.js';
import type { QueryReading } from './query-reading.js';
import { createSpiderNames } from './spider-names.js';
import type { Database } from '../../schema/schema.js';
import { CommonQueries } from './common-query.js';

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

/** The default rules look no name up: columns are numbers by then. */
const NO_NAMES = createSpiderNames({ id: '', tables: [], primaryKeys: [], foreignKeys: [] });

const plainText = (sql: string): string => sql.trim().replace(/\s+/g, ' ').replace(/\s*;$/, '').toLowerCase();

const hasNoForm = (read: QueryReading): boolean => 'bound' in read && read.structure === null;

/**
 * Both predictions in the normal form of exact match, names of both schemas taken as one; null where one has no form.
 */
export function formPair(before: Predicted, after: Predicted, values: ValueRule): FormedPair | null {
  if (before.sql === null || after.sql === null) return null;
  const queries = new CommonQueries(before.schema);
  const [first, second] = [queries.read(before.sql, before.schema), queries.read(after.sql, after.schema)];
  if ('fault' in first || 'fault' in second) return null;
  const [formed, other] = [first, second].map((read) => formQuery(read, NO_NAMES, values));
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
  const queries = new CommonQueries(before.schema);
  const isOpen = hasNoForm(queries.read(before.sql, before.schema)) || hasNoForm(queries.read(after.sql, after.schema));
  return isOpen ? null : false;
}
