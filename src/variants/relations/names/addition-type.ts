import { kindByName } from '../../../rows/values/named-kind.js';
import { columnAt, type ColumnRef, type ColumnType, type Database } from '../../../schema/schema.js';
import { itemAt } from '../../../present.js';

/**
 * The type of a column that is added because of another one, as its table writes such columns: a date is text, and a
 * flag too, where no column of the table has a type of its own for it. Else the type alone would tell a model which
 * columns were added.
 * @param given the type of the column that the name was found at, null where it was found at none
 */
export function additionType(name: string, given: ColumnType | null, database: Database, ref: ColumnRef): ColumnType {
  const target = columnAt(database, ref).type;
  const type = given ?? kindByName(name) ?? target;
  const isUsed = itemAt(database.tables, ref.table).columns.some((column) => column.type === type);
  if (type === 'text' || type === 'number' || isUsed) return type;
  return type === 'time' && /\byears?\b/u.test(name.toLowerCase()) ? 'number' : 'text';
}
