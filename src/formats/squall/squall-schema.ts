import { naturalHeaders } from '../../schema/natural-name.js';
import { styledIdentifier } from '../../schema/naming-style.js';
import type { Column, ColumnRef, ColumnType, Database, Table } from '../../schema/schema.js';
import { sampleCells } from '../sample-values.js';
import type { SqliteCell, SqliteTable } from '../sqlite-tables.js';
import {
  isListField,
  splitSquallName,
  type SquallCell,
  type SquallField,
  type SquallTableRecord,
} from './squall-files.js';
import { zip } from '../../present.js';

/** A column of our schema and what SQUALL calls it. */
export interface SquallPlace {
  readonly ref: ColumnRef;
  readonly identifier: string;
  /** Name of the table that SQUALL's evaluator joins for a list column; null for one of `w`. */
  readonly listTable: string | null;
}

/** A table of SQUALL as a database: `w` and one table per list column, columns named by their headers. */
export interface SquallSchema {
  readonly database: Database;
  /** By SQUALL's name of the column: "c3_number". */
  readonly places: ReadonlyMap<string, SquallPlace>;
  /** Up to three distinct cells per table and column, as texts. */
  readonly samples: readonly (readonly (readonly string[])[])[];
}

interface NamedField {
  readonly field: SquallField;
  readonly column: Column;
}

/** Names that SQUALL's own columns have. */
const MACHINERY = ['id', 'agg', 'm_id'];

const suffixOf = (field: SquallField): string => splitSquallName(field.col)?.suffix ?? '';

/** Identifiers of the headers such that neither they nor those derived from them are any other's. */
function nameHeaders(naturals: readonly string[], groups: readonly (readonly SquallField[])[]): readonly string[] {
  const stems = naturals.map((name, i) => styledIdentifier(name, 'snake_case') || `column_${i + 1}`);
  const used = new Set(MACHINERY);
  return zip(stems, groups).map(([stem, group]) => {
    const suffixes = group.map(suffixOf);
    const isFree = (name: string): boolean =>
      suffixes.every((suffix) => !used.has(`${name}${suffix}`)) && (name === stem || !stems.includes(name));
    let name = stem;
    for (let n = 2; !isFree(name); n++) name = `${stem}_${n}`;
    for (const suffix of ['', ...suffixes]) used.add(`${name}${suffix}`);
    return name;
  });
}

/** Spider's type of SQUALL's word for a column's type: "number(text)", "<c,date>", "rank". */
function typeOfHeader(word: string): ColumnType {
  if (/date|time|year/u.test(word)) return 'time';
  return /number|rank|score|ordinal|unitnum|percent|money|currency/u.test(word) ? 'number' : 'text';
}

const typeOfField = ({ type, col }: SquallField): ColumnType =>
  /INTEGER|REAL/u.test(type) ? 'number' : /_date$/u.test(col) ? 'time' : 'text';

/** The columns made from one header: the cells as texts, and what SQUALL derived from them. */
function nameFields(fields: readonly SquallField[], identifier: string, natural: string, type: string): NamedField[] {
  const key = fields[0]?.col ?? '';
  return fields.map((field) => {
    const suffix = suffixOf(field);
    const words = suffix.replace(/_+/gu, ' ').trim();
    const column: Column = {
      name: `${natural} ${words}`.trim(),
      originalName: `${identifier}${suffix}`,
      type: suffix === '' ? typeOfHeader(type) : typeOfField(field),
      family: { key, suffix },
    };
    // A header whose own cells are lists has no column in `w` that could be perturbed.
    return { field, column: suffix === '' && isListField(field) ? { ...column, fixed: true } : column };
  });
}

function nameTable({ headers, types, contents }: SquallTableRecord): readonly NamedField[] {
  const [id = [], agg = [], ...groups] = contents;
  const naturals = naturalHeaders(headers.slice(2)).map((name, i) => (name === '' ? `column ${i + 1}` : name));
  const identifiers = nameHeaders(naturals, groups);
  const machinery = [...id, ...agg].map((field): NamedField => ({
    field,
    column: { name: field.col, originalName: field.col, type: 'number', fixed: true },
  }));
  return [
    ...machinery,
    ...zip(zip(groups, types.slice(2)), zip(identifiers, naturals)).flatMap(([[fields, type], [identifier, natural]]) =>
      nameFields(fields, identifier, natural, type),
    ),
  ];
}

