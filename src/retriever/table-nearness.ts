import type { TableNearness } from '../attributes/class-fit.js';
import type { StageContext, TargetTable } from '../stage.js';
import { tableText } from './table-context.js';
import type { TextEmbedder } from './text-embedder.js';
import { itemAt } from '../present.js';
import { dot } from '../vectors.js';

/** Asks the table-context encoder how near each text is to a table whose rows are called `entity`. */
export async function nearnessOf(
  embedder: TextEmbedder,
  { dbId, table }: TargetTable,
  entity: string,
  texts: readonly string[],
  { signal }: StageContext,
): Promise<readonly TableNearness[]> {
  const own = tableText(dbId, table.name, table.columns);
  const vectors = await embedder.embed([own, entity, ...texts], signal);
  const [ofTable, ofEntity] = [itemAt(vectors, 0), itemAt(vectors, 1)];
  return vectors.slice(2).map((vector) => ({ table: dot(vector, ofTable), entity: dot(vector, ofEntity) }));
}
