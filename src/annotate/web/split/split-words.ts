import type { Answer, SplitTask } from '../../annotation.js';
import { segmentTexts } from '../../kinds/split-marks.js';
import { segmentsOf } from './split-edits.js';

/** Returns the letter of a sub-sentence: A, B, … */
export function letterOf(segment: number): string {
  return segment < 26 ? String.fromCharCode(65 + segment) : String(segment + 1);
}

/** A sub-sentence with what it says, as texts. */
export interface SaidSegment {
  readonly text: string;
  readonly says: readonly string[];
}

/** The sub-sentences of an answer with the clauses and extra columns that they say. */
export function saidSegments(task: SplitTask, answer: Answer): readonly SaidSegment[] {
  const segments = segmentsOf(answer);
  const texts = segmentTexts(task, segments);
  return segments.map(({ clauses, extra }, i) => ({
    text: (texts[i] ?? '').trim(),
    says: [
      ...clauses.map(({ clause, unmentioned }) => `${task.clauses[clause] ?? ''}${unmentioned ? ' (no mention)' : ''}`),
      ...extra.map((column) => `extra ${column}`),
    ],
  }));
}

/** An answer in one line: "A “Show the names”: select name; B …". */
export function splitInWords(task: SplitTask, answer: Answer): string {
  const parts = saidSegments(task, answer).map(
    ({ text, says }, i) => `${letterOf(i)} “${text}”: ${says.length === 0 ? 'nothing' : says.join(', ')}`,
  );
  return parts.join('; ');
}
