import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { advetaPlace } from '../../formats/adveta-release.js';
import { checkRecord, loadText, parseJson } from '../../formats/json-file.js';
import { writeDurably } from '../../run/durable-file.js';
import { naturalName } from '../../schema/natural-name.js';
import {
  type AnnotationItem,
  type NameKind,
  annotationItemId,
  type ItemContext,
  type StoredAnswer,
} from '../annotation.js';
import { finalAnswerOf } from '../project/answer-schema.js';
import type { ItemRecord } from '../project/item-store.js';
import { type ExchangeFormat, type ExchangeSet, splitRevisions, UNDATED } from './exchange-set.js';

/** Who an ADVETA file's names are said to come from: it names nobody. */
const ADVETA_ANNOTATOR = 'adveta';

const FIX = 'Name one ….json of an ADVETA release, and the --kind that it holds.';

const names = z.array(z.string());

const tableSchema = z.looseObject({
  header: names,
  db_id: z.string().optional(),
  table_name_original: z.string().optional(),
  id: z.unknown().optional(),
  column_names_original: names.optional(),
  table_id: z.string(),
  dict: z.record(z.string(), names),
});

type AdvetaTable = z.infer<typeof tableSchema>;
type AdvetaTables = ReadonlyMap<string, AdvetaTable>;

function parseTables(text: string, file: string): AdvetaTables {
  const json = checkRecord(z.record(z.string(), z.unknown()), parseJson(text, file), { file, id: 'the file' }, FIX);
  return new Map(Object.entries(json).map(([id, table]) => [id, checkRecord(tableSchema, table, { file, id }, FIX)]));
}

/** A list as a project keeps it: each name once, blank ones left out. */
function distinctNames(listed: readonly string[]): readonly string[] {
  return [...new Set(listed)].filter((name) => name.trim() !== '');
}

function contextOf({ header, column_names_original: originals }: AdvetaTable): ItemContext {
  const columns = header.map((name, c) => ({ name, originalName: originals?.[c] ?? name, type: 'others' as const }));
  return { entity: null, columns, rows: [], questions: [] };
}

function itemOf(
  table: AdvetaTable,
  context: ItemContext,
  column: string,
  kind: NameKind,
  file: string,
): AnnotationItem {
  const { dbId, table: tableOriginal } = advetaPlace(table.table_id, table);
  const columnOriginal = context.columns.find(({ name }) => name === column)?.originalName;
  if (columnOriginal === undefined) {
    throw new InputFormatError(`"dict" has a column "${column}" that "header" lacks`, {
      where: { file, id: table.table_id },
      fix: FIX,
    });
  }
  return {
    id: annotationItemId({ dbId, tableOriginal, columnOriginal, kind }),
    kind,
    dbId,
    table: naturalName(tableOriginal),
    tableOriginal,
    column,
    columnOriginal,
    type: 'others',
    candidates: distinctNames(table.dict[column] ?? []).map((name) => ({
      name,
      source: 'annotation',
      origin: null,
    })),
  };
}

/** The answer that an item's list stands for: all of it was chosen. */
function answerOf(item: AnnotationItem): StoredAnswer {
  return {
    itemId: item.id,
    annotator: ADVETA_ANNOTATOR,
    revision: 1,
    savedAt: UNDATED,
    state: 'done',
    accepted: item.candidates.map(({ name }) => name),
    written: [],
    comment: '',
    flagged: false,
  };
}

function* readRecords(tables: AdvetaTables, kind: NameKind, file: string): Generator<ItemRecord> {
  for (const table of tables.values()) {
    const context = contextOf(table);
    for (const column of Object.keys(table.dict)) {
      const item = itemOf(table, context, column, kind, file);
      yield { item, context, scores: [], answers: [answerOf(item)], adjudications: [], conflicts: [] };
    }
  }
}

const noteKey = (kind: NameKind): string => `adveta:${kind}`;

function readSet(file: string, kind: NameKind): ExchangeSet {
  const text = loadText(file);
  const tables = parseTables(text, file);
  return {
    name: ADVETA_ANNOTATOR,
    people: [{ name: ADVETA_ANNOTATOR, role: 'annotator' }],
    // Tables without candidates, names listed twice and the layout have no other place.
    notes: { [noteKey(kind)]: text },
    records: readRecords(tables, kind, file),
  };
}

/** The export of a table: its columns by natural and original name, and the final names of those that have any. */
interface TableResult {
  readonly item: AnnotationItem;
  readonly header: Map<string, string>;
  readonly columns: Map<string, readonly string[]>;
}

