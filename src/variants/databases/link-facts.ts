import type Sqlite from 'better-sqlite3';
import type { RowSource } from '../../formats/dataset.js';
import type { ColumnRows } from '../relations/schema/schema-draft.js';
import { readOwnDatabase } from './row-reader.js';

/** The facts in the rows about a foreign key, and about the joins that follow it. */
export interface LinkFacts {
  /** True if the referencing table has rows to tell by. */
  readonly hasRows: boolean;
  /** True if some row is linked to more than one. */
  readonly manyParents: boolean;
  /** True if some row has a value that no row of the referenced table has. */
  readonly dangling: boolean;
  /** True if some row is linked to nothing, as its value is NULL. */
  readonly nulls: boolean;
  /** True if linked values are equal but not the same, as 1 and '1' are. */
  readonly unlike: boolean;
  /** True if each value is in one row of the referencing table. */
  readonly distinct: boolean;
}

function readFacts(sqlite: Sqlite.Database, child: ColumnRows, parent: ColumnRows): LinkFacts {
  const [k, p] = [`SELECT ${child.sql} AS k FROM ${child.from}`, `SELECT ${parent.sql} AS p FROM ${parent.from}`];
  const ask = (condition: string): boolean => sqlite.prepare(`SELECT ${condition}`).pluck().get() === 1;
  const exists = (query: string): boolean => ask(`EXISTS (${query})`);
  const joined = `FROM (${k}) AS a JOIN (${p}) AS b ON a.k = b.p`;
  return {
    hasRows: exists(k),
    manyParents: ask(`(SELECT count(*) ${joined}) > (SELECT count(*) FROM (${k}) WHERE k IN (${p}))`),
    dangling: exists(`SELECT 1 FROM (${k}) WHERE k IS NOT NULL AND NOT EXISTS (SELECT 1 FROM (${p}) WHERE k = p)`),
    nulls: exists(`SELECT 1 FROM (${k}) WHERE k IS NULL`),
    unlike: exists(`SELECT 1 ${joined} WHERE typeof(k) <> typeof(p) OR k IS NOT p COLLATE BINARY`),
    distinct: ask(`(SELECT count(k) FROM (${k})) = (SELECT count(DISTINCT k) FROM (${k}))`),
  };
}

/** Reads what the rows of a data set's databases say of their links; each link once. */
export class LinkReader {
  readonly #dataset: RowSource;
  readonly #known = new Map<string, LinkFacts | null>();

  constructor(dataset: RowSource) {
    this.#dataset = dataset;
  }

  /**
   * Returns the facts in a database's rows about a link; null as `readOwnDatabase`.
   */
  factsOf(origin: string, child: ColumnRows, parent: ColumnRows): LinkFacts | null {
    const key = JSON.stringify([origin, child, parent]);
    let facts = this.#known.get(key);
    if (facts === undefined) {
      facts = readOwnDatabase(this.#dataset, origin, (sqlite) => readFacts(sqlite, child, parent));
      this.#known.set(key, facts);
    }
    return facts;
  }
}
