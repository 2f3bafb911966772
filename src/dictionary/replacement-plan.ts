import type { ColumnType } from '../schema/schema.js';
import { isAbbreviation, isFixed, isIdiomatic, splitName, WordRoles, type WordRole } from './column-words.js';
import { headIndex, type Inflector } from './inflection.js';
import { expandAbbreviations } from '../schema/abbreviations.js';
import { spacedName } from '../schema/name-identity.js';
import type { Lexicon, PartOfSpeech } from './morphology.js';
import { fillForm, matchFrames, type FilledForm, type FrameMatch, type SlotKind } from './phrase-frames.js';
import type { Synonym, SynonymDictionary, SynonymHint } from './synonym-dictionary.js';

/**
 * Attributes that any entity has: alone in a table they are the entity's own, so that its noun may come before them.
 */
const GENERIC_ATTRIBUTES = new Set(
  'id name title type status code number date description details category location address age size price'.split(' '),
);
/** Attributes that say too little without the entity's noun. */
const OPAQUE_ATTRIBUTES = new Set(['id', 'code', 'number']);
/** Last words of table names that name no entity. */
const NO_ENTITY = new Set('data info information list table record detail details index log set'.split(' '));
const MAX_ENTITY_WORDS = 2;

/**
 * The noun that a table is named after, in the singular; null when its name is none, or too long to come before
 * another.
 */
function entityNoun(tableName: string, inflector: Inflector): readonly string[] | null {
  const words = splitName(tableName);
  if (words.length === 0 || words.length > MAX_ENTITY_WORDS || words.some(isFixed)) return null;
  const base = inflector.nounForm(words.join(' '))?.base.split(' ') ?? null;
  return NO_ENTITY.has(base?.at(-1) ?? '') ? null : base;
}

/**
 * The name with the table's entity put before it, or taken away: "name" of table "museums" and "museum name",
 * "order quantity" of table "orders" and "quantity" (ADVETA §2.2: columns collocate with the primary entity).
 */
export function qualifyByEntity(
  words: readonly string[],
  tableName: string,
  inflector: Inflector,
): readonly (readonly string[])[] {
  const entity = entityNoun(tableName, inflector);
  const last = words.at(-1);
  if (entity === null || last === undefined) return [];
  if (words.length === 1) return GENERIC_ATTRIBUTES.has(last) && !entity.includes(last) ? [[...entity, last]] : [];
  const rest = words.slice(entity.length);
  const isQualified = rest.length === 1 && entity.every((word, i) => words[i] === word);
  return isQualified && !OPAQUE_ATTRIBUTES.has(last) && !isFixed(last) ? [rest] : [];
}

/** A word or multi-word term of a name, with the forms that can take its place, inflected like it. */
export interface ReplaceablePart {
  readonly original: string;
  /** Distinct, none equal to `original`; empty for a fixed word. */
  readonly options: readonly string[];
  /** Those of them that the project's own thesaurus lists. */
  readonly listed: readonly string[];
}

/** The forms that can take the place of a term, and those that the thesaurus lists. */
type TermOptions = Omit<ReplaceablePart, 'original'>;

/**
 * All ways to say a column name: the first variant is the name itself, the others turn its phrase ("X count", "number
 * of X").
 */
export interface ReplacementPlan {
  readonly variants: readonly (readonly ReplaceablePart[])[];
  /** The names that the project's own thesaurus lists for the whole name. */
  readonly listed: ReadonlySet<string>;
}

/** Multi-word terms are looked for up to this many words. */
const MAX_TERM_WORDS = 4;

/** Known facts about a column besides its name. */
export interface NamedIn {
  readonly type?: ColumnType;
  readonly tableName?: string;
  /** True if its terms may be of any domain, whatever the words of its table; default: false. */
  readonly ofAnyDomain?: boolean;
}

/** The context that tells the senses and domains of a name's terms. */
interface NameContext {
  readonly tableContext: readonly string[];
  readonly ofAnyDomain: boolean;
}

function plainForm(words: readonly string[]): FilledForm {
  return { words, inSlot: words.map(() => true) };
}

export interface PlannerParts {
  readonly dictionary: SynonymDictionary;
  readonly lexicon: Lexicon;
  readonly inflector: Inflector;
  /** Checks whether a noun in base form can fill a frame's slot; without it no phrase is turned. */
  readonly isKind?: (noun: string, kind: SlotKind) => boolean;
}

