import type { AnnotationItem, Answer, StoredAnswer } from '../annotation.js';
import type { SplitPart } from '../api-shapes.js';
import { spacedName } from '../../schema/name-identity.js';

/** The names that an answer takes, written as listed ones are compared: none where it was skipped. */
export function takenNames({ accepted, written, state }: Answer): ReadonlySet<string> {
  return new Set(state === 'done' ? [...accepted, ...written].map(spacedName) : []);
}

function distance(a: Answer, b: Answer): number {
  if (a.state !== b.state) return 1;
  const [first, second] = [takenNames(a), takenNames(b)];
  const shared = [...first].filter((name) => second.has(name)).length;
  const all = first.size + second.size - shared;
  return all === 0 ? 0 : 1 - shared / all;
}

/**
 * How far answers to one item are apart, 0 to 1: the mean Jaccard distance of the names taken, over all pairs. One who
 * skips and one who does not are wholly apart. 0 for fewer than two answers.
 */
export function disagreementOf(answers: readonly Answer[]): number {
  const distances = answers.flatMap((a, i) => answers.slice(i + 1).map((b) => distance(a, b)));
  return distances.reduce((sum, d) => sum + d, 0) / Math.max(1, distances.length);
}

/** The contents of an answer: names, or marks. */
export type Taken = Pick<Answer, 'accepted' | 'written'>;

/** Several annotators' ratings of the same units: a mark per unit of each answer, in the answers' order. */
export interface RatedPart {
  /** Null for a list of names, which is rated as a whole. */
  readonly part: SplitPart | null;
  readonly taken: readonly (readonly boolean[])[];
}

/** The rules, by kind of item, for storing, comparing and combining answers. */
export interface AnswerRules {
  /**
   * Returns the contents of an answer as stored: in one order, each once.
   * @throws AnnotationRefusal `bad-answer` for what the item has no place for
   */
  stored(taken: Taken, item: AnnotationItem): Taken;
  /** Returns the result of two or more submitted answers without a reviewer, or null if there is none. */
  majority(done: readonly StoredAnswer[], item: AnnotationItem): Taken | null;
  /** Returns the ratable parts of submitted answers, or none if there is nothing to rate. */
  rated(done: readonly StoredAnswer[], item: AnnotationItem): readonly RatedPart[];
}
