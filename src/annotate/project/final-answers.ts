import { spacedName } from '../../schema/name-identity.js';
import type { AnnotationItem, AnswerState, StoredAnswer } from '../annotation.js';
import { takenNames } from './disagreement.js';

/** What an item comes to: `adjudicated` by a reviewer, a `single` annotator's, or names that a `majority` took. */
export interface FinalAnswer {
  readonly item: AnnotationItem;
  readonly accepted: readonly string[];
  readonly written: readonly string[];
  readonly state: AnswerState;
  readonly basis: 'adjudicated' | 'single' | 'majority';
}

/** The first spelling of each name that more than half of the answers take. */
function majorityNames(answers: readonly StoredAnswer[]): readonly string[] {
  const spellings = new Map<string, string>();
  for (const { accepted, written } of answers)
    for (const name of [...accepted, ...written])
      if (!spellings.has(spacedName(name))) spellings.set(spacedName(name), name);
  const taken = answers.map(takenNames);
  return [...spellings].flatMap(([key, name]) =>
    2 * taken.filter((names) => names.has(key)).length > answers.length ? [name] : [],
  );
}

function majority(item: AnnotationItem, done: readonly StoredAnswer[]): FinalAnswer {
  const names = majorityNames(done);
  const keys = new Set(names.map(spacedName));
  const accepted = item.candidates.map(({ name }) => name).filter((name) => keys.has(spacedName(name)));
  const listed = new Set(item.candidates.map(({ name }) => spacedName(name)));
  return {
    item,
    accepted,
    written: names.filter((name) => !listed.has(spacedName(name))),
    state: 'done',
    basis: 'majority',
  };
}

/**
 * What the answers to an item come to: the adjudication where it is handed in, else the only annotator's answer, else
 * the names that more than half of the annotators took. Drafts don't count; who skipped has no say unless all did.
 * Null where nothing is handed in.
 */
export function finalAnswerOf(
  item: AnnotationItem,
  answers: readonly StoredAnswer[],
  adjudication: StoredAnswer | null,
): FinalAnswer | null {
  if (adjudication !== null && adjudication.state !== 'draft') {
    const { accepted, written, state } = adjudication;
    const names = state === 'done' ? { accepted, written } : { accepted: [], written: [] };
    return { item, ...names, state, basis: 'adjudicated' };
  }
  const done = answers.filter(({ state }) => state === 'done');
  const [first, second] = done;
  if (first === undefined) {
    const skipped = answers.filter(({ state }) => state === 'skipped').length;
    const basis = skipped === 1 ? 'single' : 'majority';
    return skipped === 0 ? null : { item, accepted: [], written: [], state: 'skipped', basis };
  }
  if (second !== undefined) return majority(item, done);
  return { item, accepted: first.accepted, written: first.written, state: 'done', basis: 'single' };
}
