import { z } from 'zod';
import type { OutputSchema } from '../formats/output-set.js';
import type { Database } from '../schema/schema.js';
import { foldName } from '../sql/dialect.js';

/** What `provenance.jsonl` says of a change: the column it is about, and its new name or that of the one added. */
export const recordedChange = z.looseObject({
  table: z.string(),
  column: z.string(),
  identifier: z.string(),
  /** In a mixed variant; in others it is the variant's. */
  kind: z.enum(['RPL', 'ADD']).exactOptional(),
});
export type RecordedChange = z.infer<typeof recordedChange>;

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
