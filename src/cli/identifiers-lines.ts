import type { IdentifierLine } from '../formats/given-readings.js';
import { alignColumns } from '../report/text-table.js';

const HEADINGS = ['confidence', 'identifier', 'reading', 'evidence'] as const;

/** Readings in the order in which people check them. */
export function unsureFirst(lines: readonly IdentifierLine[]): readonly IdentifierLine[] {
  return [...lines].sort((a, b) => a.confidence - b.confidence);
}

/** Readings as a table. */
export function renderReadings(lines: readonly IdentifierLine[]): readonly string[] {
  const rows = lines.map(({ db_id, table, column, reading, confidence, evidence }) => [
    confidence.toFixed(2),
    [db_id, table, ...(column === null ? [] : [column])].join('.'),
    reading,
    evidence,
  ]);
  return alignColumns([HEADINGS, ...rows]);
}
