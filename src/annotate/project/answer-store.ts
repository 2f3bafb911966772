import type Sqlite from 'better-sqlite3';
import { mustGet, zip } from '../../present.js';
import { type Answer, type AnswerState, sameAnswer, type StoredAnswer } from '../annotation.js';
import { disagreementOf } from '../kinds/answer-rules.js';
import type { AnswerRecord } from './item-store.js';
import { Prepared } from './project-file.js';

/** Longest time between two answers that is work, in milliseconds; a longer one is a break. */
const LONGEST_WORK = 5 * 60 * 1000;
/** Fewest stretches of work that a pace is said of: those between ten answers in one go. */
const FEWEST = 9;
/** Least work that a pace is said of, in milliseconds: the first answers, given in seconds, foretell nothing. */
const LEAST_WORK = 2 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/** Answers per hour of work, from the times that answers were handed in; null where there is too little to say. */
export function workPace(times: readonly string[]): number | null {
  const sorted = times.map((time) => Date.parse(time)).sort((a, b) => a - b);
  const gaps = zip(sorted.slice(1), sorted.slice(0, -1)).map(([time, before]) => time - before);
  const work = gaps.filter((gap) => gap <= LONGEST_WORK);
  const worked = work.reduce((sum, gap) => sum + gap, 0);
  return work.length < FEWEST || worked < LEAST_WORK ? null : (work.length * HOUR) / worked;
}

/** Slot of the adjudication; an annotator's slot is the annotator's id. */
export const ADJUDICATION = 0;

interface AnswerRow {
  readonly item: number;
  readonly slot: number;
  readonly name: string;
  readonly author: string;
  readonly revision: number;
  readonly state: AnswerState;
  readonly accepted: string;
  readonly written: string;
  readonly comment: string;
  readonly flagged: number;
  readonly saved_at: string;
}

/** Where an answer goes: item, slot, chunk, and who writes it, all as the file's ids. */
export interface AnswerPlace {
  readonly item: number;
  readonly slot: number;
  readonly chunk: number;
  readonly author: number;
}

/** The outcome of a save; a stale one is kept as a conflict next to the current answer. */
export type SaveOutcome =
  { readonly saved: true; readonly answer: StoredAnswer } | { readonly saved: false; readonly current: StoredAnswer };

/** The outcome of importing an answer: new, later than the current one, already present, or kept as a conflict. */
export type ImportOutcome = 'added' | 'changed' | 'unchanged' | 'stale';

/** Checks whether two revisions are one: what follows an answer elsewhere gets another number there. */
function isSameRevision(a: StoredAnswer, b: StoredAnswer): boolean {
  return a.savedAt === b.savedAt && sameAnswer(a, b);
}

const READ = (table: 'answers' | 'revisions' | 'conflicts'): string =>
  `SELECT a.item, a.slot, i.name, p.name AS author, a.revision, a.state, a.accepted, a.written, a.comment, a.flagged,
  a.saved_at FROM ${table} a JOIN items i ON i.id = a.item JOIN people p ON p.id = a.author`;

const VALUES = '@author, @revision, @state, @accepted, @written, @comment, @flagged, @savedAt';

/** An update rather than a replacement: triggers count answers by their state. */
const WRITE = `INSERT INTO answers VALUES (@item, @slot, @chunk, ${VALUES}) ON CONFLICT DO UPDATE SET author = @author,
  revision = @revision, state = @state, accepted = @accepted, written = @written, comment = @comment, flagged = @flagged,
  saved_at = @savedAt`;

function toAnswer(row: AnswerRow): StoredAnswer {
  return {
    itemId: row.name,
    annotator: row.author,
    revision: row.revision,
    savedAt: row.saved_at,
    state: row.state,
    accepted: JSON.parse(row.accepted) as string[],
    written: JSON.parse(row.written) as string[],
    comment: row.comment,
    flagged: row.flagged === 1,
  };
}

/** A revision of an answer, to be written. */
type Revision = Answer & Pick<StoredAnswer, 'revision' | 'savedAt'>;

function toRow({ item, slot, chunk, author }: AnswerPlace, answer: Revision): Record<string, string | number> {
  const { accepted, written, flagged, revision, savedAt, state, comment } = answer;
  const texts = { accepted: JSON.stringify(accepted), written: JSON.stringify(written), state, comment, savedAt };
  return { item, slot, chunk, author, revision, flagged: flagged ? 1 : 0, ...texts };
}

/** The answers of a project: the current one per item and slot, each revision that it had, and conflicts. */
export class AnswerStore {
  readonly #prepared: Prepared;

  constructor(sqlite: Sqlite.Database) {
    this.#prepared = new Prepared(sqlite);
  }

  get(item: number, slot: number): StoredAnswer | null {
    return this.#read(`${READ('answers')} WHERE a.item = ? AND a.slot = ?`, item, slot)[0] ?? null;
  }

  /** The annotators' answers to an item, by name. */
  ofAnnotators(item: number): readonly StoredAnswer[] {
    return this.#read(`${READ('answers')} WHERE a.item = ? AND a.slot <> ${ADJUDICATION} ORDER BY p.name`, item);
  }

  /** Every revision, oldest first. */
  history(item: number, slot: number): readonly StoredAnswer[] {
    return this.#read(`${READ('revisions')} WHERE a.item = ? AND a.slot = ? ORDER BY a.revision`, item, slot);
  }

