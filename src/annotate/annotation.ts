import type { NatSqlForm } from '../formats/annotated-split.js';
import type { ColumnType } from '../schema/schema.js';

/**
 * The kinds of items: names that may replace a column, columns that may join its table (ADVETA §3.1), or how a question
 * is split and what its sub-sentences say of the gold query (Spider-SS, appendix C).
 */
export const ANNOTATION_KINDS = ['RPL', 'ADD', 'SPLIT'] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** The kinds that ask for names. */
export const NAME_KINDS = ['RPL', 'ADD'] as const satisfies readonly AnnotationKind[];
export type NameKind = (typeof NAME_KINDS)[number];

/** Items by kind; a project of names has none to split. */
export type KindCounts = Readonly<Record<NameKind, number>> & { readonly SPLIT?: number };

/** The roles in a project: `annotator` answers chunks, `reviewer` also sees all answers and adjudicates. */
export const ROLES = ['annotator', 'reviewer'] as const;
export type Role = (typeof ROLES)[number];

/** `draft`: kept, not handed in; `done`: handed in; `skipped`: handed in as "can't be judged". */
export const ANSWER_STATES = ['draft', 'done', 'skipped'] as const;
export type AnswerState = (typeof ANSWER_STATES)[number];

/** A proposed name with where it comes from. Scores travel apart, so that a page can't show them unasked. */
export interface ListedCandidate {
  /** Distinct within its item; natural words. */
  readonly name: string;
  /** `retrieval`, `dictionary` …: a `CandidateSourceKind`, or `annotation` for imported lists. */
  readonly source: string;
  readonly origin: { readonly table: string; readonly title: string; readonly column: string } | null;
  /** How hard the name would make it to find the right column, 0 to 1; absent in projects of earlier versions. */
  readonly difficulty?: number;
}

/** The pipeline's scores for a candidate; fetched by a separate request. */
export interface CandidateScores {
  readonly name: string;
  readonly bucket: string;
  readonly reason: string;
  readonly similarity: number | null;
  readonly association: number | null;
  readonly e1: number | null;
  readonly e2: number | null;
  /** The companion of an accepted addition: its column, or the row as a whole; absent for any other name. */
  readonly goesWith?: GoesWith;
}

/** True if an addition is close in topic to its column (ADVETA §2.3), or belongs to the row as a whole. */
export type GoesWith = 'column' | 'row';

/** A question to split with the clauses of its gold. */
export interface SplitTask {
  /** Id of the example. */
  readonly example: string;
  /** Place of the example in its data set, from 0. */
  readonly position: number;
  readonly question: string;
  readonly query: string;
  /** Words and marks of the question, in UTF-16 units. */
  readonly tokens: readonly { readonly start: number; readonly end: number }[];
  /** The gold's clauses as people read them: "order by singer.age desc". */
  readonly clauses: readonly string[];
  /** How a program splits and aligns it, as marks (`marksOf`): the answer that people start from. */
  readonly proposal: readonly string[];
  /** The gold in NatSQL; null where NatSQL has no form for it. */
  readonly natSql: NatSqlForm | null;
}

/** One unit of work: one column and one kind of names, or one question to split. */
export interface AnnotationItem {
  /** Distinct in a project and stable: "concert_singer/singer/country/RPL" (URL-encoded parts). */
  readonly id: string;
  readonly kind: AnnotationKind;
  readonly dbId: string;
  /** Natural and original name of the table. */
  readonly table: string;
  readonly tableOriginal: string;
  readonly column: string;
  readonly columnOriginal: string;
  readonly type: ColumnType;
  /** In the order of the list: by default the pipeline's own ranking. */
  readonly candidates: readonly ListedCandidate[];
  /**
   * Of the kind SPLIT, and there alone. Such an item has the question as its column, the database as its table, the
   * example's id as their original names, and no candidates.
   */
  readonly split?: SplitTask;
}

