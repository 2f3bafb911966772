import type Sqlite from 'better-sqlite3';
import { AnnotationError } from '../../errors.js';
import { checkRecord } from '../../formats/json-file.js';
import type {
  AnnotationItem,
  AnnotationKind,
  Answer,
  AnswerState,
  CandidateScores,
  ChunkProgress,
  KindCounts,
  Person,
  Role,
  StoredAnswer,
} from '../annotation.js';
import type { ItemInContext, ListedItem, PersonProgress, QualificationResult, ReviewedItem } from '../api-shapes.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import { type FinalAnswer, finalAnswerOf, toStoredForm } from './answer-schema.js';
import { ADJUDICATION, type AnswerPlace, AnswerStore, type SaveOutcome, workPace } from './answer-store.js';
import { type ItemRecord, ItemStore } from './item-store.js';
import { inPersonOrder, PeopleStore } from './people-store.js';
import { closeProjectFile, openProjectFile, Prepared } from './project-file.js';
import { type ProjectItem, type ProjectSettings, projectSettingsSchema } from './project-content.js';
import { QUALIFICATION_ITEMS, type QualificationItem, scoreQualification } from './qualification-items.js';
import { importRecords, readNotes, type RecordImport, type RecordImportCounts } from './record-store.js';

/** The contents of a project, in numbers. */
export interface ProjectSummary {
  readonly items: number;
  readonly kindCounts: KindCounts;
  readonly chunks: number;
  /** Places of chunks that wait for a further annotator: `overlap` is higher than their number. */
  readonly openPlaces: number;
  /** Items with at least one answer handed in, and those that a reviewer has decided. */
  readonly answered: number;
  readonly adjudicated: number;
  /** Items in the reviewer's list that annotators disagree on or have flagged, and no reviewer has decided. */
  readonly toReview: number;
}

export interface OpenOptions {
  readonly readonly?: boolean;
  /** The clock that saves are dated by. */
  readonly now?: () => Date;
}

/** Most rows of the reviewer's list. */
const REVIEW_ROWS = 1000;
/** Answers that a pace is made of. */
const PACE_ANSWERS = 100;

/**
 * A project's file: what annotators are shown, what they answered, who they are. The only code that reads or writes it.
 */
export class AnnotationProject {
  readonly file: string;
  /** Tells the project from every other, whatever their names; drawn when it is made. */
  readonly id: string;
  readonly settings: ProjectSettings;
  readonly #sqlite: Sqlite.Database;
  readonly #prepared: Prepared;
  readonly #people: PeopleStore;
  readonly #items: ItemStore;
  readonly #answers: AnswerStore;
  readonly #now: () => Date;

