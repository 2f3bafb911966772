import type {
  AnnotationItem,
  AnnotationKind,
  Answer,
  AnswerState,
  ContextColumn,
  GoesWith,
  ListedCandidate,
} from '../annotation.js';
import type { Me } from '../api-shapes.js';
import { splitInWords } from './split/split-edits.js';

/** A share as whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** The kind of an addition, in words. */
export const GOES_WITH: Readonly<Record<GoesWith, string>> = {
  column: 'close to its column',
  row: 'belongs to the row',
};

const SOURCES: Readonly<Record<string, string>> = {
  retrieval: 'found in tables',
  dictionary: 'dictionary',
  vocabulary: 'vocabulary',
  random: 'drawn at random',
  neighbors: 'near in word vectors',
  masked: 'a masked language model',
  llm: 'a language model',
  annotation: 'imported list',
};

/** Lists of what tables of a kind have; `*` is that of any table. */
const ATTRIBUTES = 'attributes/';

/** Where a name comes from: its source, and for one found in a table, the table and column. */
export function originInWords({ name, source, origin }: ListedCandidate): string {
  if (origin === null) return SOURCES[source] ?? source;
  if (origin.table === `${ATTRIBUTES}*`) return 'usual in any table';
  const title = origin.title === '' ? origin.table : origin.title;
  if (origin.table.startsWith(ATTRIBUTES)) return `usual in tables like “${title}”`;
  const column = origin.column === name ? '' : `, column “${origin.column}”`;
  return `table “${title}”${column}`;
}

interface KindWords {
  readonly title: string;
  /** Which names are right. */
  readonly meaning: string;
  /** The instructions for such names. */
  readonly task: (minAdd: number, maxAdd: number) => string;
  /** The label for choosing none. */
  readonly none: string;
}

/** The wording of each kind's task (ADVETA §2.2, §2.3, §3.1; Spider-SS §2). */
export const KINDS: Readonly<Record<AnnotationKind, KindWords>> = {
  RPL: {
    title: 'Replace',
    meaning: 'Names that mean the same as the column, so that one can stand in its place.',
    task: () => 'Take them from the list, or write your own.',
    none: 'No name fits',
  },
  ADD: {
    title: 'Add',
    meaning: 'Columns that go well with the column in its table, yet mean something else.',
    task: (minAdd, maxAdd) => `Take ${minAdd} to ${maxAdd} from the list.`,
    none: 'No name fits',
  },
  SPLIT: {
    title: 'Split',
    meaning: 'Sub-sentences of a question, each of which says whole clauses of the gold query.',
    task: () => 'Correct where they begin and which clauses they say.',
    none: 'No clause is said',
  },
};

/** State of an item, in a word; `open`: not touched. */
export const STATE_WORDS: Readonly<Record<AnswerState | 'open', string>> = {
  open: 'open',
  draft: 'draft',
  done: 'handed in',
  skipped: 'skipped',
};

/** Returns the noun for the project's items, singular and plural. */
export function itemNoun({ project }: Me): { readonly one: string; readonly many: string } {
  const isSplit = project.kindCounts.SPLIT !== undefined;
  return isSplit ? { one: 'question', many: 'questions' } : { one: 'column', many: 'columns' };
}

/** Where an item is from: "in singer, concert_singer". */
export function placeInWords(item: {
  readonly kind: AnnotationKind;
  readonly table: string;
  readonly dbId: string;
}): string {
  return item.kind === 'SPLIT' ? `in ${item.dbId}` : `in ${item.table}, ${item.dbId}`;
}

/** How sure a name is that was read from an identifier. */
export function readingWords(confidence: number): string {
  return `read, ${percent(confidence)} sure`;
}

/** Returns the lines below a column's name: its identifier if different, and the confidence of a name read from it. */
export function identifierWords({ name, originalName, readingConfidence }: ContextColumn): readonly string[] {
  const reading = readingConfidence === undefined ? [] : [readingWords(readingConfidence)];
  return [...(originalName === name ? [] : [originalName]), ...reading];
}

/** An answer in one line: its names, or its sub-sentences. */
export function answerInWords({ split }: AnnotationItem, answer: Answer): string {
  if (split !== undefined) return splitInWords(split, answer);
  return [...answer.accepted, ...answer.written].join(' · ') || 'no name';
}
