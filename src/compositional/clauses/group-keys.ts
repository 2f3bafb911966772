import type { Database } from '../../schema/schema.js';
import { type ClauseQuery, clausesOfKind, type ClauseValue } from './clause.js';
import { isAggregate, isAggregated, valuesWithin } from './clause-parts.js';

/** The keys that clauses group by: those that they say, else what is selected next to aggregates. */
export function groupKeys(query: ClauseQuery, database: Database): readonly ClauseValue[] {
  const said = clausesOfKind(query, 'group').map(({ value }) => value);
  if (said.length > 0) return said.filter((value) => value.kind !== 'literal' || value.type !== 'null');
  if (!query.clauses.some(isAggregated)) return [];
  return clausesOfKind(query, 'select')
    .map(({ value }) => value)
    .flatMap((value) => (value.kind === 'star' ? firstColumn(value.table, database) : [value]))
    .filter((value) => !valuesWithin(value).some(isAggregate) && valuesWithin(value).some(isColumn));
}

function isColumn({ kind }: ClauseValue): boolean {
  return kind === 'column';
}

/** The key of a table whose rows are selected next to aggregates. */
function firstColumn(table: number | null, database: Database): readonly ClauseValue[] {
  if (table === null) return [];
  const ref = database.primaryKeys.find((key) => key.table === table) ?? { table, column: 0 };
  return [{ kind: 'column', ...ref, copy: 0 }];
}
