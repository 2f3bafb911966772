import type { IdentifierLine } from '../formats/given-readings.js';
import { alignColumns } from '../report/text-table.js';

const HEADINGS = ['confidence', 'identifier', 'reading', 'evidence'] as const;

/** Readings as a table, the unsure ones first. */
export function renderReadings(lines: readonly IdentifierLine[]): readonly string[] {
  const sorted = [...lines].sort((a, b) => a.confidence - b.confidence);
  const rows = sorted.map(({ db_id, table, column, reading, confidence, evidence }) => [
    confidence.toFixed(2),
    [db_id, table, ...(column === null ? [] : [column])].join('.'),
    reading,
    evidence,
  ]);
  return alignColumns([HEADINGS, ...rows]);
}
