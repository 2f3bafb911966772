import { type Column, columnAt } from '../../schema/schema.js';
import { type OutputSchema, traceTables } from '../output-set.js';
import { splitSquallName } from './squall-record.js';
import type { SquallSource } from './squall-dataset.js';
import { itemAt, mustGet } from '../../present.js';

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
