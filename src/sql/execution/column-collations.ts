import { quoteIdentifier } from '../dialect.js';
import { openConnection, whileOpen } from './open-connection.js';
import { columnsOf, pragmaRows, type IndexTerm, tableNames } from './table-pragmas.js';
import { itemAt } from '../../present.js';

/**
 * The collation of each column that a CREATE TABLE statement declares, as SQLite names it; none where all are BINARY.
 * An index takes the collation of its column, and tells it; a column does not.
 */
export function columnCollations(createTable: string): readonly string[] {
  if (!/\bcollate\b/i.test(createTable)) return [];
  return whileOpen(openConnection(':memory:'), (scratch) => {
    scratch.exec(createTable);
    const table = itemAt(tableNames(scratch), 0);
    const columns = columnsOf(scratch, table).map(({ name }) => quoteIdentifier(name));
    scratch.exec(`CREATE INDEX perturbql_probe ON ${quoteIdentifier(table)} (${columns.join(', ')})`);
    const parts = pragmaRows<IndexTerm>(scratch, 'index_xinfo', 'perturbql_probe');
    return parts.slice(0, columns.length).map(({ coll }) => coll);
  });
}
