import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { isSqliteError } from '../../sql/execution/open-connection.js';
import { PerturbqlError } from '../../errors.js';
import { whereReadable } from '../../sql/sql-fault.js';
import type { Dataset } from '../../formats/dataset.js';
import { sampleCells } from '../../formats/sample-values.js';
import type { ColumnAddition, DatabaseChange } from '../../variants/databases/database-change.js';
import { plannedAdditions, type PlannedAddition, renamedColumns } from '../../variants/databases/plan-change.js';
import type { ColumnChange } from '../../variants/relations/names/draw-perturbation.js';
import type { SourceValues } from '../../variants/databases/source-values.js';
import { SourceDatabase } from '../../variants/databases/write-variants.js';
import { renderViewScript } from '../../variants/databases/view-script.js';
import { itemAt, mustGet } from '../../present.js';
import { writeDurably } from '../../run/durable-file.js';
import { createRng } from '../../seeded-rng.js';
import { sha256Of } from '../../run/sha256.js';
import type { DeclaredTypes } from '../../sql/create-tables.js';
import type { Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { Cells } from '../../variants/mutate/mutant-set.js';
import { OriginalRows } from '../original-rows.js';
import type { TableSet } from './table-set.js';
import { isTrivia, type Token, tokenize, unquote } from '../../sql/tokenizer.js';

/** Columns whose added values, and tables whose renaming views, are kept. */
const KEPT_COLUMNS = 16;
const KEPT_VIEWS = 256;

/** The facts about an added column that a victim is told; `type` is null if it can't be filled. */
interface AddedFacts {
  readonly cells: readonly string[];
  readonly type: string | null;
}

export interface PerturbedRowsOptions {
  readonly dataset: Dataset;
  /** Folder for files that go when the attack is over. */
  readonly scratch: string;
  /** Sample values of the retrieved columns that candidates come from. */
  readonly sourceValues: SourceValues;
}

/**
 * The rows of perturbed tables: TEMP views over the original databases, which are never written to. An added column has
 * the same values wherever it is added.
 */
export class PerturbedRows {
  /** The rows of the tables as they are. */
  readonly originals: OriginalRows;
  readonly #options: PerturbedRowsOptions;
  readonly #sources = new Map<string, SourceDatabase>();
  readonly #added = new Map<string, AddedFacts>();
  readonly #additions = new LRUCache<string, ColumnAddition>({ max: KEPT_COLUMNS });
  readonly #views = new LRUCache<string, string>({ max: KEPT_VIEWS });

  constructor(options: PerturbedRowsOptions) {
    this.#options = options;
    this.originals = new OriginalRows(options.dataset, options.scratch);
  }

  /** Sample cells of tables, those of added columns among them. */
  samplesOf(original: Database, tables: TableSet): Cells {
    const cells = this.originals.cellsOf(original);
    if (tables.changes.length === 0) return cells;
    return this.#byColumn(original, tables, {
      known: (t, c) => cells[t]?.[c] ?? [],
      added: (addition) => this.#factsOf(original, addition).cells,
    });
  }

  /** Declared types of tables, those of added columns among them. */
  typesOf(original: Database, tables: TableSet): DeclaredTypes {
    const types = this.originals.typesOf(original);
    if (tables.changes.length === 0) return types;
    return this.#byColumn(original, tables, {
      known: (t, c) => types[t]?.[c] ?? null,
      added: (addition) => this.#factsOf(original, addition).type,
    });
  }

  /**
   * Returns the source that all queries on perturbed tables read, or null if there are no rows. If none reads an added
   * column, this is the original, which gives them the same rows.
   * @throws InputFormatError or SqliteError when the database can't be perturbed so
   */
  sourceOf(original: Database, tables: TableSet, queries: readonly string[]): QuerySource | null {
    const file = this.originals.fileOf(original.id);
    if (file === null || tables.changes.length === 0) return file === null ? null : { file };
    if (tables.changes[0]!.kind === 'RPL') return { file, setup: [this.#renamingViews(original, tables)] };
    const additions = this.#additionsOf(original, tables);
    const added = new Set(additions.map(({ column }) => foldName(column.originalName)));
    const read = queries.map((sql) => addedNamesIn(sql, added));
    if (read.includes('all')) return { file, setup: [{ file: this.#addingViews(original, additions) }] };
    const names = new Set(read.flatMap((some) => (some === 'all' ? [] : [...some])));
    if (names.size === 0) return { file };
    const named = additions.filter(({ column }) => names.has(foldName(column.originalName)));
    // Where they are is of no matter to a query without a star, and fewer scripts differ.
    const placed = named.map((addition) => ({ ...addition, before: null }));
    return { file, setup: [{ file: this.#addingViews(original, placed) }] };
  }

  /** Closes the databases; what was written stays. */
  dispose(): void {
    for (const source of this.#sources.values()) source.close();
  }

  #additionsOf(original: Database, { schema, columns, changes }: TableSet): readonly PlannedAddition<ColumnChange>[] {
    return plannedAdditions(original, { schema, columns }, changes);
  }

  /** Something of each column: of the original's column that it is, or of an addition. */
  #byColumn<T>(
    original: Database,
    tables: TableSet,
    {
      known,
      added,
    }: {
      readonly known: (table: number, column: number) => T;
      readonly added: (addition: PlannedAddition<ColumnChange>) => T;
    },
  ): readonly (readonly T[])[] {
    const additions = this.#additionsOf(original, tables);
    return tables.columns.map((columns, t) =>
      columns.map((from, c) => {
        if (from !== null) return known(t, from);
        const column = itemAt(itemAt(tables.schema.tables, t).columns, c);
        const { originalName } = itemAt(original.tables, t);
        const planned = additions.find((one) => one.table === originalName && one.column === column);
        return added(mustGet(planned, 'additions.find()'));
      }),
    );
  }

  #sourceOf(dbId: string): SourceDatabase {
    const source = this.#sources.get(dbId) ?? new SourceDatabase(this.originals.fileOf(dbId)!);
    this.#sources.set(dbId, source);
    return source;
  }

  #renamingViews(original: Database, tables: TableSet): string {
    const key = `${original.id} ${tables.key}`;
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const renames = renamedColumns(original, { ...tables });
    const script = this.#script(original, { renames, additions: [] });
    this.#views.set(key, script);
    return script;
  }

  /** The file of a script with added values: too long to be sent with every query. */
  #addingViews(original: Database, additions: readonly PlannedAddition<ColumnChange>[]): string {
    const parts = additions.map((addition) => [keyOf(addition), addition.before]);
    const file = join(this.#options.scratch, `${sha256Of(JSON.stringify([original.id, parts])).slice(0, 32)}.sql`);
    if (!existsSync(file)) {
      const filled = additions.map((addition) => ({
        ...this.#fill(original, addition),
        before: addition.before,
      }));
      writeDurably(file, this.#script(original, { renames: [], additions: filled }));
    }
    return file;
  }

  #script(original: Database, change: DatabaseChange): string {
    // Played at once on the file that it was made of: its hash is of no use.
    const header = { variant: original.id, database: original.id, sha256: '' };
    return renderViewScript(this.#sourceOf(original.id).open(), change, header);
  }

  #factsOf(original: Database, addition: PlannedAddition<ColumnChange>): AddedFacts {
    const key = `${original.id}/${keyOf(addition)}`;
    const known = this.#added.get(key);
    if (known !== undefined) return known;
    const filled = this.#hasTable(original, addition) ? this.#fill(original, addition) : null;
    const facts: AddedFacts = { cells: sampleCells(filled?.values ?? []), type: filled?.declaredType ?? null };
    this.#added.set(key, facts);
    return facts;
  }

  /** Spider lists tables that some files lack. */
  #hasTable(original: Database, { table }: PlannedAddition<ColumnChange>): boolean {
    if (this.originals.fileOf(original.id) === null) return false;
    try {
      this.#sourceOf(original.id).filler.sampleOf(table);
      return true;
    } catch (error) {
      if (error instanceof PerturbqlError || isSqliteError(error)) return false;
      throw error;
    }
  }

  #fill(original: Database, addition: PlannedAddition<ColumnChange>): ColumnAddition {
    const key = `${original.id}/${keyOf(addition)}`;
    const known = this.#additions.get(key);
    if (known !== undefined) return known;
    const sourceValues = this.#options.sourceValues.of(addition.change.decision.origin);
    const filled = this.#sourceOf(original.id).filler.fill(addition, sourceValues, createRng(0, key));
    this.#additions.set(key, filled);
    return filled;
  }
}

/** Returns a key of everything that determines the values of an added column within its database. */
function keyOf({ table, column, target }: PlannedAddition<ColumnChange>): string {
  return JSON.stringify([table, column.originalName, column.type, target]);
}

function isCountStar(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.text === '(' && tokens[at - 2]?.text.toLowerCase() === 'count';
}

/**
 * Which of the columns added to a schema a query may read: those that it names, or `all` where it has a star or a
 * natural join, or can't be cut into tokens. Without any, it gives the same rows as on the original.
 */
export function addedNamesIn(sql: string, added: ReadonlySet<string>): ReadonlySet<string> | 'all' {
  const tokens = whereReadable(() => tokenize(sql).filter((token) => !isTrivia(token)), null);
  if (tokens === null) return 'all';
  const isWide = tokens.some(
    ({ text }, at) => (text === '*' && !isCountStar(tokens, at)) || text.toLowerCase() === 'natural',
  );
  if (isWide) return 'all';
  // A text in quotes may be a name, too.
  return new Set(tokens.map((token) => foldName(unquote(token))).filter((name) => added.has(name)));
}
