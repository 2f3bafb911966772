import type { StoredAnswer } from '../annotation.js';
import type { ProjectItem } from './project-content.js';

/** What is kept of an item's answers. */
export interface AnswerRecord {
  /** Every revision of every annotator's answer: by annotator, oldest first; the last of each is the current one. */
  readonly answers: readonly StoredAnswer[];
  /** Every revision of the reviewers' adjudication, oldest first. */
  readonly adjudications: readonly StoredAnswer[];
  /** What stale saves held. */
  readonly conflicts: readonly StoredAnswer[];
}

/** Everything that a project knows of one item. */
export interface ItemRecord extends ProjectItem, AnswerRecord {}
