import { z } from 'zod';
import type { CandidateScores, Role } from '../annotation.js';
import type { ItemInContext } from '../api-shapes.js';
import { AnnotationRefusal } from './annotation-refusal.js';

/** Fewest and most names that an annotator takes of an ADD list. */
export const MIN_ADD = 3; // ADVETA §3.1
export const MAX_ADD = 5; // ADVETA §3.1

/** An item with all that a page may show of it. */
export interface ProjectItem extends ItemInContext {
  /** One per candidate that has scores, in the list's order; empty where there are none. */
  readonly scores: readonly CandidateScores[];
}

const LONGEST_NAME = 60;

/** Someone to be added to a project. */
export interface NewPerson {
  /** Shown to reviewers and in exports; distinct in a project whatever its case. */
  readonly name: string;
  readonly role: Role;
}

/** How a project is worked through; fixed when it is made. */
export const projectSettingsSchema = z.strictObject({
  /** Shown on the page. */
  name: z.string().min(1),
  /** Format of the data set that the items come from, "spider". */
  dataset: z.string(),
  /** Seeds the order of each annotator and who gets which chunk. */
  seed: z.int(),
  /** Annotators per chunk. */
  overlap: z.int().positive(),
  /** Most items of a chunk, unless one table alone has more. */
  chunkSize: z.int().positive(),
  /** Known items that are answered before the first chunk, and the share of them that must be right. */
  qualification: z.strictObject({ required: z.boolean(), passMark: z.number().min(0).max(1) }),
});
export type ProjectSettings = z.infer<typeof projectSettingsSchema>;

/** Default settings of `annotate init`. */
export const DEFAULT_SETTINGS = {
  name: 'annotation',
  dataset: 'spider',
  seed: 0,
  overlap: 1,
  chunkSize: 20,
  qualification: { required: false, passMark: 0.75 },
} as const satisfies ProjectSettings;

/** The name as it is kept. @throws AnnotationRefusal `bad-person` where it can't be one */
export function checkPersonName(given: string): string {
  const name = given.trim();
  if (name !== '' && name.length <= LONGEST_NAME && !/\p{Cc}/u.test(name)) return name;
  const fix = `Choose a name of 1 to ${LONGEST_NAME} characters on one line.`;
  throw new AnnotationRefusal('bad-person', `${JSON.stringify(given)} can’t be the name of a person`, fix);
}
