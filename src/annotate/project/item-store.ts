import type Sqlite from 'better-sqlite3';
import type { AnnotationItem, CandidateScores, ItemContext, StoredAnswer } from '../annotation.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import { Prepared } from './project-file.js';
import type { ProjectItem } from './project-content.js';

/** The stored answers to an item. */
export interface AnswerRecord {
  /** Every revision of every annotator's answer: by annotator, oldest first; the last of each is the current one. */
  readonly answers: readonly StoredAnswer[];
  /** Every revision of the reviewers' adjudication, oldest first. */
  readonly adjudications: readonly StoredAnswer[];
  /** Stale saves. */
  readonly conflicts: readonly StoredAnswer[];
}

/** Everything that a project knows of one item. */
export interface ItemRecord extends ProjectItem, AnswerRecord {}

interface ContentRow {
  readonly id: number;
  readonly item: string;
  readonly questions: string;
  readonly scores: string;
  readonly context: string;
}

const READ = `SELECT i.id, c.item, c.questions, c.scores, t.content AS context
  FROM items i JOIN item_contents c ON c.id = i.id JOIN contexts t ON t.id = i.context`;

function toProjectItem({ item, questions, scores, context }: ContentRow): ProjectItem {
  const table = JSON.parse(context) as Omit<ItemContext, 'questions'>;
  return {
    item: JSON.parse(item) as AnnotationItem,
    context: { ...table, questions: JSON.parse(questions) as ItemContext['questions'] },
    scores: JSON.parse(scores) as CandidateScores[],
  };
}

/** Items as annotators are shown them; reading a missing one throws an AnnotationRefusal `unknown-item`. */
export class ItemStore {
  readonly #prepared: Prepared;

  constructor(sqlite: Sqlite.Database) {
    this.#prepared = new Prepared(sqlite);
  }

  /** The file's ids of an item and its chunk. */
  place(id: string): { readonly id: number; readonly chunk: number } {
    return this.#read('SELECT id, chunk FROM items WHERE name = ?', id) as { id: number; chunk: number };
  }

  whole(id: string): ProjectItem {
    return toProjectItem(this.#read(`${READ} WHERE i.name = ?`, id) as ContentRow);
  }

  /** Without what is around it. */
  alone(id: string): AnnotationItem {
    const sql = 'SELECT c.item FROM items i JOIN item_contents c ON c.id = i.id WHERE i.name = ?';
    return JSON.parse((this.#read(sql, id) as ContentRow).item) as AnnotationItem;
  }

  *all(): Iterable<ProjectItem> {
    const sql = `${READ} WHERE i.id > ? ORDER BY i.id`;
    for (const row of this.#prepared.pages<ContentRow>(sql, (last) => [last?.id ?? 0])) yield toProjectItem(row);
  }

  /** Ids of the items that someone has handed in, in order. */
  *answered(): Iterable<string> {
    const sql = 'SELECT id, name FROM items WHERE id > ? AND (annotators > 0 OR adjudicated = 1) ORDER BY id';
    const rows = this.#prepared.pages<{ id: number; name: string }>(sql, (last) => [last?.id ?? 0]);
    for (const { name } of rows) yield name;
  }

  #read(sql: string, id: string): unknown {
    const row = this.#prepared.get(sql, id);
    if (row !== undefined) return row;
    throw new AnnotationRefusal('unknown-item', 'there is no such item', 'Take ids of the list.', id);
  }
}
