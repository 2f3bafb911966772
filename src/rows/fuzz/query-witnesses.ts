import { whereReadable } from '../../sql/sql-fault.js';
import type { Database } from '../../schema/schema.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundQuery } from '../../sql/bound-query.js';
import { witnessOf } from './witness.js';
import type { Witness } from './value-constraints.js';

/** Witnesses that are kept, at some kB each; further ones are read again each time. */
const MOST_KEPT = 10_000;
/** Branches of OR and items of IN lists that a query's witnesses take turns in. */
const TURNS = 4;
/** Without any of these all turns give the same: a NOT makes an OR of an AND. */
const TAKES_TURNS = /\b(?:OR|IN|NOT)\b/iu;

function turnsOf(sql: string): number {
  return TAKES_TURNS.test(sql) ? TURNS : 1;
}

/** Rows that make queries find something, by query and turn. */
export class QueryWitnesses {
  readonly #database: Database;
  readonly #kept = new Map<string, Witness | null>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Keeps the witnesses of a query that is bound already: to parse its text again takes longer. */
  keep(sql: string, query: BoundQuery): void {
    for (let turn = 0; turn < turnsOf(sql); turn++) this.#keep(`${turn} ${sql}`, witnessOf(query, turn));
  }

  /** A witness of a query; null where it can't be read, or reads no table. */
  of(sql: string, turn: number): Witness | null {
    const own = turn % turnsOf(sql);
    const key = `${own} ${sql}`;
    const known = this.#kept.get(key);
    return known === undefined ? this.#keep(key, this.#read(sql, own)) : known;
  }

  #keep(key: string, witness: Witness | null): Witness | null {
    if (this.#kept.size < MOST_KEPT) this.#kept.set(key, witness);
    return witness;
  }

  #read(sql: string, turn: number): Witness | null {
    return whereReadable(() => witnessOf(bindQuery(sql, this.#database), turn), null);
  }
}
