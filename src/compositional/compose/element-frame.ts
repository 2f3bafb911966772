/** How an element joins what it is about; elements of one frame can stand in for one another. */
export type ElementFrame = 'order' | 'imperative' | 'relative' | 'modifier' | 'predicate' | 'clause';

const anyOf = (list: string): string => list.trim().split(/\s+/).join('|');
const opening = (list: string): RegExp => new RegExp(`^(?:${anyOf(list)})(?![\\p{L}'’])`, 'iu');

const IMPERATIVE = opening('sort order list arrange rank');
const ORDER =
  /^(?:(?:ordered|sorted|listed|arranged|ranked|ordering|sorting)(?!\p{L})|in (?:(?:the |an? )?\p{L}+ ){0,2}order(?!\p{L})|(?:ascending|descending|alphabetically)(?!\p{L})|from (?:the )?\p{L}+ to (?:the )?\p{L}+$)/iu;
const PREPOSITIONS =
  'with without in on at from of by for before after above below under over into to during within among except than ' +
  'between per as since until till through throughout across near around about behind along beside besides against outside inside via towards toward amongst upon despite';
const RELATIVE = opening('that who which whose where when whom');
const PREPOSED_RELATIVE = new RegExp(`^(?:${anyOf(PREPOSITIONS)})\\s+(?:which|whom|whose)(?!\\p{L})`, 'iu');
const PREPOSITION = opening(PREPOSITIONS);

/** Participles that follow their noun: by name, by "-ing", or by "-ed" and "-en" before a preposition. */
const PARTICIPLE =
  /^(?:not\s+|ever\s+)?(?:named|called|titled|aged|used|owned|born|made|written|directed|produced|founded|created|given|shown|taught|held|built|spoken|located|released|published|opened|\p{L}{2,}ing|\p{L}{2,}(?:ed|en)(?=\s+(?:by|in|on|at|from|for|to|with|before|after|as|into|during|between|than)(?!\p{L})))(?!\p{L})/iu;

/** Checks whether an element that follows its noun begins with a participle: "named Kyle", "made from red grapes". */
export function isParticiple({ frame, text }: { readonly frame: ElementFrame; readonly text: string }): boolean {
  return frame === 'modifier' && PARTICIPLE.test(text) && !PREPOSITION.test(text);
}

/** A clause with its own subject: "does Afghanistan have", "they teach", "is the airport at". */
const OWN_SUBJECT =
  /^(?:(?:do|does|did|can|could|will|would)\s+(?!not(?!\p{L}))|(?:is|are|was|were)\s+(?:there|the(?!\s+most|\s+least)|an?)(?!\p{L})|(?:they|it|he|she|we|you|there)(?!\p{L}))/iu;

/**
 * The frame of an element by the words it begins with: `order` ("sorted by age"), `imperative` ("sort by age"),
 * `relative` ("who sing", "in which they live"), `modifier` ("from France", "named Kyle"), `clause` (with its own
 * subject), else `predicate` ("have 4 cylinders", of "How many cars have 4 cylinders?").
 */
export function elementFrame(text: string): ElementFrame {
  if (ORDER.test(text)) return 'order';
  if (IMPERATIVE.test(text)) return 'imperative';
  if (RELATIVE.test(text) || PREPOSED_RELATIVE.test(text)) return 'relative';
  if (OWN_SUBJECT.test(text)) return 'clause';
  return PREPOSITION.test(text) || PARTICIPLE.test(text) ? 'modifier' : 'predicate';
}
