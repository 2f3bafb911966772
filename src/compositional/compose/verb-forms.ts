import { singularOf } from '../../schema/natural-name.js';
import type { ElementFrame } from './element-frame.js';

const AUXILIARIES = new Set(
  (
    "is are was were has have had do does did can could will would may might must should isn't aren't wasn't weren't " +
    "hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't cannot"
  ).split(' '),
);

/** Verbs of questions in the form that goes with a plural. */
const BARE = new Set(
  (
    'speak play use own live work teach belong come contain produce make serve offer weigh enroll enrol study register ' +
    'write sing perform conduct direct like earn depart arrive leave fly begin start include share hold run comprise ' +
    'obtain receive attend correspond go hire support raise involve treat exceed lack need want visit take get win lose ' +
    'finish score cost pay spend stay land pass fall appear happen occur participate compete graduate advise manage lead ' +
    'sell buy order give show name sponsor publish release last reside originate represent specialize train coach cover'
  ).split(' '),
);

/** Past tenses that are neither participles nor nouns. */
const PASTS_ALONE = new Set('took went began wrote sang flew gave drove rode drew became grew got'.split(' '));

/** Past tenses that "-ed" does not mark. */
const PASTS = new Set(
  (
    'got took spent won got went lost came began wrote sang ran flew left sold bought led met held taught paid grew became ' +
    'gave saw hit cost beat drove rode drew sent built found made sat stood kept brought fought shot put set cut hosted'
  ).split(' '),
);

/** "wrote", "got": a past tense that can be nothing else. */
export function isPastAlone(word: string): boolean {
  return PASTS_ALONE.has(word);
}

/** "speak": a verb that goes with a plural alone. */
export function isBareVerb(word: string): boolean {
  return BARE.has(word);
}

/** "are", "has", "did not": a verb that others, or an adjective, can follow. */
export function isAuxiliary(word: string): boolean {
  return AUXILIARIES.has(word.replace('’', "'"));
}

/** Checks whether a word can be the verb of a clause: "have", "speaks", "directed", "won". */
export function isFiniteVerb(word: string): boolean {
  return (
    isAuxiliary(word) ||
    BARE.has(word) ||
    PASTS.has(word) ||
    /\p{L}{2}ed$/u.test(word) ||
    (word.endsWith('s') && (BARE.has(singularOf(word)) || BARE.has(word.slice(0, -1)) || BARE.has(word.slice(0, -2))))
  );
}

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
