import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { BirdDataset } from '../../formats/bird/bird-dataset.js';
import { type ChangedDescription, changeDescription } from '../../formats/bird/bird-descriptions.js';
import { describedTable } from '../../formats/bird/bird-output.js';
import { databaseOf, type Dataset } from '../../formats/dataset.js';
import { renderJsonLines } from '../../formats/json-file.js';
import type { OutputFolder } from '../../formats/output-set.js';
import { identifierKey } from '../../schema/name-identity.js';
import type { MutantTexts } from '../mutate/mutant-texts.js';
import type { MutatedSchema } from './mutated-schema.js';
import { itemAt, zip } from '../../present.js';
import { columnAt } from '../../schema/schema.js';

/** A description on a mutated schema; null of a table that is not there under its name. */
function describe(
  file: string,
  mutated: MutatedSchema,
  dataset: BirdDataset,
  texts: MutantTexts,
): ChangedDescription | null {
  const bytes = readFileSync(file);
  const origin = databaseOf(dataset, mutated.origin);
  const table = describedTable(file, origin);
  const { sources } = mutated;
  if (table < 0 || sources === undefined) return { bytes, edits: [] };
  const before = itemAt(origin.tables, table);
  const key = identifierKey(before.originalName);
  const now = mutated.schema.tables.findIndex(({ originalName }) => identifierKey(originalName) === key);
  if (now < 0) return null;
  const columns = zip(itemAt(mutated.schema.tables, now).columns, itemAt(sources, now)).map(([column, source]) => ({
    column,
    from: source?.table === table ? columnAt(origin, source) : null,
  }));
  const follow = (text: string): string => texts.followTable(mutated, table, text);
  return changeDescription(bytes, { original: before, columns, follow });
}

/**
 * Writes BIRD's `database_description/<table>.csv` next to the databases of a run, as the data set's own schemas and the
 * mutated ones have their columns, and `descriptions.jsonl` with what changed in which. Other formats have none.
 */
export function writeMutantDescriptions(
  given: Dataset,
  origins: readonly string[],
  schemas: readonly MutatedSchema[],
  texts: MutantTexts,
  folder: OutputFolder,
): void {
  if (given.format !== 'bird') return;
  const dataset = given as BirdDataset;
  const changes: unknown[] = [];
  const write = (id: string, file: string, bytes: Uint8Array): void =>
    folder.write(`database/${id}/database_description/${basename(file)}`, [bytes]);
  for (const origin of origins)
    for (const file of dataset.descriptions(origin)) write(origin, file, readFileSync(file));
  for (const mutated of schemas) {
    const { schema, origin } = mutated;
    for (const file of dataset.descriptions(origin)) {
      const changed = describe(file, mutated, dataset, texts);
      if (changed === null) continue;
      write(schema.id, file, changed.bytes);
      const { edits } = changed;
      if (edits.length > 0) changes.push({ db_id: schema.id, original_db_id: origin, file: basename(file), edits });
    }
  }
  if (changes.length > 0) folder.write('descriptions.jsonl', renderJsonLines(changes));
}