/** Finds what can be replaced in a column name: longest known terms first, then single words, and turned phrases. */
export class ReplacementPlanner {
  readonly #parts: PlannerParts;
  readonly #roles: WordRoles;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    this.#roles = new WordRoles(parts.lexicon, parts.inflector);
  }

  /** Version and settings of the dictionary behind it. */
  get fingerprint(): string {
    return `plan-2:${this.#parts.dictionary.fingerprint}`;
  }

  /**
   * The plan for a name; `tableContext` are words of its table, to choose senses by. A column of type `text` that is
   * one noun for a person or place also holds its name: "captain", "captain name". With a table's name, its entity may
   * come before a general attribute or be left out.
   */
  async plan(name: string, tableContext: readonly string[], about: NamedIn = {}): Promise<ReplacementPlan> {
    const words = splitName(expandAbbreviations(spacedName(name)));
    const context = { tableContext, ofAnyDomain: about.ofAnyDomain ?? false };
    const own = await this.#segment(plainForm(words), context);
    const listed = new Set(own.length === 1 ? own.flatMap((segment) => segment.listed) : []);
    // A name that is one known term ("start date") has its other orders listed with its synonyms; a key and a count have not.
    const isListed = own.length === 1 && words.length > 1 && words.at(-1) !== 'id';
    const matches = matchFrames(words, about.type).filter(({ frame }) =>
      isListed ? frame.id === 'number-of' : frame.slot !== 'named' || about.type === 'text',
    );
    const { tableName } = about;
    const qualified =
      tableName === undefined || isListed ? [] : qualifyByEntity(words, tableName, this.#parts.inflector);
    const turned = [...matches.flatMap((match) => this.#turn(match)), ...qualified.map(plainForm)];
    const variants = await Promise.all(turned.map((variant) => this.#segment(variant, context)));
    return { variants: [own, ...variants], listed };
  }

  /** A name's other frames, filled; empty when the slot can't be filled so. */
  #turn(match: FrameMatch): readonly FilledForm[] {
    const { inflector, isKind } = this.#parts;
    const noun = inflector.nounForm(match.slot.join(' '));
    const head = noun?.base.split(' ').at(-1) ?? '';
    const isPhrase = match.slot.some((word) => isFixed(word) || MEASURES.has(word));
    if (noun === null || isPhrase || isKind === undefined || !isKind(head, match.frame.slot)) return [];
    if (match.number === 'plural' && noun.number === 'singular') return [];
    if (match.frame.slot === 'named' && noun.number !== 'singular') return [];
    const plural = noun.number === 'invariant' ? noun.base : inflector.inflectNoun(noun.base, 'plural');
    return match.others.map((form) => fillForm(form, noun.base, plural));
  }

  async #segment(form: FilledForm, context: NameContext): Promise<readonly ReplaceablePart[]> {
    const parts: ReplaceablePart[] = [];
    for (let start = 0; start < form.words.length;) {
      const term = await this.#longestTerm(form, start, context);
      parts.push(term.part);
      start += term.length;
    }
    return parts;
  }

  /** The longest known term at `start`; a frame's own words are no part of one. */
  async #longestTerm(
    { words, inSlot }: FilledForm,
    start: number,
    context: NameContext,
  ): Promise<{ part: ReplaceablePart; length: number }> {
    for (let length = Math.min(MAX_TERM_WORDS, words.length - start); length > 0; length--) {
      const term = words.slice(start, start + length);
      const isFixedTerm = length === 1 ? isFixedWord(term[0] ?? '') || isIdiomatic(words, start) : !isTerm(term);
      if (isFixedTerm || !inSlot.slice(start, start + length).every(Boolean)) continue;
      const options = await this.#optionsAt(words, start, length, context);
      if (options !== null) return { part: { original: term.join(' '), ...options }, length };
    }
    return { part: { original: words[start] ?? '', options: [], listed: [] }, length: 1 };
  }

  /** Inflected synonyms of a term in its place, or null when no dictionary knows it. */
  async #optionsAt(
    words: readonly string[],
    start: number,
    length: number,
    { tableContext, ofAnyDomain }: NameContext,
  ): Promise<TermOptions | null> {
    const surface = words.slice(start, start + length).join(' ');
    const role = this.#roles.roleOf(words, start, length);
    const others = words.filter((word, i) => (i < start || i >= start + length) && !isFixed(word));
    const hint: SynonymHint = { ...role, surface, context: [...others, ...tableContext], ofAnyDomain };
    const known = await this.#parts.dictionary.synonyms(this.#baseOf(surface, role.pos), hint);
    const found = isAbbreviation(surface) ? (known?.filter(({ isListed }) => isListed) ?? null) : known;
    // A known term of another kind ("in charge", "per diem") is kept whole.
    if (found === null) {
      const isTermOfItsOwn = length > 1 && this.#parts.lexicon.has(surface);
      return isTermOfItsOwn ? { options: [], listed: [] } : null;
    }
    const fitting = found.filter((synonym) => fitsBeforeHead(synonym, role));
    const formsOf = (synonyms: readonly Synonym[]): readonly string[] => {
      const forms = synonyms.map((synonym) => this.#inflect(surface, synonym));
      return [...new Set(forms)].filter((form) => form !== surface);
    };
    return { options: formsOf(fitting), listed: formsOf(fitting.filter(({ isListed }) => isListed)) };
  }

  #baseOf(surface: string, pos: PartOfSpeech): string {
    const { inflector } = this.#parts;
    if (pos === 'noun') return inflector.nounForm(surface)?.base ?? surface;
    return pos === 'verb' ? (inflector.verbForm(surface)?.base ?? surface) : surface;
  }

  #inflect(surface: string, synonym: Synonym): string {
    return synonym.inflected ? synonym.text : this.#parts.inflector.inflectLike(surface, synonym.text, synonym.pos);
  }
}

const MEASURES = new Set('average mean median maximum minimum max min total overall percent'.split(' '));

function isFixedWord(word: string): boolean {
  return isFixed(word) && !isAbbreviation(word);
}

/** Checks whether words can be one dictionary term: letters only, and not function words alone. */
function isTerm(words: readonly string[]): boolean {
  return words.every((word) => /^[a-z]+(?:-[a-z]+)*$/.test(word)) && words.some((word) => !isFixed(word));
}

/** Before a head only compact terms stand: "birth date range", not "date of birth range"; "set up year" reads wrong. */
function fitsBeforeHead(synonym: Synonym, role: WordRole): boolean {
  if (role.position !== 'modifier') return true;
  const words = synonym.text.split(' ');
  if (words.length === 1) return true;
  return (
    role.pos !== 'verb' &&
    headIndex(words) === words.length - 1 &&
    !words.some((word) => isFixed(word) && word !== 'most')
  );
}
