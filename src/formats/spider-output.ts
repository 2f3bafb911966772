import { SqlRewriteError } from '../errors.js';
import type { Database } from '../schema/schema.js';
import { type SpiderSql, toSpiderSql } from '../sql/spider-sql.js';
import { toQueryTokens, toQueryTokensNoValue } from '../sql/spider-tokens.js';
import type { SpiderExampleRecord } from './spider-examples.js';

/** Spider's structure of a query; undefined for a query outside its grammar, where the input has none to keep up with. */
function renderStructure(record: SpiderExampleRecord, query: string, schema: Database): SpiderSql | undefined {
  try {
    return toSpiderSql(query, schema);
  } catch (error) {
    if (error instanceof SqlRewriteError && record['sql'] === undefined) return undefined;
    throw error;
  }
}

/**
 * An example's record with another query on another schema: question and unknown fields stay, `query_toks`,
 * `query_toks_no_value` and `sql` are rebuilt.
 * @throws SqlRewriteError when the input has `sql` and the query is outside the grammar of that structure.
 */
export function renderSpiderExample(record: SpiderExampleRecord, query: string, schema: Database): SpiderExampleRecord {
  const sql = renderStructure(record, query, schema);
  return {
    ...record,
    db_id: schema.id,
    query,
    query_toks: toQueryTokens(query),
    query_toks_no_value: toQueryTokensNoValue(query),
    ...(sql === undefined ? {} : { sql }),
  };
}

/** A JSON array, one record per line. */
export function* renderJsonArray(records: Iterable<unknown>): Generator<string> {
  let separator = '[\n';
  for (const record of records) {
    yield `${separator}${JSON.stringify(record)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
