import type Sqlite from 'better-sqlite3';
import { isSqliteError } from '../../sql/execution/open-connection.js';
import type { Dataset } from '../../formats/dataset.js';
import { readUntouched } from '../../sql/execution/open-untouched.js';

/** What the rows say of a foreign key, and of the joins that follow it. */
export interface LinkFacts {
  /** Whether the referencing table has rows to tell by. */
  readonly hasRows: boolean;
  /** Whether some row is linked to more than one. */
  readonly manyParents: boolean;
  /** Whether some row has a value that no row of the referenced table has. */
  readonly dangling: boolean;
  /** Whether some row is linked to nothing, as its value is NULL. */
  readonly nulls: boolean;
  /** Whether linked values are equal but not the same, as 1 and '1' are. */
  readonly unlike: boolean;
  /** Whether each value is in one row of the referencing table. */
  readonly distinct: boolean;
}

/** One end of a link: a source of rows, and its column as SQL. */
export interface LinkEnd {
  readonly from: string;
  readonly column: string;
}

function readFacts(sqlite: Sqlite.Database, child: LinkEnd, parent: LinkEnd): LinkFacts {
  const [k, p] = [`SELECT ${child.column} AS k FROM ${child.from}`, `SELECT ${parent.column} AS p FROM ${parent.from}`];
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
  readonly #dataset: Dataset;
  readonly #known = new Map<string, LinkFacts | null>();

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /**
   * What the rows of a database say of a link; null where there are none to be read: no SQLite file in the input, or one
   * that lacks a table or column of its schema.
   */
  factsOf(origin: string, child: LinkEnd, parent: LinkEnd): LinkFacts | null {
    const key = JSON.stringify([origin, child, parent]);
    let facts = this.#known.get(key);
    if (facts === undefined) this.#known.set(key, (facts = this.#read(origin, child, parent)));
    return facts;
  }

  #read(origin: string, child: LinkEnd, parent: LinkEnd): LinkFacts | null {
    // Only the input's own files: others would have to be written first.
    if ((this.#dataset.sqliteBytes?.(origin) ?? null) === null) return null;
    const file = this.#dataset.sqliteFile(origin, '');
    if (file === null) return null;
    try {
      return readUntouched(file, (sqlite) => readFacts(sqlite, child, parent));
    } catch (error) {
      if (isSqliteError(error)) return null;
      throw error;
    }
  }
}
