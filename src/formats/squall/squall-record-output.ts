import { moveEntries, type OutputSchema, type OwnFields, traceTables } from '../output-set.js';
import { splitSquallName, type SquallColumn, type SquallRecord, type SquallToken } from './squall-files.js';
import { itemAt, mustGet, zip } from '../../present.js';
import { type Column, columnAt } from '../../schema/schema.js';
import type { SquallSource } from './squall-dataset.js';

/** A header of a table that is written. */
export interface SquallHeader {
  /** Number of the header in the original, from 1; null = added. */
  readonly from: number | null;
  /** The new natural name; null = the header stays. */
  readonly renamed: string | null;
  readonly column: Column;
}

/** The headers of a schema that is written, in their new order, and where each old one went. */
export interface SquallLayout {
  readonly headers: readonly SquallHeader[];
  /** Position of each in the original; null = added. */
  readonly positions: readonly (number | null)[];
  /** New number of each old one. */
  readonly moved: ReadonlyMap<number, number>;
}

/** SQUALL's names of the original's columns in `w`, by position. */
function namesByPosition({ places }: SquallSource): ReadonlyMap<number, string> {
  return new Map([...places].flatMap(([name, { ref }]) => (ref.table === 0 ? [[ref.column, name] as const] : [])));
}

/** Headers without a column in `w`, their own cells being lists, stay where they were. */
function withListHeaders(headers: readonly SquallHeader[], source: SquallSource): readonly SquallHeader[] {
  const all = [...headers];
  for (let number = 1; number <= source.headers; number++) {
    const place = source.places.get(`c${number}`);
    if (place === undefined || place.listTable === null) continue;
    const before = all.findIndex(({ from }) => from !== null && from > number);
    const column = columnAt(source.database, place.ref);
    all.splice(before < 0 ? all.length : before, 0, { from: number, renamed: null, column });
  }
  return all;
}

/** How a written schema's columns are numbered in SQUALL's manner. */
export function layoutOf(source: SquallSource, output: OutputSchema): SquallLayout {
  const names = namesByPosition(source);
  const { columns } = itemAt(traceTables(output, source.database), 0);
  const plain = columns.flatMap(({ column, from, position }): SquallHeader[] => {
    if (from === null || position === null) return [{ from: null, renamed: null, column }];
    const split = splitSquallName(mustGet(names.get(position), 'the name of a column'));
    if (split === null || split.suffix !== '') return [];
    return [{ from: split.number, renamed: column.name === from.name ? null : column.name, column }];
  });
  const headers = withListHeaders(plain, source);
  const moved = new Map(headers.flatMap(({ from }, i) => (from === null ? [] : [[from, i + 1] as const])));
  return { headers, positions: headers.map(({ from }) => (from === null ? null : from - 1)), moved };
}

/** SQUALL's name of a column in the new numbering: "c3_number" → "c4_number"; `id` and `agg` stay. */
export function moveName({ moved }: SquallLayout, name: string): string {
  const split = splitSquallName(name);
  if (split === null) return name;
  const number = moved.get(split.number);
  return number === undefined ? name : `c${number}${split.suffix}`;
}

/** Checks whether nothing differs from the original. */
export function isUnchanged({ headers }: SquallLayout): boolean {
  return headers.every(({ from, renamed }, i) => from === i + 1 && renamed === null);
}

/** Words and signs of a header, as SQUALL has them. */
function tokenize(header: string): string[] {
  return header.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
}

/** Returns the record of an added column; numbers also have SQUALL's column of their values. */
function addedColumn(name: string, isNumber: boolean): SquallColumn {
  return [name, tokenize(name), isNumber ? ['number'] : [], isNumber ? 'number' : 'text', ''];
}

function moveColumns(columns: readonly SquallColumn[], { headers, positions }: SquallLayout): SquallColumn[] {
  return zip(headers, moveEntries(columns, positions)).map(([{ renamed, column }, own]): SquallColumn => {
    if (own === undefined) return addedColumn(column.name, column.type === 'number');
    const [header, tokens, ...rest] = own;
    return renamed === null ? [header, tokens, ...rest] : [renamed, tokenize(renamed), ...rest];
  });
}

/** Checks whether the question says a word of the header, for headers that the original does not know. */
function moveMentions(
  mentions: readonly boolean[],
  columns: readonly SquallColumn[],
  nl: readonly string[],
  layout: SquallLayout,
): boolean[] {
  const words = new Set(nl.map((word) => word.toLowerCase()));
  return zip(layout.headers, columns).map(([{ from, renamed }, [, tokens]]) =>
    from !== null && renamed === null ? (mentions[from - 1] ?? false) : tokens.some((word) => words.has(word)),
  );
}

/** Checks whether a word of the question is one of a header's; the original's answer where its headers still decide. */
function moveWords(
  words: readonly boolean[],
  before: readonly SquallColumn[],
  after: readonly SquallColumn[],
  nl: readonly string[],
): boolean[] {
  const wordsIn = (columns: readonly SquallColumn[]): Set<string> => new Set(columns.flatMap(([, tokens]) => tokens));
  const [old, now] = [wordsIn(before), wordsIn(after)];
  return words.map((isIn, i) => {
    const word = nl[i]?.toLowerCase() ?? '';
    return old.has(word) === now.has(word) ? isIn : now.has(word);
  });
}

function moveAlignment(entry: readonly unknown[], layout: SquallLayout): readonly unknown[] {
  const [type, name, ...rest] = entry;
  return type === 'Column' && typeof name === 'string' ? [type, moveName(layout, name), ...rest] : entry;
}

function moveToken([type, text, span]: SquallToken, layout: SquallLayout): SquallToken {
  return [type, type === 'Column' ? moveName(layout, text) : text, span];
}

/**
 * A question's record on a changed table: SQL tokens and alignments follow the columns' numbers, renamed and added
 * headers are in `columns`, and what says which words are headers is brought up to date. Question, answer, `align`
 * and unknown fields stay.
 */
export function moveRecord(record: SquallRecord, layout: SquallLayout, nt: string, tbl: string): SquallRecord {
  if (isUnchanged(layout)) return { ...record, nt, tbl };
  const columns = moveColumns(record.columns, layout);
  const { nl, columns_innl: mentions, nl_incolumns: words, nl_ralign: alignment } = record;
  return {
    ...record,
    nt,
    tbl,
    columns,
    ...(record.sql === undefined ? {} : { sql: record.sql.map((token) => moveToken(token, layout)) }),
    ...(mentions === undefined ? {} : { columns_innl: moveMentions(mentions, columns, nl, layout) }),
    ...(words === undefined ? {} : { nl_incolumns: moveWords(words, record.columns, columns, nl) }),
    ...(alignment === undefined ? {} : { nl_ralign: alignment.map((entry) => [...moveAlignment(entry, layout)]) }),
  };
}

/** Fields that repeat Spider's, or are of no use without the tokens and columns of SQUALL. */
const QUESTION_FIELDS = new Set([
  'nt',
  'tbl',
  'columns',
  'nl',
  'sql',
  'columns_innl',
  'nl_incolumns',
  'nl_ralign',
  'align',
]);

/** The fields of a question beyond those that follow its tokens and columns. */
export const squallFields: OwnFields = ({ source }) => {
  return Object.fromEntries(
    Object.entries(source.record as SquallRecord).filter(([field]) => !QUESTION_FIELDS.has(field)),
  );
};
