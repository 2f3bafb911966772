import type { StoredAnswer } from '../annotation.js';
import type { ProjectItem } from './project-content.js';

/** The stored answers to an item. */
export interface AnswerRecord {
  /** Every revision of every annotator's answer: by annotator, oldest first; the last of each is the current one. */
  readonly answers: readonly StoredAnswer[];
  /** Every revision of the reviewers' adjudication, oldest first. */
  readonly adjudications: readonly StoredAnswer[];
  /** Stale saves. */
  readonly conflicts: readonly StoredAnswer[];
}

/** Everything that a project knows of one item. */
export interface ItemRecord extends ProjectItem, AnswerRecord {}
