import type Sqlite from 'better-sqlite3';
import { type AnnotationItem, contentOf, type StoredAnswer } from '../annotation.js';
import { AnnotationRefusal } from './annotation-refusal.js';
import { toStoredForm } from './answer-schema.js';
import { ADJUDICATION, type AnswerStore, type ImportOutcome } from './answer-store.js';
import { dealChunks, insertChunks, insertPerson } from './create-project.js';
import type { ItemRecord } from './item-store.js';
import { makeChunks } from './chunks.js';
import type { NewPerson, ProjectSettings } from './project-content.js';
import { Prepared } from './project-file.js';
import { mustGet } from '../../present.js';
import { groupBy } from '../../run/group-by.js';

/** The data taken over from another place. */
export interface RecordImport {
  readonly people: readonly NewPerson[];
  readonly records: Iterable<ItemRecord>;
  /** Texts that formats keep, by key. */
  readonly notes: Readonly<Record<string, string>>;
}

/** Counts from an import. */
export interface RecordImportCounts {
  /** Records read, and those about items that the project lacked. */
  readonly items: number;
  readonly newItems: number;
  /** Names of those who were not known; `renewToken` makes their links. */
  readonly newPeople: readonly string[];
  /** Answers, one per item and annotator, and adjudications. */
  readonly answers: Readonly<Record<ImportOutcome, number>>;
}

const NOTE = 'note/';

interface ItemRow {
  readonly id: number;
  readonly chunk: number;
  readonly item: string;
}

/** Takes whole records in: items, every revision of every answer, conflicts, notes. Used inside one transaction. */
class RecordImporter {
  readonly #sqlite: Sqlite.Database;
  readonly #prepared: Prepared;
  readonly #answers: AnswerStore;
  readonly #settings: ProjectSettings;
  readonly #now: string;
  readonly #counts = { added: 0, changed: 0, unchanged: 0, stale: 0 };
  readonly #people = new Map<string, number>();
  readonly #newPeople: string[] = [];

  constructor(
    sqlite: Sqlite.Database,
    prepared: Prepared,
    answers: AnswerStore,
    settings: ProjectSettings,
    now: string,
  ) {
    this.#sqlite = sqlite;
    this.#prepared = prepared;
    this.#answers = answers;
    this.#settings = settings;
    this.#now = now;
  }

  run({ people, records, notes }: RecordImport): RecordImportCounts {
    for (const person of people) this.#personId(person);
    const fresh: ItemRecord[] = [];
    let items = 0;
    for (const record of records) {
      items++;
      const row = this.#find(record.item.id);
      if (row === null) fresh.push(record);
      else this.#takeOver(record, row);
    }
    if (items === 0) throw new AnnotationRefusal('bad-answer', 'there are no items in it', 'Name a file with items.');
    this.#addItems(fresh);
    for (const record of fresh) this.#takeOver(record, mustGet(this.#find(record.item.id), 'find(record.item.id)'));
    // At the end: whoever has answers in a chunk has begun it, and it counts as theirs.
    if (fresh.length + this.#newPeople.length > 0) dealChunks(this.#sqlite, this.#settings);
    for (const [key, text] of Object.entries(notes)) {
      this.#prepared.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', `${NOTE}${key}`, text);
    }
    return { items, newItems: fresh.length, newPeople: this.#newPeople, answers: this.#counts };
  }

  #find(id: string): ItemRow | null {
    const sql = 'SELECT i.id, i.chunk, c.item FROM items i JOIN item_contents c ON c.id = i.id WHERE i.name = ?';
    return (this.#prepared.get(sql, id) as ItemRow | undefined) ?? null;
  }

  #addItems(fresh: readonly ItemRecord[]): void {
    const ids = new Set<string>();
    for (const { item } of fresh) {
      if (ids.has(item.id))
        throw new AnnotationRefusal('bad-answer', 'two items have one id', 'Give each its own.', item.id);
      ids.add(item.id);
    }
    if (fresh.length === 0) return;
    const chunks = makeChunks(
      fresh.map(({ item }) => item),
      this.#settings.chunkSize,
    );
    insertChunks(this.#sqlite, fresh, chunks);
  }

  #takeOver({ answers, adjudications, conflicts }: ItemRecord, row: ItemRow): void {
    const item = JSON.parse(row.item) as AnnotationItem;
    for (const { itemId } of [...answers, ...adjudications, ...conflicts]) {
      if (itemId !== item.id)
        throw new AnnotationRefusal(
          'bad-answer',
          `an answer is about "${itemId}"`,
          'Put it next to that item.',
          item.id,
        );
    }
    const place = { item: row.id, chunk: row.chunk };
    const revision = (role: NewPerson['role']) => (answer: StoredAnswer) => ({
      author: this.#personId({ name: answer.annotator, role }),
      answer: { ...answer, ...toStoredForm(contentOf(answer), item) },
    });
    for (const [slot, revisions] of groupBy(answers.map(revision('annotator')), ({ author }) => author)) {
      this.#assign(slot, row.chunk);
      this.#counts[this.#answers.takeOver({ ...place, slot }, revisions, this.#now)]++;
    }
    if (adjudications.length > 0) {
      const revisions = adjudications.map(revision('reviewer'));
      this.#counts[this.#answers.takeOver({ ...place, slot: ADJUDICATION }, revisions, this.#now)]++;
    }
    for (const { author, answer } of conflicts.map(revision('annotator'))) {
      const slot = this.#isReviewer(author) ? ADJUDICATION : author;
      this.#answers.keepConflict({ ...place, slot, author }, answer);
    }
  }

  /** Whoever answered an item has its chunk from then on. */
  #assign(person: number, chunk: number): void {
    this.#prepared.run('INSERT OR IGNORE INTO assignments (person, chunk) VALUES (?, ?)', person, chunk);
  }

  #isReviewer(person: number): boolean {
    return this.#prepared.statement('SELECT role FROM people WHERE id = ?').pluck().get(person) === 'reviewer';
  }

  #personId(person: NewPerson): number {
    const remembered = this.#people.get(person.name);
    if (remembered !== undefined) return remembered;
    const find = this.#prepared.statement('SELECT id FROM people WHERE name = ?').pluck();
    const known = find.get(person.name.trim()) as number | undefined;
    if (known === undefined) {
      insertPerson(this.#sqlite, person);
      this.#newPeople.push(person.name.trim());
    }
    const id = known ?? (find.get(person.name.trim()) as number);
    this.#people.set(person.name, id);
    return id;
  }
}

/**
 * Takes over what another place knows, all or nothing: items that the project lacks come in chunks of their own, people
 * who are not known become members, answers are merged as `AnswerStore.takeOver` says.
 * @throws AnnotationRefusal naming the item whose answer can't be one
 */
export function importRecords(
  sqlite: Sqlite.Database,
  answers: AnswerStore,
  settings: ProjectSettings,
  given: RecordImport,
  now: string,
): RecordImportCounts {
  const prepared = new Prepared(sqlite);
  return prepared.atOnce(() => new RecordImporter(sqlite, prepared, answers, settings, now).run(given));
}

/** Texts that formats keep in a project, by key. */
export function readNotes(sqlite: Sqlite.Database): Readonly<Record<string, string>> {
  const rows = sqlite.prepare("SELECT key, value FROM meta WHERE key GLOB 'note/*'").all() as {
    readonly key: string;
    readonly value: string;
  }[];
  return Object.fromEntries(rows.map(({ key, value }) => [key.slice(NOTE.length), value]));
}
