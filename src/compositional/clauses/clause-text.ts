import type { Database } from '../../schema/schema.js';
import { renderIdentifier } from '../../sql/dialect.js';
import type { Clause, ClauseQuery } from './clause.js';
import { type WriteContext, writeConditions, writeValue } from './write-value.js';

function tableName(database: Database, table: number): string {
  return renderIdentifier(database.tables[table]?.originalName ?? String(table));
}

/** The text of a clause as people read it: `select stadium.name`, `related concert`, `order by singer.age desc`. */
export function clauseText(clause: Clause, database: Database): string {
  const values: WriteContext = {
    database,
    alias: (table, copy) => tableName(database, table) + (copy > 0 ? `#${copy}` : ''),
    nested: (query) => queryText(query, database),
  };
  switch (clause.kind) {
    case 'select':
      return `select ${writeValue(clause.value, values)}`;
    case 'related':
      return `related ${values.alias(clause.table, clause.copy) ?? ''}`;
    case 'via':
      return `via ${writeValue(clause.from, values)} = ${writeValue(clause.to, values)}`;
    case 'condition':
      return `${clause.connective === null ? '' : `${clause.connective} `}${writeConditions([clause], values)}`;
    case 'group':
      return `group by ${writeValue(clause.value, values)}`;
    case 'order':
      return `order by ${writeValue(clause.value, values)} ${clause.direction}`;
    case 'limit':
      return `limit ${clause.count}${clause.offset === 0 ? '' : ` offset ${clause.offset}`}`;
    case 'set':
      return `${clause.operator} (${queryText(clause.query, database)})`;
  }
}

/** The clauses of a query, with `·` between them. */
export function queryText({ distinct, clauses }: ClauseQuery, database: Database): string {
  return `${distinct ? 'distinct · ' : ''}${clauses.map((clause) => clauseText(clause, database)).join(' · ')}`;
}
