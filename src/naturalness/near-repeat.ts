import { headIndex } from '../dictionary/inflection.js';
import { expandSingleWords } from '../schema/abbreviations.js';
import type { NaturalnessContext, NaturalnessRule } from './naturalness-rule.js';
import { spellingKey, wordsOf } from '../schema/name-identity.js';
import type { Table } from '../schema/schema.js';
import { memoizeObject } from '../schema/memoize.js';

/** Words that single out nothing: "full name" is the name. */
const WEAK_WORDS = new Set(
  'full complete whole main primary official current actual present own given original basic common overall'.split(' '),
);
/** Words for a part of a person's name, which the whole name holds; "given" is among the weak words. */
const NAME_PARTS = new Set('first last middle family maiden'.split(' '));
/** Last words of columns that stand for a thing by a sign of it: "product id" for the product. */
const SIGN_WORDS = new Set('id identifier code key number no ref reference'.split(' '));
/** Last words of columns that say in what they are measured: "length meters". */
const UNIT_WORDS = new Set(
  'meters feet miles km kg lbs mph dollars usd euros percent pct millions billions'.split(' '),
);
const JOINING_WORDS = new Set('a an the of in on at by for per to from with and'.split(' '));
/** "number of pages" and "page count" hold what "pages" holds. */
const COUNTING_WORDS = new Set('number count amount'.split(' '));

/** A name taken apart: what it is about, and the words that narrow it. */
interface Anatomy {
  readonly head: string;
  readonly qualifiers: ReadonlySet<string>;
  /** True if words follow the head: "order taken by". */
  readonly isFollowed: boolean;
}

/** Takes names apart as English noun phrases: the head comes last, or before a preposition or a participle. */
class NameAnatomist {
  readonly #context: NaturalnessContext;

  constructor(context: NaturalnessContext) {
    this.#context = context;
  }

  /** Null for a name without a head. */
  anatomyOf(name: string, isSignDropped: boolean): Anatomy | null {
    const words = this.#withoutCount(wordsOf(expandSingleWords(name.toLowerCase())));
    let at = headIndex(words);
    // "votes received" are votes; "copies sold" copies.
    const holds = (word: string | undefined, test: (word: string) => boolean): boolean =>
      at > 0 && word !== undefined && test(word);
    if (holds(words[at], (word) => this.#context.nounForm(word) === null)) at--;
    if (holds(words[at], (word) => UNIT_WORDS.has(word))) at--;
    if (isSignDropped && holds(words[at], (word) => SIGN_WORDS.has(word))) at--;
    const head = words[at];
    if (head === undefined) return null;
    const others = words.filter((word, i) => i !== at && !JOINING_WORDS.has(word) && !UNIT_WORDS.has(word));
    const qualifiers = isSignDropped ? others.filter((word) => !SIGN_WORDS.has(word)) : others;
    return {
      head: this.keyOf(head),
      qualifiers: new Set(qualifiers.map((word) => this.keyOf(word))),
      isFollowed: at < words.length - 1,
    };
  }

  keyOf(word: string): string {
    return spellingKey(this.#context.nounForm(word)?.base ?? word);
  }

  #withoutCount(words: readonly string[]): readonly string[] {
    const [counting = '', of, ...counted] = words;
    if (counted.length > 0 && COUNTING_WORDS.has(counting) && of === 'of') return counted;
    return words.length > 1 && words.at(-1) === 'count' ? words.slice(0, -1) : words;
  }
}

function isWithin(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((word) => whole.has(word));
}

/**
 * "Crew position" next to "position", "full name" next to "first name", "first name" next to "employee name" of
 * employees, "billed customer" next to "customer id": an addition whose head is that of a column of the table, and
 * which is only a narrower or a vaguer word for it. A question that asks for the column might then mean either (ADVETA
 * §2.3).
 */
export function nearRepeat(context: NaturalnessContext): Omit<NaturalnessRule, 'id'> {
  const names = new NameAnatomist(context);
  const standingIn = memoizeObject(({ columns }: Table) =>
    columns.map((column) => ({ column, standing: names.anatomyOf(column.name, true) })),
  );
  return {
    appliesTo: 'ADD',
    check(name, target) {
      const { table } = target.target;
      const added = names.anatomyOf(name, false);
      if (added === null) return null;
      const entity = new Set(wordsOf(table.name).map((word) => names.keyOf(word)));
      const narrow = new Set([...added.qualifiers].filter((word) => !WEAK_WORDS.has(word) && !entity.has(word)));
      const isNamePart = added.head === 'name' && [...narrow].every((word) => NAME_PARTS.has(word));
      const repeated = standingIn(table).find(({ column, standing }) => {
        if (standing?.head !== added.head) return false;
        // "Order taken by" next to "order id" is about the order, not another order.
        if (added.isFollowed && SIGN_WORDS.has(wordsOf(column.name).at(-1) ?? '')) return false;
        if (isNamePart && isWithin(standing.qualifiers, entity)) return true;
        return isWithin(standing.qualifiers, added.qualifiers) || isWithin(narrow, standing.qualifiers);
      });
      return repeated === undefined ? null : `nearly repeats the column "${repeated.column.name}"`;
    },
  };
}
