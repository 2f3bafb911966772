import type { Database } from '../schema/schema.js';
import { toSpiderSql } from '../sql/spider-sql.js';
import { toQueryTokens, toQueryTokensNoValue } from '../sql/spider-tokens.js';
import type { SpiderExampleRecord } from './spider-examples.js';

/**
 * An example's record with another query on another schema: question and unknown fields stay, `query_toks`,
 * `query_toks_no_value` and `sql` are rebuilt.
 * @throws SqlRewriteError when the query is outside the grammar of Spider's `sql` structure.
 */
export function renderSpiderExample(record: SpiderExampleRecord, query: string, schema: Database): SpiderExampleRecord {
  return {
    ...record,
    db_id: schema.id,
    query,
    query_toks: toQueryTokens(query),
    query_toks_no_value: toQueryTokensNoValue(query),
    sql: toSpiderSql(query, schema),
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
