import type { RecordedChange } from '../formats/artifacts/provenance.js';
import type { OutputSchema } from '../formats/output-set.js';
import type { Database } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';

/** Where a variant's columns were in the original: those that ADD put in are new, all others keep their order. */
export function recordedPositions(
  original: Database,
  schema: Database,
  kind: string,
  changes: readonly Pick<RecordedChange, 'table' | 'identifier' | 'kind'>[],
): OutputSchema['columns'] {
  return schema.tables.map((table, t) => {
    const own = changes.filter((change) => change.table === original.tables[t]?.originalName);
    const isAdded = (change: (typeof own)[number]): boolean => (change.kind ?? kind) === 'ADD';
    const added = new Set(own.filter(isAdded).map(({ identifier }) => foldName(identifier)));
    let next = 0;
    return table.columns.map(({ originalName }) => (added.has(foldName(originalName)) ? null : next++));
  });
}
