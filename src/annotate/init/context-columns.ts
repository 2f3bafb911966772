import type { Column } from '../../schema/schema.js';
import type { ContextColumn } from '../annotation.js';

/** The columns of a table as a page shows them. */
export function contextColumns(columns: readonly Column[]): readonly ContextColumn[] {
  return columns.map(({ name, originalName, type, reading }) => {
    const isUnsure = reading !== undefined && reading.confidence < 1;
    return { name, originalName, type, ...(isUnsure ? { readingConfidence: reading.confidence } : {}) };
  });
}
