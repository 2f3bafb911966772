import { SqlRewriteError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import { witnessOf } from '../fill/witness.js';
import type { Witness } from '../fill/wishes.js';

/** Witnesses that are kept, at some kB each. */
const MOST_KEPT = 5_000;
/** Branches of OR and items of IN lists that a query's witnesses take turns in. */
const TURNS = 4;

/** Rows that make queries find something, by query and turn. */
export class QueryWitnesses {
  readonly #database: Database;
  readonly #kept = new Map<string, Witness | null>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** A witness of a query; null where it can't be read, or reads no table. */
  of(sql: string, turn: number): Witness | null {
    const key = `${turn % TURNS} ${sql}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const witness = this.#read(sql, turn % TURNS);
    this.#kept.set(key, witness);
    return witness;
  }

  #read(sql: string, turn: number): Witness | null {
    try {
      const witness = witnessOf(bindQuery(sql, this.#database), turn);
      return witness.rows.length === 0 ? null : witness;
    } catch (error) {
      if (error instanceof SqlRewriteError) return null;
      throw error;
    }
  }
}
