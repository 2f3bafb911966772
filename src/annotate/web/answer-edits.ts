import type { AnnotationItem, Answer } from '../annotation.js';

/** The answer to an item that nobody has touched. */
export const EMPTY_ANSWER: Answer = { state: 'draft', accepted: [], written: [], comment: '', flagged: false };

/** Checks whether any name is chosen. */
export function hasNames({ accepted, written }: Answer): boolean {
  return accepted.length + written.length > 0;
}

/** Takes a listed name or gives it back; a handed-in answer is a draft again. */
export function toggleName(answer: Answer, item: AnnotationItem, name: string): Answer {
  const taken = new Set(answer.accepted);
  if (!taken.delete(name)) taken.add(name);
  return withNames(answer, item, [...taken, ...answer.written]);
}

/** The answer with just these names: those of the list in the list's order, the others as written. */
export function withNames(answer: Answer, item: AnnotationItem, names: Iterable<string>): Answer {
  const wanted = new Set(names);
  const accepted = item.candidates.map(({ name }) => name).filter((name) => wanted.has(name));
  const listed = new Set(accepted);
  return { ...answer, state: 'draft', accepted, written: [...wanted].filter((name) => !listed.has(name)) };
}

/** The outcome of writing a name: a name of its own, one of the list, or no new one. */
export interface WrittenName {
  readonly answer: Answer;
  readonly outcome: 'written' | 'listed' | 'there-already' | 'empty';
}

/** Adds a name of the annotator's own; one that the list has is taken from the list. */
export function writeName(answer: Answer, item: AnnotationItem, text: string): WrittenName {
  const name = text.trim().replace(/\s+/g, ' ');
  if (name === '') return { answer, outcome: 'empty' };
  const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  if ([...answer.accepted, ...answer.written].some(same)) return { answer, outcome: 'there-already' };
  const listed = item.candidates.find((candidate) => same(candidate.name));
  if (listed !== undefined) return { answer: toggleName(answer, item, listed.name), outcome: 'listed' };
  return { answer: { ...answer, state: 'draft', written: [...answer.written, name] }, outcome: 'written' };
}

/** Takes back a name of the annotator's own. */
export function removeWritten(answer: Answer, name: string): Answer {
  return { ...answer, state: 'draft', written: answer.written.filter((other) => other !== name) };
}

/**
 * How many names are chosen and asked for, in words, and whether that fits. Nothing is refused (ADVETA §3.1: 3 to 5).
 */
export function countInWords(
  answer: Answer,
  kind: AnnotationItem['kind'],
  { minAdd, maxAdd }: { readonly minAdd: number; readonly maxAdd: number },
): { readonly text: string; readonly fits: boolean } {
  const count = answer.accepted.length + answer.written.length;
  if (kind === 'RPL') return { text: `${count} chosen`, fits: count > 0 };
  return { text: `${count} chosen, ${minAdd} to ${maxAdd} asked for`, fits: count >= minAdd && count <= maxAdd };
}
