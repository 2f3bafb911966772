import { singularOf } from '../../schema/noun-number.js';
import type { ElementFrame } from './element-frame.js';
import { isAuxiliary, isBareVerb, isFiniteVerb } from './finite-verbs.js';

/** Verb forms that differ by number, singular first. */
const FORMS = [
  ['is', 'are'],
  ['was', 'were'],
  ['has', 'have'],
  ['does', 'do'],
  ["isn't", "aren't"],
  ["doesn't", "don't"],
  ["wasn't", "weren't"],
  ["hasn't", "haven't"],
] as const;
const PLURALS: ReadonlyMap<string, string> = new Map(FORMS);
const SINGULARS: ReadonlyMap<string, string> = new Map(FORMS.map(([one, many]) => [many, one]));

/** The verb of a relative clause behind its pronoun, or that a predicate begins with. */
const VERB = {
  relative: /^((?:that|who|which)\s+(?:(?:both|also|currently)\s+)?)(\p{L}+(?:'t)?)/iu,
  predicate: /^((?:both\s+|also\s+)?)(\p{L}+(?:'t)?)/iu,
} as const;

function inNumber(verb: string, isPlural: boolean): string {
  const known = (isPlural ? PLURALS : SINGULARS).get(verb);
  if (known !== undefined) return known;
  const isThird = /[^su]s$/.test(verb) && !SINGULARS.has(verb) && !PLURALS.has(verb);
  return isPlural && isThird ? singularOf(verb) : verb;
}

/** A further verb of the same subject: "who weigh 108 kg and |are| tall". */
const FURTHER =
  /(?<=\s(?:and|or|but)\s)(?:is|are|was|were|has|have|does|do|(?:isn|aren|wasn|weren|hasn|haven|doesn|don)['’]t)(?=\s)/giu;

/**
 * An element's text with its verb in the number of another noun: "who has a cat" of students is "who have a cat". Verbs
 * that show no number stay; a plural verb is put into the singular only where it is an auxiliary, as "speak" and "cost"
 * can't be distinguished from a past tense by their form. "Users" of "that users obtained" is the subject of a verb.
 */
export function agreeing(text: string, frame: ElementFrame, isPlural: boolean): string {
  if (frame !== 'relative' && frame !== 'predicate') return text;
  const further = /^(?:whose|where)/iu.test(text) ? text : text.replace(FURTHER, (verb) => inNumber(verb, isPlural));
  return further.replace(VERB[frame], (opening: string, before: string, verb: string) => {
    const [next = ''] = further.slice(opening.length).trim().toLowerCase().split(/\s/u, 1);
    return isAuxiliary(verb) || !isFiniteVerb(next) ? before + inNumber(verb, isPlural) : opening;
  });
}

/**
 * Checks whether an element's verb has a form that agrees with nouns of one number alone, which `agreeing` can't
 * change.
 */
export function isFixedPlural(text: string, frame: ElementFrame): boolean {
  if (frame !== 'relative' && frame !== 'predicate') return false;
  const verb = VERB[frame].exec(text)?.[2]?.toLowerCase();
  return verb !== undefined && isBareVerb(verb);
}
