import { itemAt, mustGet } from '../../present.js';
import type { Column } from '../../schema/schema.js';
import type { OutputSchema } from '../output-set.js';
import { splitSquallName } from './squall-record.js';
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
    const column = itemAt(itemAt(source.database.tables, place.ref.table).columns, place.ref.column);
    all.splice(before < 0 ? all.length : before, 0, { from: number, renamed: null, column });
  }
  return all;
}

/** How a written schema's columns are numbered in SQUALL's manner. */
export function layoutOf(source: SquallSource, { schema, columns }: OutputSchema): SquallLayout {
  const names = namesByPosition(source);
  const original = itemAt(source.database.tables, 0).columns;
  const plain = itemAt(schema.tables, 0).columns.flatMap((column, c): SquallHeader[] => {
    const from = itemAt(itemAt(columns, 0), c);
    if (from === null) return [{ from: null, renamed: null, column }];
    const split = splitSquallName(mustGet(names.get(from), 'names.get(from)'));
    if (split === null || split.suffix !== '') return [];
    return [{ from: split.number, renamed: column.name === itemAt(original, from).name ? null : column.name, column }];
  });
  const headers = withListHeaders(plain, source);
  const moved = new Map(headers.flatMap(({ from }, i) => (from === null ? [] : [[from, i + 1] as const])));
  return { headers, moved };
}

/** SQUALL's name of a column in the new numbering: "c3_number" → "c4_number"; `id` and `agg` stay. */
export function moveName({ moved }: SquallLayout, name: string): string {
  const split = splitSquallName(name);
  const number = split === null ? undefined : moved.get(split.number);
  return number === undefined ? name : `c${number}${mustGet(split, 'split').suffix}`;
}

/** Checks whether nothing differs from the original. */
export function isUnchanged({ headers }: SquallLayout): boolean {
  return headers.every(({ from, renamed }, i) => from === i + 1 && renamed === null);
}
