import { databaseOf, type Dataset, leftOutOf } from '../../formats/dataset.js';
import { PerturbqlError } from '../../errors.js';
import type { TableTask } from '../../pipeline.js';
import { itemAt } from '../../present.js';
import { isPerturbable, perturbableAmong } from '../../schema/column-family.js';
import { type Column, columnKey, type ColumnRef, type Database, type Table } from '../../schema/schema.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { mentionedColumns, resolveColumns } from '../../sql/resolver.js';
import { isSystemTable } from '../databases/mutated-schema.js';
import type { ColumnChoice } from '../augment/variant-plan.js';

/** Longest natural name that can be a column of words. */
const LONGEST_NAME = 100;

export interface SkippedItem {
  /** Example id, or `db_id/table.column`. */
  readonly id: string;
  readonly reason: string;
}

/** The columns and tables that a gold query names. */
export interface Mention {
  /** Distinct columns, in order of first mention. */
  readonly columns: readonly ColumnRef[];
  /** Indices of its tables, in the schema's order. */
  readonly tables: readonly number[];
}

/** The work of a run: tables with their columns to be perturbed, and what had to be left out. */
export interface TablePlan {
  readonly tasks: readonly TableTask[];
  /** The mentions of each readable gold query, by example id. */
  readonly mentions: ReadonlyMap<string, Mention>;
  readonly skipped: readonly SkippedItem[];
  /** Why gold queries can't be read, by their examples' ids. */
  readonly unread: ReadonlyMap<string, PerturbqlError>;
}

/** The turns of an interaction whose gold can be read, and the union of what these mention; null where none can. */
export function readableTurns<E extends { readonly id: string }>(
  examples: readonly E[],
  mentions: ReadonlyMap<string, Mention>,
): { readonly turns: readonly [E, ...E[]]; readonly mention: Mention } | null {
  const columns = new Map<string, ColumnRef>();
  const tables = new Set<number>();
  const [first, ...further] = examples.filter(({ id }) => {
    const mention = mentions.get(id);
    for (const ref of mention?.columns ?? []) columns.set(columnKey(ref), ref);
    for (const table of mention?.tables ?? []) tables.add(table);
    return mention !== undefined;
  });
  if (first === undefined) return null;
  const mention = { columns: [...columns.values()], tables: [...tables].sort((a, b) => a - b) };
  return { turns: [first, ...further], mention };
}

/** Why a column can't be perturbed; null when it can. */
function unusable(column: Column, table: Table): string | null {
  if (isSystemTable(table)) return 'its table is SQLite’s own';
  if (!/\p{L}/u.test(column.name)) return 'its name has no letters';
  if (column.name.length > LONGEST_NAME)
    return `its name has ${column.name.length} characters, more than ${LONGEST_NAME}`;
  return null;
}

/** Plans a run over a data set; tables come in the order of the tables file, columns in the table's. */
export function planTables(dataset: Dataset, choice: ColumnChoice): TablePlan {
  const skipped: SkippedItem[] = [...leftOutOf(dataset)];
  const unread = new Map<string, PerturbqlError>();
  const mentions = new Map<string, Mention>();
  const plans = new Map<string, DatabasePlan>();
  for (const example of dataset.examples()) {
    const database = databaseOf(dataset, example.dbId);
    const plan = plans.get(database.id) ?? new DatabasePlan(dataset, database);
    plans.set(database.id, plan);
    try {
      const mention = plan.mentionOf(example.query);
      mentions.set(example.id, mention);
      plan.ask(example.question, mention);
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      skipped.push({ id: example.id, reason: error.message });
      unread.set(example.id, error);
    }
  }
  const tasks = [...dataset.databases.keys()].flatMap((id) => plans.get(id)?.tasks(choice, skipped) ?? []);
  return { tasks, mentions, skipped, unread };
}

/** The columns and tables that a query names. @throws SqlRewriteError when it can't be read */
export function mentionOf(sql: string, database: Database, dialect: SqlDialect): Mention {
  const references = resolveColumns(sql, database, dialect);
  const tables = new Set(references.flatMap(({ table }) => (table === null ? [] : [table])));
  const columns = perturbableAmong(database, mentionedColumns(references));
  return { columns, tables: [...tables].sort((a, b) => a - b) };
}

/** The tables of one database, with the questions asked of them and the columns that gold queries mention. */
class DatabasePlan {
  readonly #dataset: Dataset;
  readonly #database: Database;
  readonly #mentioned = new Set<string>();
  /** By query: data sets ask for the same in several ways. */
  readonly #mentions = new Map<string, Mention>();
  readonly #questions: readonly string[][];

  constructor(dataset: Dataset, database: Database) {
    this.#dataset = dataset;
    this.#database = database;
    this.#questions = database.tables.map(() => []);
  }

  /** @throws SqlRewriteError when the query can't be read */
  mentionOf(query: string): Mention {
    const known = this.#mentions.get(query) ?? mentionOf(query, this.#database, this.#dataset.dialect);
    this.#mentions.set(query, known);
    return known;
  }

  /** Adds a question: it is asked of every table that its gold query names. */
  ask(question: string, { columns, tables }: Mention): void {
    for (const ref of columns) this.#mentioned.add(columnKey(ref));
    for (const t of tables) itemAt(this.#questions, t).push(question);
  }

  tasks(choice: ColumnChoice, skipped: SkippedItem[]): TableTask[] {
    const values = this.#dataset.sampleValues(this.#database);
    return this.#database.tables.flatMap((table, t) => {
      const columns = table.columns.flatMap((column, c) => {
        if (choice === 'mentioned' && !this.#mentioned.has(columnKey({ table: t, column: c }))) return [];
        if (!isPerturbable(column)) return [];
        const reason = unusable(column, table);
        if (reason === null) return [c];
        skipped.push({ id: `${this.#database.id}/${table.originalName}.${column.originalName}`, reason });
        return [];
      });
      if (columns.length === 0) return [];
      const siblings = this.#database.tables.filter((other) => other !== table);
      const target = {
        dbId: this.#database.id,
        table,
        questions: itemAt(this.#questions, t),
        values: itemAt(values, t),
        siblings,
      };
      return [{ id: `${this.#database.id}/${table.originalName}`, target, columns }];
    });
  }
}
