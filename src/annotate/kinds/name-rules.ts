import { spacedName } from '../../schema/name-identity.js';
import type { AnnotationItem, StoredAnswer } from '../annotation.js';
import { AnnotationRefusal } from '../project/annotation-refusal.js';
import { type AnswerRules, type RatedPart, type Taken, takenNames } from './answer-rules.js';

/** Accepted names in the list's order, written ones trimmed. */
function stored({ accepted, written }: Taken, item: AnnotationItem): Taken {
  const listed = item.candidates.map(({ name }) => name);
  const unknown = accepted.find((name) => !listed.includes(name));
  if (unknown !== undefined)
    throw new AnnotationRefusal('bad-answer', `"${unknown}" is not in the list`, 'Take names of the list.', item.id);
  const own = [...new Set(written.map((name) => name.trim()))].filter((name) => name !== '');
  if (own.length > 0 && item.kind === 'ADD')
    throw new AnnotationRefusal('bad-answer', 'ADD takes names of the list alone', 'Leave "written" empty.', item.id);
  return { accepted: listed.filter((name) => accepted.includes(name)), written: own };
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

function majority(done: readonly StoredAnswer[], item: AnnotationItem): Taken {
  const names = majorityNames(done);
  const keys = new Set(names.map(spacedName));
  const accepted = item.candidates.map(({ name }) => name).filter((name) => keys.has(spacedName(name)));
  const listed = new Set(item.candidates.map(({ name }) => spacedName(name)));
  return { accepted, written: names.filter((name) => !listed.has(spacedName(name))) };
}

/** Listed candidates, each taken or left. Who wrote a name that is listed has taken it, as in what an item comes to. */
function rated(done: readonly StoredAnswer[], item: AnnotationItem): readonly RatedPart[] {
  if (item.candidates.length === 0) return [];
  const taken = done.map(({ accepted, written }) => {
    const [names, own] = [new Set(accepted), new Set(written.map(spacedName))];
    return item.candidates.map(({ name }) => names.has(name) || own.has(spacedName(name)));
  });
  return [{ part: null, taken }];
}

/** Names of a list, taken or left, and names of one's own. */
export const NAME_RULES: AnswerRules = { stored, majority, rated };
