import { columnNameKey, spacedName } from '../schema/name-identity.js';
import type { NameWitness } from '../nli/acceptability/name-features.js';
import type { ColumnBank, TableCosines } from './column-bank.js';
import { columnOf, type NamePlaces, roleOf, tableOf } from './bank-lists.js';

/** From this cosine on a table of the bank counts as near the target's. */
const NEAR = 0.5;
/** Stands where the bank has no such place: below every cosine of tables. */
const NOWHERE = -1;

/**
 * Tells what the bank knows of a name: in how similar tables it is a column, a replacement or an addition, and in which of
 * these it stands with the target column. Unlike the source `bank`, it tells so of names from every source.
 */
export class BankEvidence {
  readonly #places: NamePlaces;

  constructor({ places }: Pick<ColumnBank, 'places'>) {
    this.#places = places;
  }

  /** What the bank tells of names for the column `name` of a table with these cosines, -1 for tables to be left out. */
  ofColumn(name: string, domains: Pick<TableCosines, 'of'>): (candidate: string) => NameWitness {
    const own = this.#placesOf(name).filter((place) => roleOf(place) !== 'addition');
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
    return [...forms].flatMap((form) => this.#places.of(form));
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
    this.#nearest[role] = Math.max(this.#nearest[role], domain);
    this.#count++;
    if (domain > NEAR) this.#near++;
    for (const column of own ?? []) this.#addPair(role === 'addition', columnOf(place) === column, domain);
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
