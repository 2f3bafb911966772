import pluralize from 'pluralize';
import { expandAbbreviations } from '../schema/abbreviations.js';
import { columnNameKey, spacedName } from '../schema/name-identity.js';
import { memoize, memoizeObject } from '../schema/memoize.js';
import type { ReplaceablePart, ReplacementPlan, ReplacementPlanner } from './replacement-plan.js';
import { getOrMake, itemAt } from '../present.js';

/** A word that may be added or left out without another meaning: "model" and "model name". */
const NEUTRAL_WORD = 'name';
/** Words that may be added to a plural, or left out before one: "cylinders" and "number of cylinders". */
const COUNTING_WORDS = new Set(['number', 'count', 'total']);
/** Words that only join others; "from" and "to" say which end is meant. */
const JOINING_WORDS = new Set('a an the of in on at by for per with and'.split(' '));

/** Content words of a name in base form, abbreviations spelled out. */
const contentWords = memoize((name): readonly string[] =>
  columnNameKey(expandAbbreviations(spacedName(name)))
    .split(' ')
    .filter((word) => !JOINING_WORDS.has(word)),
);

/** "aircraft" is its own singular: it names one as well as many. */
function countsAsPlural(word: string): boolean {
  return pluralize.isPlural(word) && !pluralize.isSingular(word);
}

/** True if a name without a counting word is a plural: it then counts as well as names. */
const isPlural = memoize((name) => {
  const words = contentWords(name);
  return !words.some((word) => COUNTING_WORDS.has(word)) && countsAsPlural(name.split(/[\s_]+/).at(-1) ?? '');
});

interface Match {
  /** Words of the first name that were left out. */
  readonly dropped: readonly string[];
  readonly left: readonly string[];
}

/** Every way to take the words of a variant's parts out of a bag of words. */
function* takeParts(
  parts: readonly ReplaceablePart[],
  at: number,
  match: Match,
  optional: (word: string) => boolean,
): Generator<Match> {
  const part = parts[at];
  if (part === undefined) {
    yield match;
    return;
  }
  const own = contentWords(part.original);
  for (const form of [part.original, ...part.options]) {
    const left = without(match.left, contentWords(form));
    if (left !== null) yield* takeParts(parts, at + 1, { ...match, left }, optional);
  }
  if (own.length > 0 && own.every(optional))
    yield* takeParts(parts, at + 1, { ...match, dropped: [...match.dropped, ...own] }, optional);
}

function without(bag: readonly string[], words: readonly string[]): readonly string[] | null {
  const left = [...bag];
  for (const word of words) {
    const at = left.indexOf(word);
    if (at === -1) return null;
    left.splice(at, 1);
  }
  return left;
}

/** Checks whether only the first words of an entity of several stay: an "order id" is not that of an order item. */
function cutsEntity(out: readonly string[], stay: readonly string[], entity: readonly string[]): boolean {
  const [head, modifiers] = [entity.at(-1) ?? '', entity.slice(0, -1)];
  return out.includes(head) && stay.some((word) => modifiers.includes(word));
}

/** A plan, and the words of all forms that its variants' parts can have. */
interface NamePlan {
  readonly plan: ReplacementPlan;
  readonly formWords: ReadonlySet<string>;
}

/** Names by the words that they have, and by those that they can be said with. */
interface WordIndex {
  readonly own: ReadonlyMap<string, readonly string[]>;
  readonly forms: ReadonlyMap<string, readonly string[]>;
}

function byWord(names: readonly string[], wordsOf: (name: string, at: number) => Iterable<string>): WordIndex['own'] {
  const index = new Map<string, string[]>();
  for (const [at, name] of names.entries())
    for (const word of new Set(wordsOf(name, at))) {
      getOrMake(index, word, () => []).push(name);
    }
  return index;
}

/**
 * Tells from dictionaries alone whether two column names say the same: every content word of one is, inflected or as a
 * synonym, in the other, in whatever order. Words of the table's primary entity and neutral words may stand on one side
 * alone: "name" and "museum name", "model" and "model name".
 */
export class LexicalMatcher {
  readonly #planner: ReplacementPlanner;
  readonly #derived = new Map<string, Promise<boolean>>();
  /** A name is compared with many others; its plan is made once. */
  readonly #planOf = memoize((name) => this.#plan(name));
  readonly #indexOf = memoizeObject((names: readonly string[]) => this.#index(names));

  constructor(planner: ReplacementPlanner) {
    this.#planner = planner;
  }

  get fingerprint(): string {
    return `lexical-2:${this.#planner.fingerprint}`;
  }

  /**
   * Symmetric; `entity` is the table's name or primary entity. Synonyms of a domain count, whatever the table: who asks
   * wants to be sure that two names differ.
   */
  async areEquivalent(a: string, b: string, entity: string): Promise<boolean> {
    return (await this.#derives(a, b, entity)) || (await this.#derives(b, a, entity));
  }

  /**
   * Of names those that may be equivalent to another; the others are not, as they share no word with it in any form. What a
   * wide table is asked for each of its thousands of candidates. The names are indexed once: give the same array again.
   */
  async sharingWords(names: readonly string[], name: string): Promise<ReadonlySet<string>> {
    const { own, forms } = await this.#indexOf(names);
    const { formWords } = await this.#planOf(name);
    return new Set([
      ...contentWords(name).flatMap((word) => forms.get(word) ?? []),
      ...[...formWords].flatMap((word) => own.get(word) ?? []),
    ]);
  }

  async #index(names: readonly string[]): Promise<WordIndex> {
    const plans = await Promise.all(names.map((name) => this.#planOf(name)));
    return { own: byWord(names, contentWords), forms: byWord(names, (_, at) => itemAt(plans, at).formWords) };
  }

  #derives(from: string, to: string, entity: string): Promise<boolean> {
    const key = [from, to, entity].join('\n');
    return getOrMake(this.#derived, key, () => this.#derive(from, to, entity));
  }

  async #plan(name: string): Promise<NamePlan> {
    const plan = await this.#planner.plan(name, [], { ofAnyDomain: true });
    const forms = plan.variants.flat().flatMap(({ original, options }) => [original, ...options]);
    return { plan, formWords: new Set(forms.flatMap(contentWords)) };
  }

  async #derive(from: string, to: string, entity: string): Promise<boolean> {
    const entityWords = contentWords(entity);
    const countable = isPlural(from) || isPlural(to);
    const isOptional = (word: string): boolean =>
      entityWords.includes(word) || word === NEUTRAL_WORD || (countable && COUNTING_WORDS.has(word));
    const bag = contentWords(to);
    const { plan, formWords } = await this.#planOf(from);
    // A word that no form has must be one that may be added.
    if (!bag.every((word) => formWords.has(word) || isOptional(word))) return false;
    for (const parts of plan.variants) {
      for (const { dropped, left } of takeParts(parts, 0, { dropped: [], left: bag }, isOptional)) {
        // Words left out here and others added there are an exchange: "record id" is no "pilot id".
        const isExchange = dropped.length > 0 && left.length > 0;
        if (left.length === bag.length || !left.every(isOptional) || isExchange) continue;
        if (!cutsEntity([...dropped, ...left], without(bag, left) ?? [], entityWords)) return true;
      }
    }
    return false;
  }
}
