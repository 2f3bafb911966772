import { columnNameKey, spacedName } from '../schema/name-identity.js';
import type { NameWitness } from '../nli/acceptability/name-features.js';
import type { ColumnBank, TableCosines } from './column-bank.js';

/** Roles of a name in a column of the bank, as they are packed. */
const [IS_NAME, IS_REPLACEMENT, IS_ADDITION] = [0, 1, 2] as const;
type Role = typeof IS_NAME | typeof IS_REPLACEMENT | typeof IS_ADDITION;

/** An occurrence of a name packed into one number: two bits for its role, eight for its column, the rest its table. */
const ROLE_BITS = 2;
const COLUMN_BITS = 8;

const packed = (table: number, column: number, role: Role): number =>
  (table << (COLUMN_BITS + ROLE_BITS)) | (column << ROLE_BITS) | role;
const roleOf = (place: number): Role => (place & ((1 << ROLE_BITS) - 1)) as Role;
const columnOf = (place: number): number => (place >> ROLE_BITS) & ((1 << COLUMN_BITS) - 1);
const tableOf = (place: number): number => place >> (COLUMN_BITS + ROLE_BITS);

/** From this cosine on a table of the bank counts as near the target's. */
const NEAR = 0.5;
/** Stands where the bank has no such place: below every cosine of tables. */
const NOWHERE = -1;

/**
 * Tells what the bank knows of a name: in how similar tables it is a column, a replacement or an addition, and in which of
 * these it stands with the target column. Unlike the source `bank`, it tells so of names from every source.
 */
export class BankEvidence {
  readonly #places = new Map<string, number[]>();

  constructor(bank: Pick<ColumnBank, 'tables'>) {
    for (const [t, { columns }] of bank.tables.entries())
      for (const [c, { name, replacements, additions }] of columns.entries()) {
        this.#add(name, packed(t, c, IS_NAME));
        for (const other of replacements) this.#add(other, packed(t, c, IS_REPLACEMENT));
        for (const other of additions) this.#add(other, packed(t, c, IS_ADDITION));
      }
  }

  /** What the bank tells of names for the column `name` of a table with these cosines, -1 for tables to be left out. */
  ofColumn(name: string, domains: Pick<TableCosines, 'of'>): (candidate: string) => NameWitness {
    const own = this.#placesOf(name).filter((place) => roleOf(place) !== IS_ADDITION);
    const columns = new Map<number, number[]>();
    let nearestOwn = NOWHERE;
    let ownCount = 0;
    for (const place of own) {
      const table = tableOf(place);
      const domain = domains.of(table);
      if (domain <= NOWHERE) continue;
      nearestOwn = Math.max(nearestOwn, domain);
      ownCount++;
      const known = columns.get(table);
      if (known === undefined) columns.set(table, [columnOf(place)]);
      else known.push(columnOf(place));
    }
    return (candidate) => {
      const found = new Findings();
      for (const place of this.#placesOf(candidate)) {
        const table = tableOf(place);
        const domain = domains.of(table);
        if (domain > NOWHERE) found.add(place, domain, columns.get(table));
      }
      return { ...found.told(), ownCount: Math.log1p(ownCount), nearestOwn };
    };
  }

  #placesOf(name: string): readonly number[] {
    const forms = new Set([spacedName(name), columnNameKey(name)]);
    return [...forms].flatMap((form) => this.#places.get(form) ?? []);
  }

  #add(name: string, place: number): void {
    const known = this.#places.get(name);
    if (known === undefined) this.#places.set(name, [place]);
    else known.push(place);
  }
}

/** What was found of a name so far. */
class Findings {
  readonly #nearest = { name: NOWHERE, replacement: NOWHERE, addition: NOWHERE };
  readonly #together = { replaces: NOWHERE, added: NOWHERE, beside: NOWHERE, addedBeside: NOWHERE };
  #count = 0;
  #near = 0;
  #replaces = 0;
  #added = 0;

  /** Adds a place of the name; `own`: the columns of that table that say the target. */
  add(place: number, domain: number, own: readonly number[] | undefined): void {
    const role = roleOf(place);
    const at = role === IS_NAME ? 'name' : role === IS_REPLACEMENT ? 'replacement' : 'addition';
    this.#nearest[at] = Math.max(this.#nearest[at], domain);
    this.#count++;
    if (domain > NEAR) this.#near++;
    for (const column of own ?? []) this.#addPair(role === IS_ADDITION, columnOf(place) === column, domain);
  }

  told(): Omit<NameWitness, 'ownCount' | 'nearestOwn'> {
    return {
      nearestName: this.#nearest.name,
      nearestReplacement: this.#nearest.replacement,
      nearestAddition: this.#nearest.addition,
      count: Math.log1p(this.#count),
      nearCount: Math.log1p(this.#near),
      ...this.#together,
      replacesCount: Math.log1p(this.#replaces),
      addedCount: Math.log1p(this.#added),
    };
  }

  #addPair(isAddition: boolean, isSameColumn: boolean, domain: number): void {
    const pair = isSameColumn ? (isAddition ? 'added' : 'replaces') : isAddition ? 'addedBeside' : 'beside';
    this.#together[pair] = Math.max(this.#together[pair], domain);
    if (pair === 'added') this.#added++;
    if (pair === 'replaces') this.#replaces++;
  }
}
