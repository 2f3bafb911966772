import { databaseOf, type Dataset } from '../../formats/dataset.js';
import type { OwnFields } from '../../formats/output-set.js';
import { ownFieldsIn } from '../../formats/own-fields.js';
import type { TableTask } from '../../pipeline.js';
import { DifficultyRater } from '../../variants/relations/names/candidate-difficulty.js';
import type { DecisionsByColumn } from '../../variants/relations/names/candidate-pool.js';
import type { TablePlan } from '../../variants/candidates/plan-tables.js';
import { sourceTraits, type TargetTable } from '../../stage.js';
import { type Column, columnAt, columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import {
  type AnnotationItem,
  annotationItemId,
  type CandidateScores,
  type ContextColumn,
  type ContextQuestion,
  type ItemContext,
  type ListedCandidate,
  type NameKind,
} from '../annotation.js';
import type { ProjectItem } from '../project/project-content.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { spacedName } from '../../schema/name-identity.js';
import { zip } from '../../present.js';
import { firstRowsOf, readTables } from '../../formats/sample-values.js';

type Cell = string | number | bigint | Buffer | null;

/** Rows shown of a table. */
const ROWS = 5;
/** Longest cell text. */
const LONGEST_CELL = 200;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (Buffer.isBuffer(cell)) return `(${cell.length} bytes)`;
  const text = String(cell);
  const characters = Array.from(text.slice(0, 2 * LONGEST_CELL));
  return characters.length <= LONGEST_CELL ? text : `${characters.slice(0, LONGEST_CELL).join('')}…`;
}

/**
 * The first rows of each table as texts, up to five; none where the data set has no rows. Files that a format writes first
 * go into `scratch`.
 * @throws InputFormatError when a database can't be read
 */
export function firstRows(
  dataset: Dataset,
  database: Database,
  scratch: string,
): readonly (readonly (readonly string[])[])[] {
  const file = dataset.hasRows(database.id) ? dataset.sqliteFile(database.id, scratch) : null;
  if (file === null) return database.tables.map(() => []);
  return readTables(file, database, (sqlite, table) =>
    firstRowsOf(file, sqlite, table, ROWS).map((row) => row.map((cell) => cellText(cell as Cell))),
  );
}

/** The columns of a table as a page shows them. */
export function contextColumns(columns: readonly Column[]): readonly ContextColumn[] {
  return columns.map(({ name, originalName, type, reading }) => {
    const isUnsure = reading !== undefined && reading.confidence < 1;
    return { name, originalName, type, ...(isUnsure ? { readingConfidence: reading.confidence } : {}) };
  });
}

const lower = ({ e1, e2 }: CandidateDecision): number => Math.min(e1 ?? 0, e2 ?? e1 ?? 0);
const upper = ({ e1, e2 }: CandidateDecision): number => Math.max(e1 ?? 1, e2 ?? e1 ?? 1);

/** Rejections of names that the judge found distinct from the target: the last to replace it. */
const DISTINCT = new Set(['unassociated', 'enough-additions', 'entailed-by-other']);

/** Rejections of names that were open to ADD, and went too little with the table or less than others. */
const LESS_ASSOCIATED = new Set(['unassociated', 'enough-additions']);

/** The estimate alone turned these down: readers would hardly take them, but they are well formed. */
const UNLIKELY = 'reads-odd';

/** How far a decision is from one that accepts the kind, in order of rank and then of distance; null where it can't be one. */
function distanceFrom(kind: NameKind, decision: CandidateDecision): readonly [rank: number, distance: number] | null {
  const { bucket, reason, e1, source, association, similarity } = decision;
  // Of additions, those close to the column come before those that merely belong to the row.
  if (bucket === kind) return [0, decision.goes_with === 'row' ? 1 : 0];
  // What goes too little with the table was not judged, and yet is well formed.
  if (e1 === null && reason !== UNLIKELY && !LESS_ASSOCIATED.has(reason)) return null;
  if ((sourceTraits(source).bucket ?? kind) !== kind) return null;
  if (e1 === null && reason === UNLIKELY) return [4, -(similarity ?? -1)];
  if (kind === 'RPL') {
    // Of distinct names entailment is noise: word vectors say which are of the same sort at least (ADVETA §4.2).
    return bucket === 'ADD' || DISTINCT.has(reason) ? [2, -(similarity ?? -1)] : [1, -lower(decision)];
  }
  if (bucket === 'RPL') return null;
  if (LESS_ASSOCIATED.has(reason)) return [e1 === null ? 3 : 1, -(association ?? 0)];
  return [2, upper(decision)];
}

function toScores(decision: CandidateDecision): CandidateScores {
  const { candidate, bucket, reason, similarity, association, e1, e2, goes_with: goesWith } = decision;
  const scores = { name: candidate, bucket, reason, similarity, association, e1, e2 };
  return goesWith === undefined ? scores : { ...scores, goesWith };
}

function toListed(decision: CandidateDecision, difficulty: number): ListedCandidate {
  const { candidate, source, origin } = decision;
  const place = origin === null ? null : { table: origin.table, title: origin.title, column: origin.column };
  return { name: candidate, source, origin: place, difficulty };
}

/**
 * The list of a column for one kind, at most `length` names: what the pipeline accepted, in its order, then what else it
 * judged, what came nearest first, since annotators had full lists (ADVETA §3.1). For RPL that is by entailment, and
 * last, by similarity, what is distinct from the target; for ADD first what lacked association alone, then what lies
 * nearest to being distinct. What readers would hardly take comes last of all. Names that a naturalness rule turned down unjudged are not listed: misspelled or offensive
 * ones, names that the table has … Each has the difficulty that it would have if it were taken.
 */
export function listCandidates(
  decisions: readonly CandidateDecision[],
  kind: NameKind,
  length: number,
  rater: Pick<DifficultyRater, 'difficultyOf'>,
) {
  const ranked = decisions.flatMap((decision) => {
    const distance = distanceFrom(kind, decision);
    return distance === null ? [] : [{ decision, distance }];
  });
  ranked.sort(({ distance: [a, x] }, { distance: [b, y] }) => a - b || x - y);
  const distinct = new Map<string, CandidateDecision>();
  for (const { decision } of ranked) {
    const key = spacedName(decision.candidate);
    if (!distinct.has(key)) distinct.set(key, decision);
  }
  const chosen = [...distinct.values()].slice(0, length);
  return {
    candidates: chosen.map((one) => toListed(one, rater.difficultyOf(one, kind))),
    scores: chosen.map(toScores),
  };
}

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
    const database = databaseOf(this.#sources.dataset, target.dbId);
    const table = database.tables.indexOf(target.table);
    const context = {
      entity,
      columns: contextColumns(target.table.columns),
      rows: this.#rowsOf(database)[table] ?? [],
    };
    return columns.flatMap((column) => this.#itemsOfColumn(database, target, { table, column }, context));
  }

  #itemsOfColumn(
    database: Database,
    { table: { name, originalName } }: TargetTable,
    ref: ColumnRef,
    context: Omit<ItemContext, 'questions'>,
  ): readonly ProjectItem[] {
    const decisions = this.#sources.decisions.of(database, ref);
    // What the run did not look at can't be chosen from.
    if (decisions.length === 0) return [];
    const questions = this.#questions.get(`${database.id} ${columnKey(ref)}`) ?? [];
    const target = columnAt(database, ref);
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
  return zip(sources.plan.tasks, sources.entities).flatMap(([task, entity]) => maker.itemsOf(task, entity));
}
