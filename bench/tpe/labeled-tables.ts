import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ENTITY_LABELS } from '../../src/tpe/entity-labels.js';
import { singularTableName } from '../../src/tpe/table-name-tpe.js';
import { naturalHeaders } from '../../src/schema/natural-name.js';
import type { TargetTable } from '../../src/stage.js';
import { readWebTables } from '../retrieval/held-out-tables.js';

/** A table without its name, and the labels that fit it, the best first; none where no label does. */
interface LabeledTable {
  readonly target: TargetTable;
  readonly labels: readonly string[];
}

/** Tables that were drawn in one way. */
export interface LabeledSample {
  readonly id: string;
  readonly tables: readonly LabeledTable[];
}

function hideName(dbId: string, columns: readonly string[], rows: readonly (readonly string[])[]): TargetTable {
  const named = columns.map((name) => ({ name, originalName: name, type: 'text' as const }));
  const values = columns.map((_, column) => rows.map((row) => row[column] ?? ''));
  return { dbId, table: { name: '', originalName: '', columns: named }, questions: [], values };
}

/**
 * The web tables of labels.tsv, by sample and part. "web": by the SHA-256 of their ids, one for each page and each list of
 * headers; "rare": the same, of headers without words of sports, film and elections. One person's labels, given with
 * headers and cells in sight alone. The development part was labeled before anything was tried on it; the test part was
 * drawn before the head was trained and labeled before the head was asked.
 */
function readLabeledWebTables(data: string, labelsFile: string): readonly LabeledSample[] {
  const tables = new Map(readWebTables(join(data, 'tables')).map((table) => [table.id, table]));
  const samples = new Map<string, LabeledTable[]>();
  for (const line of readFileSync(labelsFile, 'utf8').trim().split('\n').slice(1)) {
    const [id, sample, part, labels] = line.split('\t') as [string, string, string, string];
    const table = tables.get(id);
    if (table === undefined) continue;
    const target = hideName(id, naturalHeaders(table.columns), table.rows);
    const key = `${sample}, ${part}`;
    samples.set(key, [...(samples.get(key) ?? []), { target, labels: labels === 'none' ? [] : labels.split(', ') }]);
  }
  return [...samples].map(([id, found]) => ({ id, tables: found }));
}

const schemasSchema = z.array(
  z.looseObject({
    db_id: z.string(),
    table_names: z.array(z.string()),
    column_names: z.array(z.tuple([z.int(), z.string()])),
  }),
);

/** The tables of Spider's schemas that are named after a label: their names, which are hidden, are the answers. */
function readNamedTables(data: string): LabeledSample {
  const labels = new Set<string>(ENTITY_LABELS);
  const schemas = schemasSchema.parse(JSON.parse(readFileSync(join(data, 'spider', 'tables.json'), 'utf8')));
  const tables = schemas.flatMap(({ db_id: dbId, table_names: names, column_names: columns }) =>
    names.flatMap((name, position): LabeledTable[] => {
      const label = singularTableName(name);
      if (!labels.has(label)) return [];
      const own = columns.filter(([table]) => table === position).map(([, column]) => column);
      return [{ target: hideName(`${dbId}/${name}`, own, []), labels: [label] }];
    }),
  );
  return { id: 'Spider, named after a label', tables };
}

/** All samples of the bench. `data` is the shared data's folder. */
export function readSamples(data: string, labelsFile: string): readonly LabeledSample[] {
  return [...readLabeledWebTables(data, labelsFile), readNamedTables(data)];
}
