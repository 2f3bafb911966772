import type { AnnotationItem, AnnotationKind, Answer, ContextColumn } from '../annotation.js';
import type { Me } from '../api-shapes.js';
import { percent } from './percent.js';
import { splitInWords } from './split/split-words.js';

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
