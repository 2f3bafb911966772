import { headIndex } from '../dictionary/inflection.js';
import type { LexicalMatcher } from '../dictionary/lexical-matcher.js';
import { columnNameKey } from '../schema/name-identity.js';
import type { Table } from '../schema/schema.js';
import { type Candidate, sourceTraits, type TargetColumn } from '../stage.js';
import type { CandidateScreen, ScreenResult } from './naturalness-rule.js';
import { itemAt, zip } from '../present.js';
import { memoizeObject } from '../schema/memoize.js';

/** Rules that ask the dictionary; each has a flag like the others. */
export const LEXICAL_RULES = ['ambiguous', 'synonym'] as const;
export type LexicalRule = (typeof LEXICAL_RULES)[number];

/** A name's words, singular, as often as it is compared with others. */
interface Words {
  readonly key: string;
  readonly all: readonly string[];
  /** The words of what a column of this name stands for: "division" for "division id". */
  readonly meant: readonly string[];
  /** Its words without those by which a key says that it is one, in one order. */
  readonly keyed: string;
}

/** Last words of columns that stand for a thing by a sign of it: "division id" for the division. */
const SIGN_WORDS = new Set('id identifier code name'.split(' '));
/** Words by which a key says that it is one. */
const KEY_WORDS = new Set('id identifier identification number key'.split(' '));

function readWords(name: string): Words {
  const key = columnNameKey(name);
  const all = key.split(' ');
  return {
    key,
    all,
    meant: all.length > 1 && SIGN_WORDS.has(all.at(-1) ?? '') ? all.slice(0, -1) : all,
    keyed: all
      .filter((word) => !KEY_WORDS.has(word))
      .sort()
      .join(' '),
  };
}

/** Checks whether a name says no more than a part of another: "category" next to "product category". */
function isPartOf(part: Words, whole: Words): boolean {
  return part.all.every((word) => whole.all.includes(word));
}

/** Letters from which on words that start alike are taken for forms of one: "mail" and "mailing". */
const STEM_LETTERS = 4;

function isForm(a: string, b: string): boolean {
  if (a === b) return true;
  return Math.min(a.length, b.length) >= STEM_LETTERS && (a.startsWith(b) || b.startsWith(a));
}

function isWithin(part: Words, whole: Words): boolean {
  return part.all.every((word) => whole.all.some((other) => isForm(word, other)));
}

/** A candidate for a column of a table, by words. */
class NewName {
  readonly words: Words;
  readonly #own: Words;
  /** True if it may say another column in other forms of its words. */
  readonly #mayBeAnother: boolean;
  /** Its words, apart from its head, that neither the column nor the table has. */
  readonly #brought: readonly string[];

  constructor(name: string, own: Words, tableName: string) {
    this.words = readWords(name);
    this.#own = own;
    this.#mayBeAnother = this.words.all.length > 1 || !isWithin(own, readWords(`${name} ${tableName}`));
    const known = new Set([...own.all, ...readWords(tableName).all]);
    const head = headIndex(this.words.all);
    this.#brought = this.words.all.filter((word, i) => i !== head && !known.has(word));
  }

  /**
   * Checks whether it says another column in other forms of its words: "mailing street" for "mail street" next to
   * "mailing street address". A word alone may, where what it leaves out is the table's entity: "name" for "student name"
   * next to "advisor name", but not "points" for "total points" next to "vault points".
   */
  isAnothersForm(other: Words): boolean {
    return this.#mayBeAnother && other.key !== this.#own.key && isWithin(this.words, other);
  }

  /**
   * Checks whether it says a key in other words for the key alone, so that it can't stand for another column unless the old
   * one could: "address identifier" for "address id" next to "person address id".
   */
  isSameKey(other: Words): boolean {
    const { keyed } = this.#own;
    return keyed !== '' && this.words.keyed === keyed && other.keyed !== keyed;
  }

  /**
   * Checks whether it brings in another column by its name: "division phone" for "department phone" next to "division".
   * What rows are called is no other column ("student name" next to "student id"), nor is what the name is at last: an
   * "email address" next to "address" is an email.
   */
  bringsIn(other: Words): boolean {
    return this.#brought.length > 0 && other.meant.every((word) => this.#brought.includes(word));
  }
}