const rowNumber = (originalName: string): Column => ({ name: 'row', originalName, type: 'number', fixed: true });

/** The evaluator's name for the table of a list column. */
const listTableName = (field: SquallField): string => `t_${field.col}`;

function partition(record: SquallTableRecord): {
  readonly plain: readonly NamedField[];
  readonly lists: readonly NamedField[];
} {
  const named = nameTable(record);
  return {
    plain: named.filter((one) => !isListField(one.field)),
    lists: named.filter((one) => isListField(one.field)),
  };
}

/** The schema of a table: ids of rows are keys, list columns point at them. */
export function toSquallSchema(tbl: string, record: SquallTableRecord): SquallSchema {
  const { plain, lists } = partition(record);
  const places = new Map<string, SquallPlace>();
  plain.forEach(({ field, column }, c) => {
    places.set(field.col, { ref: { table: 0, column: c }, identifier: column.originalName, listTable: null });
  });
  lists.forEach(({ field, column }, t) => {
    const listTable = listTableName(field);
    places.set(field.col, { ref: { table: t + 1, column: 1 }, identifier: column.originalName, listTable });
  });
  const listTables = lists.map(({ field, column }): Table => {
    const name = listTableName(field);
    return { name: name.replaceAll('_', ' '), originalName: name, columns: [rowNumber('m_id'), column] };
  });
  const database: Database = {
    id: tbl,
    tables: [{ name: 'table', originalName: 'w', columns: plain.map(({ column }) => column) }, ...listTables],
    primaryKeys: [{ table: 0, column: 0 }],
    foreignKeys: lists.map((_, t) => ({ from: { table: t + 1, column: 0 }, to: { table: 0, column: 0 } })),
  };
  const samples = [
    plain.map(({ field }) => sampleCells(field.data)),
    ...lists.map(({ field }) => [[], sampleCells(field.data)]),
  ];
  return { database, places, samples };
}

const declarationOf = ({ type }: SquallField): string => /INTEGER|REAL/u.exec(type)?.[0] ?? 'TEXT';

function toCell(cell: SquallCell, declaration: string): SqliteCell {
  if (cell === null) return null;
  if (declaration === 'TEXT' || typeof cell === 'string') return String(cell);
  const number = Number(cell);
  return declaration === 'INTEGER' && Number.isSafeInteger(number) ? BigInt(number) : number;
}

function* plainRows(fields: readonly SquallField[]): Generator<readonly SqliteCell[]> {
  const count = fields[0]?.data.length ?? 0;
  const declarations = fields.map(declarationOf);
  for (let row = 0; row < count; row++) {
    yield zip(fields, declarations).map(([{ data }, declaration]) => toCell(data[row] as SquallCell, declaration));
  }
}

function* listRows(field: SquallField): Generator<readonly SqliteCell[]> {
  const declaration = declarationOf(field);
  for (const [row, cells] of field.data.entries()) {
    // A row without items is written as null.
    for (const cell of [cells ?? []].flat()) yield [BigInt(row + 1), toCell(cell, declaration)];
  }
}

/** The tables for SQLite under given identifiers; `nameOf` maps SQUALL's name of a column. */
export function toSqliteTables(
  record: SquallTableRecord,
  nameOf: (field: SquallField) => string,
): readonly SqliteTable[] {
  const fields = record.contents.flat();
  const plain = fields.filter((field) => !isListField(field));
  const main: SqliteTable = {
    name: 'w',
    columns: plain.map((field) => ({ name: nameOf(field), declaration: declarationOf(field) })),
    rows: plainRows(plain),
  };
  const lists = fields.filter(isListField).map((field): SqliteTable => ({
    name: listTableName(field),
    columns: [
      { name: 'm_id', declaration: 'INTEGER' },
      { name: nameOf(field), declaration: declarationOf(field) },
    ],
    rows: listRows(field),
  }));
  return [main, ...lists];
}
