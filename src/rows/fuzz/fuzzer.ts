import type Sqlite from 'better-sqlite3';
import { createRng, pick } from '../../seeded-rng.js';
import type { Rng } from '../../stage.js';
import { FuzzSchema, type FuzzSource } from './fuzz-schema.js';
import type { TableRows, WrittenTable } from './written-tables.js';
import type { FuzzTable } from './fuzz-table.js';
import { WitnessRows, withParents, type WitnessRow } from './witness-rows.js';
import { joinConstants, queryConstants, type ReadConstants } from './query-constants.js';
import { QueryWitnesses } from './query-witnesses.js';
import type { Background, RowPlan } from './random-rows.js';
import { ConstraintValues } from './value-constraints.js';

export type { FuzzSource } from './fuzz-schema.js';
export type { TableRows } from './written-tables.js';

/** Rows that a query is to find. */
export interface WitnessOrder {
  readonly sql: string;
  /** Which branch of OR, which item of IN. */
  readonly turn: number;
  /** Copies in each batch. */
  readonly batches: readonly number[];
  /** True if tables of which nothing is asked get rows: without, a subquery sees no others than the query around it. */
  readonly hasBare: boolean;
  /** True if the copies of a batch show the same result. */
  readonly repeats: boolean;
}

/** Queries, at most, that a random database has rows for. */
const MOST_ORDERS = 4;
/** The same where a query joins more tables than this: each copy makes their product larger. */
const DEEP = 4;
const MOST_DEEP = 2;
/** Branches of OR and items of IN lists are taken in turn. */
const TURNS = 4;
/** One in so many orders asks for results that repeat. */
const REPEATING = 4;
/** One in so many databases takes the constants of all queries. */
const UNFOCUSED = 4;
/** Groups of queries whose constants the others take. */
const FOCUS = [1, 1, 2, 3, 5];

/** Random databases of one schema, for certain queries: Test-suite accuracy §4.1. */
export class Fuzzer {
  /** The file's tables with the columns that can be written, in the order of creation. */
  readonly tables: readonly WrittenTable[];
  /** Queries that could not be read, whose constants are missing. */
  readonly unread: number;
  readonly #schema: FuzzSchema;
  readonly #queries: readonly string[];
  readonly #constants: ReadConstants;
  readonly #witnesses: QueryWitnesses;
  /** With the constants of all queries. */
  readonly #all: readonly FuzzTable[];

  constructor(schema: FuzzSchema, queries: readonly string[]) {
    this.#schema = schema;
    this.#queries = queries;
    this.#witnesses = new QueryWitnesses(schema.database);
    this.#constants = queryConstants(queries, schema.database, (sql, query) => this.#witnesses.keep(sql, query));
    this.#all = schema.fuzzTables.of(this.#constants.all);
    this.unread = this.#constants.unread;
    this.tables = schema.tables;
  }

  /** The rows of a random database; the same seed gives the same. */
  database(seed: number): TableRows {
    const rng = createRng(seed, `fuzz:${this.#schema.database.id}`);
    const focus = this.#focus(rng);
    const witnessRows = this.#witnessRows(this.#orders(rng), focus.tables, rng);
    return this.#schema.draw({ ...focus, witnessRows, background: 'usual' }, rng);
  }

  /**
   * The rows of a database in which queries find rows made for them, as far as keys allow: a copy of what a query asks
   * for next to the other, in batches that share what it groups by.
   */
  withWitnesses(seed: number, orders: readonly WitnessOrder[], background: Background): TableRows {
    const rng = createRng(seed, `plant:${this.#schema.database.id}`);
    const focus = this.#focus(rng);
    return this.#schema.draw({ ...focus, witnessRows: this.#witnessRows(orders, focus.tables, rng), background }, rng);
  }

  /** As `FuzzSchema.materialize`. */
  materialize(rows: TableRows): Sqlite.Database {
    return this.#schema.materialize(rows);
  }

  /** As `FuzzSchema.load`. */
  load(sqlite: Sqlite.Database, rows: TableRows): void {
    this.#schema.load(sqlite, rows);
  }

  /** As `FuzzSchema.keeps`. */
  keeps(rows: TableRows): boolean {
    return this.#schema.keeps(rows);
  }

  /** Releases what the schema tries rows on. */
  close(): void {
    this.#schema.close();
  }

  /** Most databases take their constants from a few queries alone: those of all would hardly meet in one row. */
  #focus(rng: Rng): Pick<RowPlan, 'tables' | 'sizes' | 'joined'> {
    const { all, groups } = this.#constants;
    if (groups.length < 2 || rng.int(UNFOCUSED) === 0) return { tables: this.#all, ...all };
    const chosen = joinConstants(Array.from({ length: pick(FOCUS, rng) }, () => pick(groups, rng)));
    return {
      tables: this.#schema.fuzzTables.of(chosen),
      sizes: chosen.sizes.length > 0 ? chosen.sizes : all.sizes,
      joined: all.joined,
    };
  }

  /** Draws the witnesses that a random database has for some of the queries. */
  #orders(rng: Rng): readonly WitnessOrder[] {
    if (this.#queries.length === 0) return [];
    const most = this.#constants.all.joined > DEEP ? MOST_DEEP : MOST_ORDERS;
    return Array.from({ length: rng.int(most + 1) }, () => ({
      sql: pick(this.#queries, rng),
      turn: rng.int(TURNS),
      hasBare: rng.int(2) === 0,
      repeats: rng.int(REPEATING) === 0,
      batches: Array.from({ length: 1 + rng.int(most - 1) }, () => 1 + rng.int(most - 1)),
    }));
  }

  #witnessRows(orders: readonly WitnessOrder[], tables: readonly FuzzTable[], rng: Rng): readonly WitnessRow[] {
    const made = new WitnessRows(tables, new ConstraintValues(rng), rng);
    for (const { sql, turn, batches, ...order } of orders) {
      const witness = this.#witnesses.of(sql, turn);
      const places = witness === null ? [] : witness.rows.map((table) => this.#schema.fuzzTables.placeOf(table));
      if (witness !== null) for (const copies of batches) made.add(witness, places, { copies, ...order });
    }
    return withParents(tables, made.rows);
  }
}

/**
 * A source of random databases for a schema: values of their columns' types, references that hold, unique keys; mixed
 * in per column, constants that the queries (gold and neighbors) compare it with and values close to them; tables near
 * the sizes that LIMIT and HAVING ask for, others small to large, with duplicates and nulls where the schema allows
 * them. Numbers keep below 2^31 but for constants: the paper's 2^63 makes sums fail. Test-suite accuracy §4.1.
 * @throws InputFormatError when the file is not a readable SQLite database
 */
export function createFuzzer(source: FuzzSource, queries: readonly string[]): Fuzzer {
  return new Fuzzer(new FuzzSchema(source), queries);
}
