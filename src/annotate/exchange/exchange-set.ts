import type { AnnotationItem, NameKind, Role, StoredAnswer } from '../annotation.js';
import type { ItemRecord } from '../project/item-store.js';
import type { ProjectItem } from '../project/project-content.js';

/** The texts of an item that an annotator is shown, for tools that show plain text. */
export function describeItem({ item, context }: ProjectItem) {
  const names = context.columns.map(({ name }) => name);
  const entity = context.entity === null ? '' : `, about: ${context.entity}`;
  return {
    column: `${item.column} (${item.columnOriginal}, ${item.type})`,
    table: `${item.table} (${item.dbId}.${item.tableOriginal})${entity}`,
    rows: [names, ...context.rows].map((cells) => cells.join(' | ')).join('\n'),
    questions: context.questions.map(({ question, query }) => `${question}\n${query}`).join('\n\n'),
  };
}

/** Time of answers whose file tells none. */
export const UNDATED = '1970-01-01T00:00:00.000Z';

/** Someone whose answers travel. Tokens and qualification don't: they belong to one project. */
export interface ExchangePerson {
  readonly name: string;
  readonly role: Role;
}

/** The data that formats write and read: a project without its tokens, chunks and settings. */
export interface ExchangeSet {
  /** Name of the project, for headings. */
  readonly name: string;
  readonly people: readonly ExchangePerson[];
  /** Texts that formats keep for their own return journey, by key. */
  readonly notes: Readonly<Record<string, string>>;
  /** Items in the project's order; may be read while it is walked through, once. */
  readonly records: Iterable<ItemRecord>;
}

/** Roles by name. */
export function rolesOf(people: readonly ExchangePerson[]): Map<string, Role> {
  return new Map(people.map(({ name, role }) => [name, role]));
}

/** People by their roles. */
export function peopleOf(roles: ReadonlyMap<string, Role>): readonly ExchangePerson[] {
  return [...roles].map(([name, role]) => ({ name, role }));
}

/** Splits a list of revisions into those that stand, the last of each annotator, and the earlier ones. */
export function splitRevisions(answers: readonly StoredAnswer[]): {
  readonly standing: readonly StoredAnswer[];
  readonly earlier: readonly StoredAnswer[];
} {
  const isLast = (answer: StoredAnswer, i: number): boolean => answers[i + 1]?.annotator !== answer.annotator;
  return { standing: answers.filter(isLast), earlier: answers.filter((answer, i) => !isLast(answer, i)) };
}

function compareAnswers(a: StoredAnswer, b: StoredAnswer): number {
  if (a.annotator !== b.annotator) return a.annotator < b.annotator ? -1 : 1;
  return a.revision - b.revision || (a.savedAt < b.savedAt ? -1 : 1);
}

/**
 * Answers in a record's order. Where someone has two of the same revision, as when they answered the same item twice
 * elsewhere, the later one is made the next revision.
 */
export function inRevisionOrder(answers: readonly StoredAnswer[]): readonly StoredAnswer[] {
  const ordered: StoredAnswer[] = [];
  for (const answer of [...answers].sort(compareAnswers)) {
    const last = ordered.at(-1);
    const least = last?.annotator === answer.annotator ? last.revision + 1 : 1;
    ordered.push(answer.revision >= least ? answer : { ...answer, revision: least });
  }
  return ordered;
}

/** An answer's names in the order of the item's list; those that it lacks stay, at the end. */
export function inListOrder(names: readonly string[], item: AnnotationItem): readonly string[] {
  const listed = item.candidates.map(({ name }) => name);
  return [...listed.filter((name) => names.includes(name)), ...names.filter((name) => !listed.includes(name))];
}

/** A record without the current answers, for tools that have a form of their own for those. */
export interface CarriedRecord extends ItemRecord {
  /** Everyone whose answers the whole record has. */
  readonly people: readonly ExchangePerson[];
}

/** Splits a record: what tools show and change, and what only travels along. */
export function carryRecord(
  record: ItemRecord,
  roles: ReadonlyMap<string, Role>,
): {
  readonly standing: readonly StoredAnswer[];
  readonly adjudication: StoredAnswer | null;
  readonly carried: CarriedRecord;
} {
  const { standing, earlier } = splitRevisions(record.answers);
  const all = [...record.answers, ...record.adjudications, ...record.conflicts];
  const names = [...new Set(all.map(({ annotator }) => annotator))];
  const people = names.map((name) => ({ name, role: roles.get(name) ?? 'annotator' }));
  const carried = { ...record, answers: earlier, adjudications: record.adjudications.slice(0, -1), people };
  return { standing, adjudication: record.adjudications.at(-1) ?? null, carried };
}

/** Puts a record together again. */
export function joinRecord(
  { item, context, scores, answers, adjudications, conflicts }: ItemRecord,
  standing: readonly StoredAnswer[],
  adjudication: readonly StoredAnswer[],
): ItemRecord {
  const all = inRevisionOrder([...answers, ...standing]);
  return { item, context, scores, answers: all, adjudications: [...adjudications, ...adjudication], conflicts };
}

/** A form in which annotations leave a project and come back. */
export interface ExchangeFormat {
  /** The kind of output that `write` makes of the path that it is given. */
  readonly out: 'file' | 'folder';
  /** True if a file holds one kind only, so that it must be said which. */
  readonly oneKind: boolean;
  /** True if it holds questions to split, next to names. */
  readonly holdsSplits: boolean;
  /** Writes a set; a file is written whole or not at all. */
  write(set: ExchangeSet, out: string): void;
  /**
   * Reads a set; `kind` is what the items of a format with one kind are. Nothing is written.
   * @throws InputFormatError naming the file and the line or item that is wrong, at once or while records are walked
   */
  read(path: string, kind: NameKind | null): ExchangeSet;
}
