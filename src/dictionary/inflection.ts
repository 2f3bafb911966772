import { pluralOf, singularOf } from '../schema/natural-name.js';
import { memoize } from '../schema/memoize.js';
import { IRREGULAR_VERBS, type Lexicon, type PartOfSpeech, possibleBaseForms } from './morphology.js';

export type VerbForm = 'base' | 'third' | 'past' | 'participle' | 'ing';
/** `invariant`: one form for both numbers, or only a plural: "data", "species", "earnings". */
export type GrammaticalNumber = 'singular' | 'plural' | 'invariant';

/** A noun in a name, taken apart. */
export interface NounForm {
  readonly base: string;
  readonly number: GrammaticalNumber;
}

/** A verb in a name, taken apart. */
export interface VerbWord {
  readonly base: string;
  readonly form: VerbForm;
}

/** Nouns that pluralize or WordNet would take for plurals or give an odd plural. */
const INVARIANT = new Set(
  (
    'data media sales mathematics physics economics statistics politics athletics gymnastics logistics details ' +
    'earnings savings goods proceeds remarks means pay revenue income remuneration staff feedback luggage baggage ' +
    'merchandise inventory accommodation freight cargo'
  ).split(' '),
);
const REGULAR_PLURALS: Readonly<Record<string, string>> = { schema: 'schemas', index: 'indexes', staff: 'staff' };

const PREPOSITIONS = new Set(
  'of in on at by for per to from with within above below under over before after as'.split(' '),
);

/** Verbs of two syllables and more whose last syllable is stressed, so that the consonant doubles: "referred". */
const STRESSED_LAST = new Set(
  (
    'admit allot begin commit compel concur confer control defer deter dispel equip excel forget incur infer occur omit ' +
    'patrol permit prefer propel rebut recur refer regret remit repel submit transfer transmit'
  ).split(' '),
);

const IRREGULAR = new Map(IRREGULAR_VERBS.map(([base, past, participle]) => [base, { past, participle }]));
const IRREGULAR_FORMS = new Map<string, VerbWord>(
  IRREGULAR_VERBS.flatMap(([base, past, participle]): [string, VerbWord][] => [
    [past, { base, form: 'past' }],
    [participle, { base, form: 'participle' }],
  ]),
);

/** Position of the head in a noun phrase: the word before the first preposition, else the last one ("place of birth" → 0). */
export function headIndex(words: readonly string[]): number {
  const preposition = words.findIndex((word, i) => i > 0 && PREPOSITIONS.has(word));
  return (preposition === -1 ? words.length : preposition) - 1;
}

function doublesConsonant(verb: string): boolean {
  if (!/[^aeiou][aeiou][bdfgklmnprtvz]$/.test(verb)) return false;
  return STRESSED_LAST.has(verb) || verb.match(/[aeiouy]+/g)?.length === 1;
}

function withSuffix(verb: string, suffix: 'ed' | 'ing'): string {
  if (suffix === 'ing' && verb.endsWith('ie')) return `${verb.slice(0, -2)}ying`;
  if (suffix === 'ing' && /(?:ee|oe|ye)$/.test(verb)) return `${verb}ing`;
  if (verb.endsWith('e')) return verb.slice(0, -1) + suffix;
  if (suffix === 'ed' && /[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return (doublesConsonant(verb) ? verb + verb.slice(-1) : verb) + suffix;
}

function thirdPerson(verb: string): string {
  if (/(?:[sxz]|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

function conjugate(verb: string, form: VerbForm): string {
  if (form === 'base') return verb;
  if (form === 'third') return thirdPerson(verb);
  if (form === 'ing') return withSuffix(verb, 'ing');
  return IRREGULAR.get(verb)?.[form] ?? withSuffix(verb, 'ed');
}

function isInvariant(noun: string): boolean {
  return INVARIANT.has(noun) || (pluralOf(noun) === noun && singularOf(noun) === noun);
}

function plural(noun: string): string {
  if (isInvariant(noun)) return noun;
  const regular = REGULAR_PLURALS[noun] ?? pluralOf(noun);
  // pluralize takes "lens" and "metropolis" for plurals.
  return regular === noun ? `${noun}es` : regular;
}

/** Brings a verb phrase into a form, on its first word: "set up" → "set up", "carry out" → "carried out". */
export function inflectVerb(phrase: string, form: VerbForm): string {
  const [verb = '', ...rest] = phrase.split(' ');
  return [conjugate(verb, form), ...rest].join(' ');
}

/** Takes forms apart and puts synonyms into the form of the word that they stand for. */
export class Inflector {
  readonly #lexicon: Lexicon;
  readonly #headForm = memoize((word) => this.#takeApart(word));

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Base form and number of a noun or noun phrase, by its head; null when the head is no known noun. */
  nounForm(phrase: string): NounForm | null {
    const words = phrase.split(' ');
    const head = headIndex(words);
    const form = this.#headForm(words[head] ?? '');
    return form === null ? null : { base: words.with(head, form.base).join(' '), number: form.number };
  }

  #takeApart(word: string): NounForm | null {
    if (INVARIANT.has(word)) return { base: word, number: 'invariant' };
    const known = this.#lexicon.has(word, 'noun');
    const singular = /(?:ss|us|is|ics)$/.test(word) && known ? word : singularOf(word);
    if (singular === word || !this.#lexicon.has(singular, 'noun')) {
      return known ? { base: word, number: isInvariant(word) ? 'invariant' : 'singular' } : null;
    }
    // "earnings" is more than the plural of "earning".
    const ownTags = known ? this.#lexicon.tagTotal(word, 'noun') : 0;
    if (ownTags > this.#lexicon.tagTotal(singular, 'noun')) return { base: word, number: 'invariant' };
    return { base: singular, number: 'plural' };
  }

  /** Base form and form of a verb; an "-ed" form counts as the participle. Null when no verb is known. */
  verbForm(word: string): VerbWord | null {
    const irregular = IRREGULAR_FORMS.get(word);
    if (irregular !== undefined) return irregular;
    const base = possibleBaseForms(word, 'verb').find((form) => this.#lexicon.has(form, 'verb'));
    if (base === undefined) return null;
    if (base === word) return { base, form: 'base' };
    if (word.endsWith('ing')) return { base, form: 'ing' };
    return { base, form: word.endsWith('ed') ? 'participle' : 'third' };
  }

  /** Brings a noun phrase in base form into a number, on its head: "place of birth" → "places of birth". */
  inflectNoun(phrase: string, number: GrammaticalNumber): string {
    if (number !== 'plural') return phrase;
    const words = phrase.split(' ');
    const head = headIndex(words);
    const noun = words[head] ?? '';
    // A synonym may be a plural itself: "earnings".
    const form = this.#headForm(noun);
    return form !== null && form.number !== 'singular' ? phrase : words.with(head, plural(noun)).join(' ');
  }

  /** Puts a synonym in base form into the form of `original`: number for nouns, tense and participle for verbs. */
  inflectLike(original: string, synonym: string, pos: PartOfSpeech): string {
    if (pos === 'noun') return this.inflectNoun(synonym, this.nounForm(original)?.number ?? 'singular');
    if (pos === 'verb') return inflectVerb(synonym, this.verbForm(original)?.form ?? 'base');
    return synonym;
  }
}