  private constructor(file: string, sqlite: Sqlite.Database, now: () => Date) {
    this.file = file;
    this.#sqlite = sqlite;
    this.#prepared = new Prepared(sqlite);
    this.#people = new PeopleStore(sqlite);
    this.#items = new ItemStore(sqlite);
    this.#answers = new AnswerStore(sqlite);
    this.#now = now;
    this.settings = this.#readSettings();
    this.id = (this.#prepared.get("SELECT value FROM meta WHERE key = 'id'") as { value: string }).value;
  }

  /** @throws AnnotationError when the file is no project, of a newer version, damaged, or can't be opened */
  static open(file: string, { readonly = false, now = () => new Date() }: OpenOptions = {}): AnnotationProject {
    const sqlite = openProjectFile(file, readonly);
    try {
      return new AnnotationProject(file, sqlite, now);
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }

  /** What some work on a project comes to, which is closed behind it. @throws as `open` */
  static with<T>(file: string, options: OpenOptions, work: (project: AnnotationProject) => T): T {
    const project = AnnotationProject.open(file, options);
    try {
      return work(project);
    } finally {
      project.close();
    }
  }

  /** Nothing of the project is open any more, and nothing but its file is left where no one else has it open. */
  close(): void {
    closeProjectFile(this.#sqlite);
  }

  summary(): ProjectSummary {
    const kindCounts: Record<'RPL' | 'ADD', number> & { SPLIT?: number } = { RPL: 0, ADD: 0 };
    const kinds = this.#prepared.all('SELECT kind, count(*) AS n FROM items GROUP BY kind');
    for (const { kind, n } of kinds as { kind: AnnotationKind; n: number }[]) kindCounts[kind] = n;
    return {
      items: kindCounts.RPL + kindCounts.ADD + (kindCounts.SPLIT ?? 0),
      kindCounts,
      chunks: this.#count('SELECT count(*) FROM chunks'),
      openPlaces: this.#count(
        'SELECT sum(max(0, ? - (SELECT count(*) FROM assignments s WHERE s.chunk = c.id))) FROM chunks c',
        this.settings.overlap,
      ),
      answered: this.#count('SELECT count(*) FROM items WHERE annotators > 0'),
      adjudicated: this.#count('SELECT count(*) FROM items WHERE adjudicated = 1'),
      toReview: this.#count(
        'SELECT count(*) FROM items WHERE annotators > 0 AND adjudicated = 0 AND (disagreement > 0 OR flagged = 1)',
      ),
    };
  }

  people(): readonly Person[] {
    return this.#people.all();
  }

  /** The person whose link holds this token; compared in constant time. */
  personByToken(token: string): Person | null {
    return this.#people.byToken(token);
  }

  /**
   * Adds a person and returns the token for the link. An annotator gets a share of the chunks that nobody has begun.
   * @throws AnnotationRefusal where the name is taken or can't be one
   */
  addPerson(name: string, role: Role): string {
    return this.#people.add(name, role, this.settings);
  }

  /** A new token; the old link is dead. @throws AnnotationRefusal `unknown-person` */
  renewToken(name: string): string {
    return this.#people.renewToken(name);
  }

  /** The person's chunks, in the order they are worked through. @throws AnnotationRefusal `unknown-person` */
  chunksOf(person: string): readonly ChunkProgress[] {
    const { id } = this.#people.require(person);
    const counts = new Map<string, number>();
    const rows = this.#prepared.all('SELECT chunk, state, answers FROM progress WHERE slot = ?', id);
    for (const { chunk, state, answers } of rows as { chunk: number; state: AnswerState; answers: number }[])
      counts.set(`${chunk} ${state}`, answers);
    const chunks = this.#prepared.all(
      'SELECT c.id, c.kind, c.items FROM assignments s JOIN chunks c ON c.id = s.chunk WHERE s.person = ? ORDER BY s.chunk',
      id,
    ) as { id: number; kind: AnnotationKind; items: number }[];
    return chunks.map(({ id: chunk, kind, items }) => ({
      chunk,
      kind,
      items,
      done: counts.get(`${chunk} done`) ?? 0,
      skipped: counts.get(`${chunk} skipped`) ?? 0,
      drafts: counts.get(`${chunk} draft`) ?? 0,
    }));
  }

  /**
   * The items of one of the person's chunks, in the person's own order.
   * @throws AnnotationRefusal `unknown-person`, or `not-assigned` where the chunk is not theirs
   */
  itemsOf(person: string, chunk: number): readonly ListedItem[] {
    const { id, name } = this.#people.require(person);
    if (!this.#hasChunk(id, chunk)) throw this.#notAssigned(person, `chunk ${chunk}`);
    const rows = this.#prepared.all(
      `SELECT i.name AS id, i.kind, i.db_id AS dbId, i.table_name AS "table", i.column_name AS "column", a.state, a.flagged,
         (SELECT avg(value ->> 'difficulty') FROM json_each(c.item, '$.candidates')) AS difficulty
       FROM items i JOIN item_contents c ON c.id = i.id LEFT JOIN answers a ON a.item = i.id AND a.slot = ? WHERE i.chunk = ? ORDER BY i.id`,
      id,
      chunk,
    ) as (Omit<ListedItem, 'flagged'> & { flagged: number | null })[];
    const listed = rows.map((row) => ({ ...row, flagged: row.flagged === 1 }));
    return inPersonOrder(listed, this.settings.seed, name, chunk);
  }

  /** An item without what is around it. @throws AnnotationRefusal `unknown-item` */
  itemAlone(id: string): AnnotationItem {
    return this.#items.alone(id);
  }

