import { z } from 'zod';
import type { PublishedMapping } from '../perturbed-pair.js';

const tableSchema = z.looseObject({ ddl: z.string(), columns: z.array(z.string()).optional() });

/** One record of EvoSchema's files; fields that perturbql does not know are carried along. */
export const evoSchemaRecord = z.looseObject({
  db_id: z.string().min(1),
  question: z.string(),
  query: z.string().min(1),
  train_idx: z.number().optional(),
  relevant_table: z.record(z.string(), tableSchema),
  // A text where the release has a schema that can't be read.
  new_relevant_table: z.union([z.record(z.string(), tableSchema), z.string()]).optional(),
  new_gold_sql: z.string().optional(),
  removed_tables: z.unknown().optional(),
  old_new_table_mappings: z.unknown().optional(),
  old_new_table_mapping: z.unknown().optional(),
  column_changes: z.unknown().optional(),
  split_or_merge: z.unknown().optional(),
  deduplicate_new_column_to_old_table_old_table_mapping: z.unknown().optional(),
});

export type EvoSchemaRecord = z.infer<typeof evoSchemaRecord>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** Names of a list as Python prints it: `['a', 'b']`; a text that is none stands for itself. */
function listed(text: string): readonly string[] {
  if (!text.startsWith('[')) return [text];
  return [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );
}

function mergedColumns(value: unknown): PublishedMapping['merged'] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([now, origin]) => {
    if (!isRecord(origin)) return [];
    const [names, tables, columns] = [now, origin['old_table'], origin['old_column']].map((part) =>
      texts(part).flatMap(listed),
    );
    return (names ?? []).flatMap((name, i) => {
      const [table, column] = [tables?.[i], columns?.[i]];
      return table === undefined || column === undefined ? [] : [[name, table, column] as const];
    });
  });
}

/** Returns a record's mapping between its schemas. */
export function mappingOf(record: EvoSchemaRecord): PublishedMapping {
  const renamed = { ...tableNames(record.old_new_table_mappings), ...tableNames(record.old_new_table_mapping) };
  const changes = isRecord(record.column_changes) ? Object.entries(record.column_changes) : [];
  const isMerge = record.split_or_merge === 'merge';
  return {
    tables: new Map(Object.entries(renamed)),
    merged: mergedColumns(record.deduplicate_new_column_to_old_table_old_table_mapping),
    recoded: changes.map(([one, many]) => {
      // One list of the release holds its names in one text.
      const several = texts(many).flatMap((text) => text.split(', '));
      return isMerge ? { old: several, now: [one] } : { old: [one], now: several };
    }),
  };
}

function tableNames(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([old, now]) => (typeof now === 'string' ? [[old, now]] : [])),
  );
}
