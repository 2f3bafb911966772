import { singularOf } from '../../schema/noun-number.js';

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
