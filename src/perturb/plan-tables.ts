import type { Dataset } from '../formats/dataset.js';
import { PerturbqlError } from '../errors.js';
import type { TableTask } from '../pipeline.js';
import { type Column, columnKey, type ColumnRef, type Database, type Example } from '../schema/schema.js';
import { mentionedColumns } from '../sql/resolver.js';
import type { ColumnChoice } from './column-choice.js';

/** Longest natural name that can be a column of words. */
const LONGEST_NAME = 100;

export interface SkippedItem {
  /** Example id, or `db_id/table.column`. */
  readonly id: string;
  readonly reason: string;
}

/** The work of a run: tables with their columns to be perturbed, and what had to be left out. */
export interface TablePlan {
  readonly tasks: readonly TableTask[];
  /** Columns that each readable gold query mentions, by example id. */
  readonly mentioned: ReadonlyMap<string, readonly ColumnRef[]>;
  readonly skipped: readonly SkippedItem[];
}

/** Why a column can't be perturbed; null when it can. */
function unusable(column: Column): string | null {
  if (!/\p{L}/u.test(column.name)) return 'its name has no letters';
  if (column.name.length > LONGEST_NAME) return `its name has ${column.name.length} characters, more than ${LONGEST_NAME}`;
  return null;
}

/** Plans a run over a data set; tables come in the order of the tables file, columns in the table's. */
export function planTables(dataset: Dataset, choice: ColumnChoice): TablePlan {
  const skipped: SkippedItem[] = [];
  const mentioned = new Map<string, readonly ColumnRef[]>();
  for (const example of dataset.examples) {
    try {
      mentioned.set(example.id, mentionedColumns(example.query, dataset.databases.get(example.dbId)!));
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      skipped.push({ id: example.id, reason: error.message });
    }
  }
  const tasks = [...dataset.databases.values()].flatMap((database) => {
    const examples = dataset.examples.filter(({ dbId }) => dbId === database.id);
    if (examples.length === 0) return [];
    return new DatabasePlan(dataset, database, examples, mentioned).tasks(choice, skipped);
  });
  return { tasks, mentioned, skipped };
}

class DatabasePlan {
  readonly #database: Database;
  readonly #values: ReturnType<Dataset['sampleValues']>;
  readonly #mentioned: ReadonlySet<string>;
  readonly #questions: readonly (readonly string[])[];

  constructor(dataset: Dataset, database: Database, examples: readonly Example[], mentioned: TablePlan['mentioned']) {
    this.#database = database;
    this.#values = dataset.sampleValues(database);
    const refs = examples.flatMap((example) => mentioned.get(example.id) ?? []);
    this.#mentioned = new Set(refs.map(columnKey));
    // A question is asked of every table that its gold query takes a column from.
    this.#questions = database.tables.map((_, t) =>
      examples.filter((example) => mentioned.get(example.id)?.some(({ table }) => table === t)).map(({ question }) => question),
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