  /** @throws AnnotationRefusal `unknown-item` */
  item(id: string): ItemInContext {
    const { item, context } = this.#items.whole(id);
    return { item, context };
  }

  /** @throws AnnotationRefusal `unknown-item` */
  scores(id: string): readonly CandidateScores[] {
    return this.#items.whole(id).scores;
  }

  /** All items with their contexts and scores, in the order that the project was made of. */
  items(): Iterable<ProjectItem> {
    return this.#items.all();
  }

  /** The chunk that an item is in, where it is one of the person's; null where it is not. */
  chunkOf(id: string, person: string): number | null {
    const { chunk } = this.#items.place(id);
    return this.#hasChunk(this.#people.require(person).id, chunk) ? chunk : null;
  }

  /** @throws AnnotationRefusal `unknown-item` or `unknown-person`; so do those below */
  answer(id: string, person: string): StoredAnswer | null {
    return this.#answers.get(this.#items.place(id).id, this.#people.require(person).id);
  }

  /**
   * Saves an annotator's answer that was made from revision `baseRevision`, 0 where there was none. It is on the disk
   * when this returns. A stale one changes nothing and is kept among the conflicts.
   * @throws AnnotationRefusal `not-assigned` where the item is in no chunk of theirs, `bad-answer` where it can't be
   * one
   */
  save(id: string, person: string, answer: Answer, baseRevision: number): SaveOutcome {
    const { id: item, chunk } = this.#items.place(id);
    const { id: author } = this.#people.require(person);
    if (!this.#hasChunk(author, chunk)) throw this.#notAssigned(person, 'the item', id);
    return this.#save({ item, slot: author, chunk, author }, id, answer, baseRevision);
  }

  /** Lists a person's stale saves of an item, oldest first; `revision` is the one that each was made from. */
  conflicts(id: string, person: string): readonly StoredAnswer[] {
    return this.#answers.conflicts(this.#items.place(id).id, this.#people.require(person).id);
  }

  /** Every revision of the person's answer, oldest first. */
  history(id: string, person: string): readonly StoredAnswer[] {
    return this.#answers.history(this.#items.place(id).id, this.#people.require(person).id);
  }

  progress(person: string): PersonProgress {
    const { id } = this.#people.require(person);
    const times = this.#prepared.all(
      `SELECT saved_at AS time FROM answers WHERE slot = ? AND state <> 'draft' ORDER BY saved_at DESC LIMIT ${PACE_ANSWERS}`,
      id,
    ) as { time: string }[];
    return {
      done: this.#count("SELECT ifnull(sum(answers), 0) FROM progress WHERE slot = ? AND state <> 'draft'", id),
      total: this.#count(
        'SELECT ifnull(sum(c.items), 0) FROM assignments s JOIN chunks c ON c.id = s.chunk WHERE s.person = ?',
        id,
      ),
      perHour: workPace(times.map(({ time }) => time)),
    };
  }

  /** The annotators' answers, drafts too, in order of the items. */
  allAnswers(): Iterable<StoredAnswer> {
    return this.#answers.ofAllAnnotators();
  }

  /** The annotators' answers to an item, drafts too, by name. For reviewers. */
  answersTo(id: string): readonly StoredAnswer[] {
    return this.#answers.ofAnnotators(this.#items.place(id).id);
  }

  /** Returns a reviewer's decision; `annotator` is the reviewer who saved it last. */
  adjudication(id: string): StoredAnswer | null {
    return this.#answers.get(this.#items.place(id).id, ADJUDICATION);
  }

  /** Saves a reviewer's decision, as `save` does. @throws AnnotationRefusal `not-a-reviewer` */
  adjudicate(id: string, reviewer: string, answer: Answer, baseRevision: number): SaveOutcome {
    const { id: item, chunk } = this.#items.place(id);
    const { id: author, role } = this.#people.require(reviewer);
    if (role !== 'reviewer')
      throw new AnnotationRefusal('not-a-reviewer', `${reviewer} is no reviewer`, 'Ask a reviewer of the project.');
    return this.#save({ item, slot: ADJUDICATION, chunk, author }, id, answer, baseRevision);
  }

  /** Lists items for a reviewer to look at: undecided first, of these flagged ones, then by disagreement. */
  disagreements(limit: number = REVIEW_ROWS): readonly ReviewedItem[] {
    const rows = this.#prepared.all(
      `SELECT name AS itemId, kind, db_id AS dbId, table_name AS "table", column_name AS "column", annotators, disagreement,
       adjudicated, flagged FROM items WHERE annotators > 0 ORDER BY adjudicated, flagged DESC, disagreement DESC, id LIMIT ?`,
      limit,
    ) as (Omit<ReviewedItem, 'adjudicated' | 'flagged'> & { adjudicated: number; flagged: number })[];
    return rows.map((row) => ({ ...row, adjudicated: row.adjudicated === 1, flagged: row.flagged === 1 }));
  }

  /** Items whose answers are known; none for questions to split. */
  qualificationItems(): readonly QualificationItem[] {
    return this.summary().kindCounts.SPLIT === undefined ? QUALIFICATION_ITEMS : [];
  }

  /**
   * Scores a round of known items; the person's best round counts. @throws AnnotationRefusal as `scoreQualification`
   * does
   */
  qualify(person: string, answers: Readonly<Record<string, readonly string[]>>): QualificationResult {
    const { name } = this.#people.require(person);
    const result = scoreQualification(answers, this.settings.qualification.passMark);
    this.#people.keepRound(name, result.score, answers, this.#time());
    return result;
  }

  /** Yields the final answer of each item with a submitted answer, see `finalAnswerOf`; in order of the items. */
  *finalAnswers(): Iterable<FinalAnswer> {
    for (const name of this.#items.answered()) {
      const { id } = this.#items.place(name);
      const adjudication = this.#answers.get(id, ADJUDICATION);
      const final = finalAnswerOf(this.#items.alone(name), this.#answers.ofAnnotators(id), adjudication);
      if (final !== null) yield final;
    }
  }

  /** Everything that the project knows of each item, every revision of every answer; in order of the items. */
  *records(): Iterable<ItemRecord> {
    for (const content of this.items())
      yield { ...content, ...this.#answers.record(this.#items.place(content.item.id).id) };
  }

  /**
   * Takes over what another place knows, all or nothing: see `importRecords`. People who are not known become members,
   * whose links `renewToken` makes.
   * @throws AnnotationRefusal naming the item whose answer can't be one
   */
  importRecords(given: RecordImport): RecordImportCounts {
    return importRecords(this.#sqlite, this.#answers, this.settings, given, this.#time());
  }

  /** Texts that formats of exchange keep here, by key. */
  notes(): Readonly<Record<string, string>> {
    return readNotes(this.#sqlite);
  }

  #save(place: AnswerPlace, id: string, answer: Answer, base: number): SaveOutcome {
    return this.#answers.save(place, toStoredForm(answer, this.#items.alone(id)), base, this.#time());
  }

  #time(): string {
    return this.#now().toISOString();
  }

  #readSettings(): ProjectSettings {
    const row = this.#prepared.get("SELECT value FROM meta WHERE key = 'settings'") as { value: string } | undefined;
    const where = { file: this.file, id: 'settings' };
    const fix = 'The project is damaged: take its last copy.';
    if (row === undefined) throw new AnnotationError('the project has no settings', { where, fix });
    return checkRecord(projectSettingsSchema, JSON.parse(row.value), where, fix);
  }

  #hasChunk(person: number, chunk: number): boolean {
    return this.#prepared.get('SELECT 1 FROM assignments WHERE person = ? AND chunk = ?', person, chunk) !== undefined;
  }

  #notAssigned(person: string, what: string, id?: string): AnnotationRefusal {
    return new AnnotationRefusal('not-assigned', `${what} is not one of ${person}’s`, 'Work on your own chunks.', id);
  }

  #count(sql: string, ...given: unknown[]): number {
    const [count] = Object.values(this.#prepared.get(sql, ...given) as Record<string, number>) as [number];
    return count;
  }
}
