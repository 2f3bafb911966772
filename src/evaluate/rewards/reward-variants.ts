import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputFormatError } from '../../errors.js';
import { sqlitePath } from '../../formats/sample-values.js';
import { loadSpiderTables } from '../../formats/spider-tables.js';
import { openPublishableRun } from '../../publish/run-rows.js';
import { createTablesOf } from '../../publish/schema-text.js';
import type { Database } from '../../schema/schema.js';
import { createRng, pick } from '../../seeded-rng.js';

/** A question on another world of its schema. */
export interface Variant {
  /** The id that predictions for it are sent with. */
  readonly id: string;
  readonly db_id: string;
  /** The kind of change: `RPL`, `CRn+TRm`. */
  readonly kind: string;
  readonly question: string;
  /** The gold on that schema. */
  readonly query: string;
  /** The tables as CREATE TABLE statements. */
  readonly schema: string;
}

type KeptRow = Omit<Variant, 'schema'>;

/**
 * The variants of a run of `augment`, `compose` or `mutate` that have a gold query, by the example that they were made
 * of.
 */
export class RewardVariants {
  readonly #run: string;
  readonly #byId = new Map<string, KeptRow>();
  readonly #bySource = new Map<string, KeptRow[]>();
  readonly #own = new Set<string>();
  readonly #schemas: ReadonlyMap<string, Database>;
  readonly #createTables: (dbId: string) => string;

  /** @throws RunFolderError or InputFormatError where the folder holds no finished run of data */
  constructor(run: string) {
    this.#run = run;
    this.#schemas = loadSpiderTables(join(run, 'tables.json'));
    this.#createTables = createTablesOf(run, this.#schemas);
    for (const { row } of openPublishableRun(run).rows()) {
      const { id, source_id, db_id, original_db_id, kind, question, query } = row;
      if (query === null) continue;
      const kept = { id, db_id, kind, question, query };
      this.#byId.set(id, kept);
      if (db_id !== original_db_id) this.#own.add(db_id);
      if (kind === 'original') continue;
      const known = this.#bySource.get(source_id);
      if (known === undefined) this.#bySource.set(source_id, [kept]);
      else known.push(kept);
    }
  }

  /**
   * One of an example's variants; the same seed and id give the same one.
   * @throws InputFormatError where the run has none of it
   */
  draw(id: string, seed: number): Variant {
    const variants = this.#bySource.get(id);
    if (variants !== undefined) {
      const drawn = pick(variants, createRng(seed, id));
      return { ...drawn, schema: this.#createTables(drawn.db_id) };
    }
    const [first = ''] = this.#bySource.keys();
    throw new InputFormatError(`there is no variant of "${id}"`, {
      where: { file: this.#run },
      fix: `Ask for one of an example that the run has variants of, such as "${first}", or train on the example itself.`,
    });
  }

  /** The gold of a variant, or of an example as it was; null where the run has neither. */
  goldOf(id: string): { readonly dbId: string; readonly sql: string } | null {
    const row = this.#byId.get(id);
    return row === undefined ? null : { dbId: row.db_id, sql: row.query };
  }

  /** Checks whether a database is one that the run made. */
  isOwn(dbId: string): boolean {
    return this.#own.has(dbId);
  }

  /** The schema of one of the run's databases; null where it has none of that id. */
  schemaOf(dbId: string): Database | null {
    return this.#schemas.get(dbId) ?? null;
  }

  /** The SQLite file of one of the run's databases. @throws InputFormatError where the run holds no rows */
  fileOf(dbId: string): string {
    const file = sqlitePath(join(this.#run, 'database'), dbId);
    if (existsSync(file)) return file;
    throw new InputFormatError(`the run holds no rows of "${dbId}"`, {
      where: { file: this.#run },
      fix: 'Make it with --databases, and `mutate` with --materialize too; or count parts that need no rows.',
    });
  }
}
