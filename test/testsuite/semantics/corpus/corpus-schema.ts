/** A gold query with queries that people or models might write for it. */
interface CorpusGold {
  readonly gold: string;
  /** By what is wrong with each: they mean something else, but give the gold's result on the schema's own rows. */
  readonly wrong: Readonly<Record<string, string>>;
  /** They mean the same on every database of the schema. */
  readonly same: readonly string[];
}

/** A schema with its rows. */
export interface CorpusSchema {
  readonly id: string;
  /** Tables and rows, as a script. */
  readonly sql: string;
  /** Wrong queries that only data show which the schema's own rows rule out: a NULL, or nothing sold, where none is. */
  readonly impossible: readonly string[];
  readonly golds: readonly CorpusGold[];
}
