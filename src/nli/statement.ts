import { expandAbbreviations } from '../schema/abbreviations.js';
import type { ColumnType } from '../schema/schema.js';

/**
 * Renders a column in its table's context, premise and hypothesis alike: `"{TPE} {CN} ({CT})."` (ADVETA §4.4).
 * The type is the target column's on both sides: a candidate has no type of its own yet. Beyond the paper,
 * abbreviations are spelled out: a judge that can't read "num" or "ssn" takes them for anything.
 *
 * @example renderStatement('student', 'age', 'number') // "student age (number)."
 */
export function renderStatement(primaryEntity: string, columnName: string, type: ColumnType): string {
  const entity = primaryEntity === '' ? '' : `${primaryEntity} `;
  return `${entity}${expandAbbreviations(columnName)} (${type}).`;
}