/** The names that an item comes to; null where nobody has handed anything in, or all have skipped. */
function finalNames({ item, answers, adjudications }: ItemRecord): readonly string[] | null {
  const final = finalAnswerOf(item, splitRevisions(answers).standing, adjudications.at(-1) ?? null);
  return final === null || final.state !== 'done' ? null : [...final.accepted, ...final.written];
}

const tableKey = (dbId: string, table: string): string => JSON.stringify([dbId, table]);

function newResult({ item, context }: ItemRecord): TableResult {
  const header = new Map(context.columns.map(({ name, originalName }) => [name, originalName]));
  return { item, header, columns: new Map() };
}

function collectTables(records: Iterable<ItemRecord>): Map<string, TableResult> {
  const tables = new Map<string, TableResult>();
  for (const record of records) {
    const { dbId, tableOriginal, column, columnOriginal } = record.item;
    const key = tableKey(dbId, tableOriginal);
    const table = tables.get(key) ?? newResult(record);
    tables.set(key, table);
    table.header.set(column, columnOriginal);
    const final = finalNames(record);
    if (final !== null) table.columns.set(column, final);
  }
  return tables;
}

/** A column's list as it goes out: the imported one where it says the same. */
function listFor(final: readonly string[] | undefined, before: readonly string[] | undefined): string[] | null {
  if (before !== undefined && final !== undefined && isDeepStrictEqual(distinctNames(before), final))
    return [...before];
  return final === undefined || final.length === 0 ? null : [...final];
}

function dictFor(columns: TableResult['columns'], dict: AdvetaTable['dict']): AdvetaTable['dict'] {
  const before = new Map(Object.entries(dict));
  const order = new Set([...before.keys(), ...columns.keys()]);
  return Object.fromEntries(
    [...order].flatMap((column) => {
      const list = listFor(columns.get(column), before.get(column));
      return list === null ? [] : [[column, list]];
    }),
  );
}

function newTable({ item, header }: TableResult): AdvetaTable {
  return {
    header: [...header.keys()],
    db_id: item.dbId,
    table_name_original: item.tableOriginal,
    column_names_original: [...header.values()],
    table_id: `${item.dbId}.${item.tableOriginal}`,
    dict: {},
  };
}

/** Tables as they go out: those that were imported keep their ids, order and what else they have; others follow. */
function tablesFor(results: Map<string, TableResult>, imported: AdvetaTables): Record<string, AdvetaTable> {
  const tables: [string, AdvetaTable][] = [];
  for (const [id, table] of imported) {
    const { dbId, table: name } = advetaPlace(table.table_id, table);
    // Projects of earlier versions call a table without database after the file's own id.
    const key = [tableKey(dbId, name), tableKey(table.table_id, table.table_id)].find((one) => results.has(one)) ?? '';
    const columns = results.get(key)?.columns ?? new Map<string, readonly string[]>();
    results.delete(key);
    tables.push([id, { ...table, dict: dictFor(columns, table.dict) }]);
  }
  for (const result of results.values()) {
    const table = newTable(result);
    tables.push([table.table_id, { ...table, dict: dictFor(result.columns, {}) }]);
  }
  return Object.fromEntries(tables);
}

function kindOf(set: ExchangeSet): { readonly kind: NameKind; readonly records: readonly ItemRecord[] } {
  const records = [...set.records];
  return { kind: records[0]?.item.kind === 'ADD' ? 'ADD' : 'RPL', records };
}

function renderSet(set: ExchangeSet): string {
  const { kind, records } = kindOf(set);
  const before = set.notes[noteKey(kind)];
  const imported = before === undefined ? new Map<string, AdvetaTable>() : parseTables(before, 'the imported file');
  const tables = tablesFor(collectTables(records), imported);
  // Byte for byte where nothing was changed: the original's line ends, spaces and order of numeric names.
  if (before !== undefined && isDeepStrictEqual(tables, Object.fromEntries(imported))) return before;
  return `${JSON.stringify(tables, null, 2)}\n`;
}

/**
 * ADVETA's own layout: per table its header and the names that were chosen for its columns. Written are final answers:
 * adjudicated, single, or of the majority.
 */
export const ADVETA_FORMAT: ExchangeFormat = {
  out: 'file',
  oneKind: true,
  holdsSplits: false,
  write: (set, out) => writeDurably(out, renderSet(set)),
  read: (path, kind) => readSet(path, kind ?? 'RPL'),
};
