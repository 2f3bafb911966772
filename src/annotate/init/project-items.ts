import type { Dataset } from '../../formats/dataset.js';
import type { OwnFields } from '../../formats/output-set.js';
import { ownFieldsIn } from '../../formats/own-fields.js';
import type { TableTask } from '../../pipeline.js';
import { DifficultyRater } from '../../perturb/candidate-difficulty.js';
import type { DecisionsByColumn } from '../../perturb/decisions-by-column.js';
import type { TablePlan } from '../../perturb/plan-tables.js';
import { itemAt, mustGet } from '../../present.js';
import { columnKey, type Database } from '../../schema/schema.js';
import {
  type AnnotationItem,
  annotationItemId,
  type ContextQuestion,
  type ItemContext,
  type NameKind,
} from '../annotation.js';
import type { ProjectItem } from '../project/project-content.js';
import { listCandidates } from './candidate-lists.js';
import { contextColumns } from './context-columns.js';

/** Most questions shown with a column: enough to see what is asked of it. */
const QUESTIONS = 20;

export interface ItemSources {
  readonly dataset: Dataset;
  /** The fields of the data set's own, whatever its format. */
  readonly fieldsOf: OwnFields;
  readonly plan: TablePlan;
  readonly decisions: DecisionsByColumn;
  /** Primary entities, one per task of the plan. */
  readonly entities: readonly string[];
  /** First rows of each table of a database. */
  readonly rows: (database: Database) => readonly (readonly (readonly string[])[])[];
}

export interface ItemChoice {
  readonly kinds: readonly NameKind[];
  readonly listLength: number;
}

/** The first questions that mention each column, by database id and `columnKey`, a blank between. */
export function questionsByColumn({
  dataset,
  fieldsOf,
  plan,
}: Pick<ItemSources, 'dataset' | 'fieldsOf' | 'plan'>): ReadonlyMap<string, readonly ContextQuestion[]> {
  const byColumn = new Map<string, ContextQuestion[]>();
  for (const example of dataset.examples()) {
    const { id, dbId, question, query } = example;
    const fields = ownFieldsIn(dataset, example, fieldsOf);
    const shown = { id, question, query, ...(Object.keys(fields).length === 0 ? {} : { fields }) };
    for (const ref of plan.mentions.get(id)?.columns ?? []) {
      const key = `${dbId} ${columnKey(ref)}`;
      const list = byColumn.get(key) ?? [];
      byColumn.set(key, list);
      if (list.length < QUESTIONS) list.push(shown);
    }
  }
  return byColumn;
}

/** Makes the items of one table after another, as the plan has them. */
class ItemMaker {
  readonly #sources: ItemSources;
  readonly #choice: ItemChoice;
  readonly #questions: ReadonlyMap<string, readonly ContextQuestion[]>;
  readonly #rater: DifficultyRater;
  /** Rows of the database at hand: tables of one follow one another. */
  #rows: { readonly dbId: string; readonly tables: readonly (readonly (readonly string[])[])[] } | null = null;

  constructor(sources: ItemSources, choice: ItemChoice) {
    this.#sources = sources;
    this.#choice = choice;
    this.#questions = questionsByColumn(sources);
    this.#rater = new DifficultyRater(sources.dataset, sources.plan.mentions);
  }

  itemsOf({ target, columns }: TableTask, entity: string): readonly ProjectItem[] {
    const database = mustGet(this.#sources.dataset.databases.get(target.dbId), 'sources.dataset.databases.get()');
    const table = database.tables.indexOf(target.table);
    const context = {
      entity,
      columns: contextColumns(target.table.columns),
      rows: itemAt(this.#rowsOf(database), table),
    };
    return columns.flatMap((column) => this.#itemsOfColumn(database, table, column, context));
  }

  #itemsOfColumn(
    database: Database,
    table: number,
    column: number,
    context: Omit<ItemContext, 'questions'>,
  ): readonly ProjectItem[] {
    const decisions = this.#sources.decisions.of(database, { table, column });
    // What the run did not look at can't be chosen from.
    if (decisions.length === 0) return [];
    const questions = this.#questions.get(`${database.id} ${columnKey({ table, column })}`) ?? [];
    const { name, originalName } = itemAt(database.tables, table);
    const target = itemAt(itemAt(database.tables, table).columns, column);
    return this.#choice.kinds.flatMap((kind) => {
      const { candidates, scores } = listCandidates(decisions, kind, this.#choice.listLength, this.#rater);
      // RPL is free-form as well (ADVETA §3.1); ADD without a list is nothing to do.
      if (kind === 'ADD' && candidates.length === 0) return [];
      const place = { dbId: database.id, tableOriginal: originalName, columnOriginal: target.originalName, kind };
      const item: AnnotationItem = {
        ...place,
        id: annotationItemId(place),
        table: name,
        column: target.name,
        type: target.type,
        candidates,
      };
      return [{ item, context: { ...context, questions }, scores }];
    });
  }

  #rowsOf(database: Database): readonly (readonly (readonly string[])[])[] {
    if (this.#rows?.dbId !== database.id) this.#rows = { dbId: database.id, tables: this.#sources.rows(database) };
    return this.#rows.tables;
  }
}

/** The items of a plan's columns that the run has decided on, in the plan's order. */
export function makeItems(sources: ItemSources, choice: ItemChoice): readonly ProjectItem[] {
  const maker = new ItemMaker(sources, choice);
  return sources.plan.tasks.flatMap((task, t) => maker.itemsOf(task, itemAt(sources.entities, t)));
}
