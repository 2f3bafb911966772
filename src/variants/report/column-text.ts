import type { ColumnName } from '../../report/column-tally.js';
import { nameSpan, type Span } from '../../report/document/document.js';

/** A table or column by its natural name, with the original one in parentheses where it is given. */
function named(name: string, original: string | undefined): readonly (string | Span)[] {
  return original === undefined ? [nameSpan(name)] : [nameSpan(name), ' (', nameSpan(original), ')'];
}

/** A column as "table . column". */
export function columnText(name: Omit<ColumnName, 'dbId'>): readonly (string | Span)[] {
  return [...named(name.table, name.tableOriginal), ' . ', ...named(name.column, name.columnOriginal)];
}
