import { itemAt } from '../../present.js';
import { guardFormula, renderCsvRecord } from '../csv-text.js';
import { readStoredColumns } from '../stored-columns.js';
import { moveName, type SquallHeader, type SquallLayout } from './squall-layout.js';
import { isListField, WTQ_CSV, type SquallCell, type SquallField, type SquallTableRecord } from './squall-table.js';

const toCell = (cell: unknown): SquallCell =>
  typeof cell === 'bigint' ? Number(cell) : typeof cell === 'string' || typeof cell === 'number' ? cell : null;

/** Cells of the added columns by identifier, from the variant's database; none where there is no such file. */
export function readAddedCells(layout: SquallLayout, file: string | null): ReadonlyMap<string, readonly SquallCell[]> {
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
export function moveTable(
  record: SquallTableRecord,
  layout: SquallLayout,
  added: ReadonlyMap<string, readonly SquallCell[]>,
): SquallTableRecord {
  const { headers, types, contents } = record;
  const rows = itemAt(itemAt(contents, 0), 0).data.map(() => null);
  const groups = layout.headers.map((header, i) => {
    const { from, renamed, column } = header;
    if (from === null) {
      const fields = addedFields(i + 1, header, added.get(column.originalName) ?? rows);
      return { header: column.name, type: column.type === 'number' ? 'number' : 'text', fields };
    }
    const fields = itemAt(contents, from + 1).map((field) => ({ ...field, col: moveName(layout, field.col) }));
    return { header: renamed ?? itemAt(headers, from + 1), type: itemAt(types, from + 1), fields };
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
export function* renderWtqTable(
  rows: readonly (readonly string[])[],
  layout: SquallLayout,
  added: ReadonlyMap<string, readonly SquallCell[]>,
): Generator<string> {
  const [header = [], ...body] = rows;
  const names = layout.headers.map(({ from, renamed, column }) =>
    from === null ? column.name : (renamed ?? itemAt(header, from - 1)),
  );
  yield renderCsvRecord(names, WTQ_CSV);
  for (const [r, row] of body.entries()) {
    const cells = layout.headers.map(({ from, column }) =>
      from === null ? guardFormula(String(added.get(column.originalName)?.[r] ?? '')) : itemAt(row, from - 1),
    );
    yield renderCsvRecord(cells, WTQ_CSV);
  }
}