/** The id of an item: "concert_singer/singer/Country/RPL", of original names, each part URL-encoded. */
export function annotationItemId(
  item: Pick<AnnotationItem, 'dbId' | 'tableOriginal' | 'columnOriginal' | 'kind'>,
): string {
  return [item.dbId, item.tableOriginal, item.columnOriginal, item.kind].map(encodeURIComponent).join('/');
}

/** A question that mentions a column, with its gold. */
export interface ContextQuestion {
  readonly id: string;
  readonly question: string;
  readonly query: string;
  /** Fields of the data set's own; left out where the example has none. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** A column of an item's table. */
export interface ContextColumn {
  readonly name: string;
  readonly originalName: string;
  readonly type: ColumnType;
  /** Probability that people read the name in the identifier, below 1; absent where it was given, or is its words. */
  readonly readingConfidence?: number;
}

/** The context that the page shows around an item: its table with rows, and the questions that mention the column. */
export interface ItemContext {
  /** Primary entity of the table (TPE); null where none was predicted. */
  readonly entity: string | null;
  /** Of a question to split, those of the whole database, with "table.column" as their original names. */
  readonly columns: readonly ContextColumn[];
  /** Up to five rows of cell texts, by column. */
  readonly rows: readonly (readonly string[])[];
  readonly questions: readonly ContextQuestion[];
}

/** One person's answer to an item. */
export interface Answer {
  readonly state: AnswerState;
  /** Names taken from the list, in the list's order; of a split question its marks (`marksOf`). */
  readonly accepted: readonly string[];
  /** Names of the annotator's own (RPL free-form), in the order they were written. */
  readonly written: readonly string[];
  readonly comment: string;
  /** Marked for a reviewer's eye. */
  readonly flagged: boolean;
}

/** An answer as stored; `revision` counts its saves from 1, so that a stale save is seen. */
export interface StoredAnswer extends Answer {
  readonly itemId: string;
  readonly annotator: string;
  readonly revision: number;
  /** ISO time of the save. */
  readonly savedAt: string;
}

/** An answer without who saved it when. */
export function contentOf({ state, accepted, written, comment, flagged }: Answer): Answer {
  return { state, accepted, written, comment, flagged };
}

/** Checks whether two answers say the same. */
export function sameAnswer(a: Answer, b: Answer): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b));
}

/** A run of items that one person works through in an order of their own. */
export interface ChunkProgress {
  readonly chunk: number;
  readonly kind: AnnotationKind;
  readonly items: number;
  readonly done: number;
  readonly skipped: number;
  readonly drafts: number;
}

/** A person with a link of their own. */
export interface Person {
  readonly name: string;
  readonly role: Role;
  /** Share of the qualification items answered as known, 0 to 1; null before the round is finished. */
  readonly qualification: number | null;
}

/** Checks whether someone may not answer items yet: an annotator has to pass a round of known answers first. */
export function isLocked(
  { role, qualification }: Person,
  { required, passMark }: { readonly required: boolean; readonly passMark: number },
): boolean {
  return role === 'annotator' && required && (qualification ?? 0) < passMark;
}

/** Why a free-form name is doubtful; shown at once, refuses nothing. */
export interface NameCheck {
  readonly name: string;
  /** `empty`, `same-as-target`, `existing-column` (the other one in `column`), `listed` (already a candidate),
   * `equivalent-to-other` (the NLI judge takes it for `column`), `spelling` (see `suggestions`). */
  readonly problems: readonly { readonly kind: string; readonly column: string | null }[];
  /** Spellings that the word list knows, best first; empty where each word is known. */
  readonly suggestions: readonly string[];
  /**
   * True if the judge has compared the name with the other columns: `later` while it is at it or being loaded, so that
   * it can be asked again; `no` where there is none, and for a name that clashes already.
   */
  readonly judged: 'yes' | 'later' | 'no';
}
