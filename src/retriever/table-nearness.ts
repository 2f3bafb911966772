import type { TableNearness } from '../attributes/class-fit.js';
import type { StageContext, TargetTable } from '../stage.js';
import { tableText } from './table-context.js';
import type { TextEmbedder } from './text-embedder.js';

/** Asks the table-context encoder how near each text is to a table whose rows are called `entity`. */
export async function nearnessOf(
  embedder: TextEmbedder,
  { dbId, table }: TargetTable,
  entity: string,
  texts: readonly string[],
  { signal }: StageContext,
): Promise<readonly TableNearness[]> {
  const own = tableText(dbId, table.name, table.columns);
  const [ofTable, ofEntity, ...ofTexts] = await embedder.embed([own, entity, ...texts], signal);
  return ofTexts.map((vector) => ({ table: dot(vector, ofTable!), entity: dot(vector, ofEntity!) }));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