  /** Lists stale saves, oldest first; `revision` is the one that they were made from. */
  conflicts(item: number, slot: number): readonly StoredAnswer[] {
    return this.#read(`${READ('conflicts')} WHERE a.item = ? AND a.slot = ? ORDER BY a.id`, item, slot);
  }

  /** All answers of annotators, in order of the items. */
  *ofAllAnnotators(): Iterable<StoredAnswer> {
    const sql = `${READ('answers')} WHERE (a.item, a.slot) > (?, ?) AND a.slot > ${ADJUDICATION} ORDER BY a.item, a.slot`;
    const rows = this.#prepared.pages<AnswerRow>(sql, (last) => [last?.item ?? -1, last?.slot ?? -1]);
    for (const row of rows) yield toAnswer(row);
  }

  /**
   * Saves an answer that was made from revision `base`, 0 where there was none; on the disk when it returns. A save
   * that says what is there already, a repeated one for instance, changes nothing.
   */
  save(place: AnswerPlace, answer: Answer, base: number, savedAt: string): SaveOutcome {
    return this.#prepared.atOnce((): SaveOutcome => {
      const current = this.get(place.item, place.slot);
      if (current !== null && sameAnswer(current, answer)) return { saved: true, answer: current };
      if (current !== null && current.revision !== base) {
        this.keepConflict(place, { ...answer, revision: base, savedAt });
        return { saved: false, current };
      }
      const revision = (current?.revision ?? 0) + 1;
      return { saved: true, answer: this.#write(place, { ...answer, revision, savedAt }) };
    });
  }

  /** Everything that is kept of the answers to an item. */
  record(item: number): AnswerRecord {
    const revisions = (slots: string, order: string): readonly StoredAnswer[] =>
      this.#read(`${READ('revisions')} WHERE a.item = ? AND a.slot ${slots} ORDER BY ${order} a.revision`, item);
    return {
      // By bytes: the same in every project, whatever order people came in.
      answers: revisions(`<> ${ADJUDICATION}`, 'p.name COLLATE BINARY,'),
      adjudications: revisions(`= ${ADJUDICATION}`, ''),
      conflicts: this.#read(`${READ('conflicts')} WHERE a.item = ? ORDER BY a.id`, item),
    };
  }

  /**
   * Takes over revisions of one answer from another place, oldest first, with their times. Where there was none, they
   * stand as they are. Else those that are not known follow the current one, if they are later; one that was
   * exported and edited counts as saved `now`. Earlier ones are kept as conflicts.
   */
  takeOver(
    place: Omit<AnswerPlace, 'author'>,
    revisions: readonly { readonly author: number; readonly answer: StoredAnswer }[],
    now: string,
  ): ImportOutcome {
    const known = this.history(place.item, place.slot);
    const outcomes = revisions.map(({ author, answer }) => {
      if (known.some((one) => isSameRevision(one, answer))) return 'unchanged';
      return this.#follow({ ...place, author }, answer, known.length === 0, now);
    });
    return (['added', 'changed', 'stale'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'unchanged';
  }

  /** Keeps what a stale save held, here or elsewhere. */
  keepConflict(place: AnswerPlace, answer: Revision): void {
    // A page that tries again is no further version.
    if (this.conflicts(place.item, place.slot).some((kept) => sameAnswer(kept, answer))) return;
    this.#prepared.run(`INSERT INTO conflicts VALUES (NULL, @item, @slot, ${VALUES})`, toRow(place, answer));
  }

  #read(sql: string, ...given: unknown[]): readonly StoredAnswer[] {
    return (this.#prepared.all(sql, ...given) as AnswerRow[]).map(toAnswer);
  }

  #follow(place: AnswerPlace, answer: StoredAnswer, isNew: boolean, now: string): ImportOutcome {
    const current = this.get(place.item, place.slot);
    const following = Math.max(answer.revision, (current?.revision ?? 0) + 1);
    if (isNew || current === null) {
      this.#write(place, { ...answer, revision: following });
      return 'added';
    }
    if (sameAnswer(current, answer)) return 'unchanged';
    const isEdited = answer.savedAt === current.savedAt && answer.revision === current.revision;
    if (!isEdited && answer.savedAt <= current.savedAt) {
      this.keepConflict(place, answer);
      return 'stale';
    }
    this.#write(place, { ...answer, revision: following, savedAt: isEdited ? now : answer.savedAt });
    return 'changed';
  }

  #write(place: AnswerPlace, answer: Revision): StoredAnswer {
    const row = toRow(place, answer);
    this.#prepared.run(WRITE, row);
    this.#prepared.run(`INSERT INTO revisions VALUES (@item, @slot, ${VALUES})`, row);
    this.#summarize(place.item);
    return mustGet(this.get(place.item, place.slot), 'get(place.item, place.slot)');
  }

  /** Updates the summary of an item for reviewers' lists, kept next to it so that they needn't read answers. */
  #summarize(item: number): void {
    const answers = this.ofAnnotators(item);
    const handedIn = answers.filter(({ state }) => state !== 'draft');
    const flagged = answers.some((answer) => answer.flagged) ? 1 : 0;
    const adjudicated = this.get(item, ADJUDICATION)?.state;
    this.#prepared.run(
      'UPDATE items SET annotators = ?, disagreement = ?, flagged = ?, adjudicated = ? WHERE id = ?',
      handedIn.length,
      disagreementOf(handedIn),
      flagged,
      adjudicated === undefined || adjudicated === 'draft' ? 0 : 1,
      item,
    );
  }
}