/** The columns of a table as candidates are compared with them. */
interface ComparedTable {
  readonly words: readonly Words[];
  readonly names: readonly string[];
  /** Names that an addition must not say, and what they identify: next to "player id", "player" adds nothing but doubt. */
  readonly meanings: readonly string[];
}

const comparedTable = memoizeObject(({ columns }: Table): ComparedTable => {
  const names = columns.map(({ name }) => name);
  return {
    words: names.map(readWords),
    names,
    meanings: [...new Set(names.flatMap((name) => [name, name.replace(/ (?:id|identifier)$/, '')]))],
  };
});

/**
 * Rules by dictionary behind the others: no name replaces a column that could as well stand for another one
 * (`ambiguous`), and an added column must be no synonym of one that stands, nor a part of its name (`synonym`, ADVETA
 * §2.3). Of a language model's names only words are compared: it has read the table,
 * which no list of synonyms has, and the judge says whether two names mean the same.
 */
export class LexicalScreen implements CandidateScreen {
  readonly fingerprint: string;
  readonly #inner: CandidateScreen;
  readonly #matcher: LexicalMatcher;
  readonly #rules: ReadonlySet<LexicalRule>;

  constructor(inner: CandidateScreen, matcher: LexicalMatcher, rules: ReadonlySet<LexicalRule>) {
    this.#inner = inner;
    this.#matcher = matcher;
    this.#rules = rules;
    this.fingerprint = `${inner.fingerprint}+lexical-7:${[...rules].join(',')}:${matcher.fingerprint}`;
  }

  async check(candidate: Candidate, target: TargetColumn): Promise<ScreenResult> {
    const { rpl, add } = await this.#inner.check(candidate, target);
    return {
      rpl: rpl ?? (await this.#ambiguous(candidate, target)),
      add: add ?? (await this.#synonym(candidate, target)),
    };
  }

  async #ambiguous(candidate: Candidate, { target, column }: TargetColumn): Promise<string | null> {
    if (!this.#rules.has('ambiguous')) return null;
    const { table } = target;
    const { words, names } = comparedTable(table);
    const name = new NewName(candidate.name, itemAt(words, column), table.name);
    const others = zip(words, names).filter(([own], c) => c !== column && !name.isSameKey(own));
    if (others.some(([own]) => name.isAnothersForm(own) || name.bringsIn(own))) return 'ambiguous';
    return (await this.#isSynonymOfAny(names, candidate, table.name, new Set(others.map(([, other]) => other))))
      ? 'ambiguous'
      : null;
  }

  async #synonym(candidate: Candidate, { target }: TargetColumn): Promise<string | null> {
    if (!this.#rules.has('synonym')) return null;
    const { table } = target;
    // What rows are called is no further column of theirs: "corporation" in a table of companies.
    if (await this.#areSynonyms(table.name, candidate, table.name)) return 'synonym';
    const { words, meanings } = comparedTable(table);
    const added = readWords(candidate.name);
    if (words.some((other) => isPartOf(added, other))) return 'synonym';
    return (await this.#isSynonymOfAny(meanings, candidate, table.name)) ? 'synonym' : null;
  }

  /** Checks whether the dictionary takes any of a table's names, or of those `among` them, for the candidate. */
  async #isSynonymOfAny(
    names: readonly string[],
    candidate: Candidate,
    tableName: string,
    among: ReadonlySet<string> | null = null,
  ): Promise<boolean> {
    if (isOfModel(candidate)) return false;
    for (const name of await this.#matcher.sharingWords(names, candidate.name)) {
      if (among !== null && !among.has(name)) continue;
      if (await this.#areSynonyms(name, candidate, tableName)) return true;
    }
    return false;
  }

  /** Checks whether the dictionary takes a name for another; names that a language model proposes are not asked about. */
  async #areSynonyms(name: string, candidate: Candidate, tableName: string): Promise<boolean> {
    return !isOfModel(candidate) && (await this.#matcher.areEquivalent(name, candidate.name, tableName));
  }
}

function isOfModel({ source }: Candidate): boolean {
  return sourceTraits(source).knownBy === 'model';
}
