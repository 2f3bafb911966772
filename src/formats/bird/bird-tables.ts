import type { ColumnType, Database } from '../../schema/schema.js';
import { loadJsonArray } from '../json-file.js';
import { parseSpiderTables } from '../spider-tables.js';

/** Spider's type for a word of BIRD's; the order decides ("date" before the numbers, "datetime" is no number). */
const TYPES: readonly (readonly [RegExp, ColumnType])[] = [
  [/date|time|year/, 'time'],
  [/bool/, 'boolean'],
  [/int|real|num|dec|float|doub/, 'number'],
  [/text|char|clob|string/, 'text'],
];

/** BIRD's words for the types of added columns. */
const WORDS: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  number: 'real',
  time: 'date',
  boolean: 'integer',
  others: 'text',
};

function columnType(word: unknown): unknown {
  if (typeof word !== 'string') return word;
  return TYPES.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1] ?? 'others';
}

/** BIRD's word for a column type. */
export function birdTypeName(type: ColumnType): string {
  return WORDS[type];
}

/** A record with Spider's words for types, as `parseSpiderTables` takes it; what has them already stays. */
export function toSpiderRecord(record: unknown): unknown {
  const types = (record as { readonly column_types?: unknown } | null)?.column_types;
  return Array.isArray(types) ? { ...(record as object), column_types: types.map(columnType) } : record;
}

export interface BirdTables {
  readonly databases: ReadonlyMap<string, Database>;
  /** The records as they are written, by db_id. */
  readonly records: ReadonlyMap<string, unknown>;
}

/**
 * Loads BIRD's `dev_tables.json`: Spider's form with SQL's words for types.
 * @throws InputFormatError when the file is not JSON, a field is missing, a key is out of range or a db_id occurs twice
 */
export function loadBirdTables(file: string): BirdTables {
  const records = loadJsonArray(file, 'databases');
  const databases = parseSpiderTables(records.map(toSpiderRecord), file);
  const named = records as readonly { readonly db_id: string }[];
  return { databases, records: new Map(named.map((record) => [record.db_id, record])) };
}
