import type { ListedTable } from './bank-lists.js';

/** What a name is to a column of the bank: its name, a replacement of it, or an addition next to it. */
export type NameRole = 'name' | 'replacement' | 'addition';

const ROLES: readonly NameRole[] = ['name', 'replacement', 'addition'];

/** A place of a name packed into one number: two bits for its role, eight for its column, the rest its table. */
const ROLE_BITS = 2;
const COLUMN_BITS = 8;

export const roleOf = (place: number): NameRole => ROLES[place & ((1 << ROLE_BITS) - 1)]!;
export const columnOf = (place: number): number => (place >> ROLE_BITS) & ((1 << COLUMN_BITS) - 1);
export const tableOf = (place: number): number => place >> (COLUMN_BITS + ROLE_BITS);

/** Where the bank has each name, as packed places in the order of its tables. */
export class NamePlaces {
  /** Most names have one place, which needs no list. */
  readonly #places = new Map<string, number | number[]>();

  constructor(tables: readonly ListedTable[]) {
    for (const [t, { columns }] of tables.entries())
      for (const [c, { name, replacements, additions }] of columns.entries()) {
        const column = (t << (COLUMN_BITS + ROLE_BITS)) | (c << ROLE_BITS);
        this.#add(name, column);
        for (const other of replacements) this.#add(other, column | ROLES.indexOf('replacement'));
        for (const other of additions) this.#add(other, column | ROLES.indexOf('addition'));
      }
  }

  of(name: string): readonly number[] {
    const places = this.#places.get(name);
    if (places === undefined) return [];
    return typeof places === 'number' ? [places] : places;
  }

  #add(name: string, place: number): void {
    const known = this.#places.get(name);
    if (known === undefined) this.#places.set(name, place);
    else if (typeof known === 'number') this.#places.set(name, [known, place]);
    else known.push(place);
  }
}
