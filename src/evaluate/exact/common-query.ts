import { type QueryReading, readQuery } from './query-reading.js';
import { getOrMake, itemAt } from '../../present.js';
import type { Database, Table } from '../../schema/schema.js';
import { foldName, SQLITE } from '../../sql/dialect.js';

/** Gives each distinct name its number, from 1: 0 is `*`. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    return getOrMake(this.#numbers, name, () => this.#numbers.size + 1);
  }
}

const nameOf = ({ originalName }: { readonly originalName: string }): string => foldName(originalName);

/** The names that a table's columns count as: its own, or of one that stands in another's place, the other's. */
function columnNames(table: Table, seed: Table | undefined): readonly string[] {
  const own = table.columns.map(nameOf);
  const before = seed?.columns.map(nameOf) ?? [];
  if (before.length !== own.length) return own;
  return own.map((name, c) => (before.includes(name) || own.includes(itemAt(before, c)) ? name : itemAt(before, c)));
}

/**
 * Reads queries on a seed's schema and on a mutated one so that they can be compared: tables and columns are numbered by
 * name, wherever they are. A column that only is under another name in a table of as many columns is the same.
 */
export class CommonQueries {
  readonly #seed: Database;
  readonly #tables = new Numbers();
  readonly #columns = new Numbers();

  constructor(seed: Database) {
    this.#seed = seed;
  }

  /** Reads a query in common numbers, or returns the reason it can't be read. */
  read(sql: string, schema: Database): QueryReading {
    return readQuery(sql, schema, SQLITE, {
      tables: schema.tables.map((table) => this.#tables.of(nameOf(table))),
      columns: schema.tables.map((table) => {
        const seed = this.#seed.tables.find((one) => nameOf(one) === nameOf(table));
        return columnNames(table, seed).map((name) => this.#columns.of(JSON.stringify([nameOf(table), name])));
      }),
    });
  }
}
