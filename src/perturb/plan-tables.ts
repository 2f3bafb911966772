import type { Dataset } from '../formats/dataset.js';
import { PerturbqlError } from '../errors.js';
import type { TableTask } from '../pipeline.js';
import { type Column, columnKey, type ColumnRef, type Database, type Example } from '../schema/schema.js';
import { mentionedColumns, resolveColumns } from '../sql/resolver.js';
import type { ColumnChoice } from './column-choice.js';

/** Longest natural name that can be a column of words. */
const LONGEST_NAME = 100;

export interface SkippedItem {
  /** Example id, or `db_id/table.column`. */
  readonly id: string;
  readonly reason: string;
}

/** What a gold query names. */
export interface Mention {
  /** Distinct columns, in order of first mention. */
  readonly columns: readonly ColumnRef[];
  /** Indices of its tables, in the schema's order. */
  readonly tables: readonly number[];
}

/** The work of a run: tables with their columns to be perturbed, and what had to be left out. */
export interface TablePlan {
  readonly tasks: readonly TableTask[];
  /** What each readable gold query mentions, by example id. */
  readonly mentions: ReadonlyMap<string, Mention>;
  readonly skipped: readonly SkippedItem[];
}

/** Why a column can't be perturbed; null when it can. */
function unusable(column: Column): string | null {
  if (!/\p{L}/u.test(column.name)) return 'its name has no letters';
  if (column.name.length > LONGEST_NAME)
    return `its name has ${column.name.length} characters, more than ${LONGEST_NAME}`;
  return null;
}

/** Plans a run over a data set; tables come in the order of the tables file, columns in the table's. */
export function planTables(dataset: Dataset, choice: ColumnChoice): TablePlan {
  const skipped: SkippedItem[] = [];
  const mentions = new Map<string, Mention>();
  for (const example of dataset.examples) {
    try {
      mentions.set(example.id, mentionOf(example.query, dataset.databases.get(example.dbId)!));
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      skipped.push({ id: example.id, reason: error.message });
    }
  }
  const tasks = [...dataset.databases.values()].flatMap((database) => {
    const examples = dataset.examples.filter(({ dbId }) => dbId === database.id);
    if (examples.length === 0) return [];
    return new DatabasePlan(dataset, database, examples, mentions).tasks(choice, skipped);
  });
  return { tasks, mentions, skipped };
}

function mentionOf(sql: string, database: Database): Mention {
  const tables = new Set(resolveColumns(sql, database).flatMap(({ table }) => (table === null ? [] : [table])));
  return { columns: mentionedColumns(sql, database), tables: [...tables].sort((a, b) => a - b) };
}

class DatabasePlan {
  readonly #database: Database;
  readonly #values: ReturnType<Dataset['sampleValues']>;
  readonly #mentioned: ReadonlySet<string>;
  readonly #questions: readonly (readonly string[])[];

  constructor(dataset: Dataset, database: Database, examples: readonly Example[], mentions: TablePlan['mentions']) {
    this.#database = database;
    this.#values = dataset.sampleValues(database);
    this.#mentioned = new Set(examples.flatMap(({ id }) => mentions.get(id)?.columns.map(columnKey) ?? []));
    // A question is asked of every table that its gold query names.
    this.#questions = database.tables.map((_, t) =>
      examples.filter(({ id }) => mentions.get(id)?.tables.includes(t)).map(({ question }) => question),
    );
  }

  tasks(choice: ColumnChoice, skipped: SkippedItem[]): TableTask[] {
    return this.#database.tables.flatMap((table, t) => {
      const columns = table.columns.flatMap((column, c) => {
        if (choice === 'mentioned' && !this.#mentioned.has(columnKey({ table: t, column: c }))) return [];
        const reason = unusable(column);
        if (reason === null) return [c];
        skipped.push({ id: `${this.#database.id}/${table.originalName}.${column.originalName}`, reason });
        return [];
      });
      if (columns.length === 0) return [];
      const target = { dbId: this.#database.id, table, questions: this.#questions[t]!, values: this.#values[t]! };
      return [{ id: `${this.#database.id}/${table.originalName}`, target, columns }];
    });
  }
}
