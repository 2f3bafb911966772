import { readFileSync } from 'node:fs';
import { parseCsv, guardFormula, renderCsvRecord } from '../csv-text.js';
import { loadText, renderJsonArray } from '../json-file.js';
import { moveEntries, type OutputFolder, type OutputSchema, type OutputSet } from '../output-set.js';
import { buildSqliteBytes, readStoredColumns } from '../sqlite-tables.js';
import { createVariantIds } from '../variant-ids.js';
import type { SquallDataset, SquallSource } from './squall-dataset.js';
import {
  isUnchanged,
  layoutOf,
  moveName,
  moveRecord,
  type SquallHeader,
  type SquallLayout,
} from './squall-record-output.js';
import {
  isListField,
  readSquallTable,
  type SquallCell,
  type SquallField,
  type SquallRecord,
  type SquallTableRecord,
  WTQ_CSV,
  wtqPath,
} from './squall-files.js';
import { toSqliteTables } from './squall-schema.js';
import { mustGet, zip } from '../../present.js';

const toCell = (cell: unknown): SquallCell =>
  typeof cell === 'bigint' ? Number(cell) : typeof cell === 'string' || typeof cell === 'number' ? cell : null;

/** Cells of the added columns by identifier, from the variant's database; none where there is no such file. */
function readAddedCells(layout: SquallLayout, file: string | null): ReadonlyMap<string, readonly SquallCell[]> {
  const names = layout.headers.flatMap(({ from, column }) => (from === null ? [column.originalName] : []));
  if (file === null || names.length === 0) return new Map();
  const rows = [...readStoredColumns(file, 'w', names)];
  return new Map(names.map((name, c) => [name, rows.map((row) => toCell(row[c]))]));
}

/** SQUALL's columns of an added header: the cells as texts, and for numbers their values. */
function addedFields(number: number, { column }: SquallHeader, cells: readonly SquallCell[]): SquallField[] {
  const texts = cells.map((cell) => (cell === null ? null : String(cell)));
  const field: SquallField = { col: `c${number}`, type: 'TEXT', data: texts };
  if (column.type !== 'number') return [field];
  const values = texts.map((text) => (text === null || !Number.isFinite(Number(text)) ? null : Number(text)));
  return [field, { col: `c${number}_number`, type: 'REAL', data: values }];
}

/** A table's record with renamed headers, moved numbers and added columns; what else it holds stays. */
function moveTable(
  record: SquallTableRecord,
  layout: SquallLayout,
  added: ReadonlyMap<string, readonly SquallCell[]>,
): SquallTableRecord {
  const { headers, types, contents } = record;
  const groupsOf = zip(headers, zip(types, contents)).slice(2);
  const rows = (contents[0]?.[0]?.data ?? []).map(() => null);
  const groups = zip(layout.headers, moveEntries(groupsOf, layout.positions)).map(([header, group], i) => {
    const { renamed, column } = header;
    if (group === undefined) {
      const fields = addedFields(i + 1, header, added.get(column.originalName) ?? rows);
      return { header: column.name, type: column.type === 'number' ? 'number' : 'text', fields };
    }
    const [own, [type, fields]] = group;
    const moved = fields.map((field) => ({ ...field, col: moveName(layout, field.col) }));
    return { header: renamed ?? own, type, fields: moved };
  });
  const moved = [...contents.slice(0, 2), ...groups.map(({ fields }) => fields)];
  return {
    ...record,
    headers: [...headers.slice(0, 2), ...groups.map(({ header }) => header)],
    types: [...types.slice(0, 2), ...groups.map(({ type }) => type)],
    contents: moved,
    is_list: Object.fromEntries(moved.flat().map((field) => [field.col, isListField(field)])),
  };
}

/** WikiTableQuestions' CSV of a changed table: renamed headers, moved columns, added cells where they are known. */
function* renderWtqTable(
  rows: readonly (readonly string[])[],
  layout: SquallLayout,
  added: ReadonlyMap<string, readonly SquallCell[]>,
): Generator<string> {
  const [header = [], ...body] = rows;
  const moved = (row: readonly string[]) => zip(layout.headers, moveEntries(row, layout.positions));
  const names = moved(header).map(([{ renamed, column }, own]) => renamed ?? own ?? column.name);
  yield renderCsvRecord(names, WTQ_CSV);
  for (const [r, row] of body.entries()) {
    const cells = moved(row).map(
      ([{ column }, own]) => own ?? guardFormula(String(added.get(column.originalName)?.[r] ?? '')),
    );
    yield renderCsvRecord(cells, WTQ_CSV);
  }
}

const sourceOf = (set: OutputSet, { origin }: OutputSchema): SquallSource =>
  mustGet((set.input as SquallDataset).sources.get(origin), '(set.input as SquallDataset).sources.get()');

interface MovedTable {
  readonly source: SquallSource;
  readonly layout: SquallLayout;
  readonly id: string;
  /** SQLite file with the cells of added columns; null where there are none. */
  readonly file: string | null;
}

function writeJsonTable({ source, layout, id, file }: MovedTable, folder: OutputFolder): void {
  const record = readSquallTable(source.source);
  const moved = isUnchanged(layout) ? record : moveTable(record, layout, readAddedCells(layout, file));
  const bytes = isUnchanged(layout) ? readFileSync(source.source.file) : JSON.stringify(moved);
  folder.write(`squall/tables/json/${id}.json`, [bytes]);
  folder.write(`squall/tables/db/${id}.db`, [buildSqliteBytes(toSqliteTables(moved, ({ col }) => col))]);
}

function writeWtqTable({ source, layout, id, file }: MovedTable, folder: OutputFolder): void {
  const path = source.source.file;
  const text = isUnchanged(layout)
    ? [readFileSync(path)]
    : renderWtqTable(parseCsv(loadText(path), path, WTQ_CSV), layout, readAddedCells(layout, file));
  folder.write(`squall/csv/${wtqPath(id)}`, text);
}

function* renderRecords(set: OutputSet): Generator<SquallRecord> {
  const idOf = createVariantIds(set.input);
  let layout: (SquallLayout & { readonly id: string }) | null = null;
  for (const example of set.examples()) {
    const { id } = example.schema.schema;
    // Variants of one table follow one another.
    if (layout === null || layout.id !== id)
      layout = { id, ...layoutOf(sourceOf(set, example.schema), example.schema) };
    yield moveRecord(example.source.record as SquallRecord, layout, idOf(example), id);
  }
}

/**
 * Writes SQUALL's files back: `squall/data/squall.json`, and per table `squall/tables/json` and `squall/tables/db`, or
 * `squall/csv` where the input is WikiTableQuestions'. A variant's tokens name columns by their new numbers.
 */
export function writeSquall(set: OutputSet, folder: OutputFolder): void {
  for (const output of set.schemas) {
    const source = sourceOf(set, output);
    const write = source.source.kind === 'json' ? writeJsonTable : writeWtqTable;
    const layout = layoutOf(source, output);
    const hasAdded = layout.headers.some(({ from }) => from === null);
    const { id } = output.schema;
    write({ source, layout, id, file: hasAdded ? set.sqliteFile(id) : null }, folder);
  }
  folder.write('squall/data/squall.json', renderJsonArray(renderRecords(set)));
}
