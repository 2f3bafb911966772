import { headIndex } from '../dictionary/inflection.js';
import type { LexicalMatcher } from '../dictionary/lexical-matcher.js';
import { columnNameKey } from '../schema/name-identity.js';
import { type Candidate, sourceTraits, type TargetColumn } from '../stage.js';
import { type CandidateScreen, isOfDictionary, type ScreenResult } from './candidate-screen.js';

/** Rules that ask the dictionary; each has a flag like the others. */
export const LEXICAL_RULES = ['unsupported', 'ambiguous', 'synonym'] as const;
export type LexicalRule = (typeof LEXICAL_RULES)[number];

/** Checks whether a name says no more than a part of another: "category" next to "product category". */
function isPartOf(part: string, whole: string): boolean {
  const words = columnNameKey(whole).split(' ');
  return columnNameKey(part)
    .split(' ')
    .every((word) => words.includes(word));
}

/** Letters from which on words that start alike are taken for forms of one: "mail" and "mailing". */
const STEM_LETTERS = 4;

function isForm(a: string, b: string): boolean {
  if (a === b) return true;
  return Math.min(a.length, b.length) >= STEM_LETTERS && (a.startsWith(b) || b.startsWith(a));
}

function isWithin(part: string, whole: string): boolean {
  const words = columnNameKey(whole).split(' ');
  return columnNameKey(part)
    .split(' ')
    .every((word) => words.some((other) => isForm(word, other)));
}

/**
 * Checks whether a new name for one column says another in other forms of its words: "mailing street" for "mail street"
 * next to "mailing street address". A word alone may, where what it leaves out is the table's entity: "name" for
 * "student name" next to "advisor name", but not "points" for "total points" next to "vault points".
 */
function isAnothersForm(name: string, own: string, other: string, tableName: string): boolean {
  if (columnNameKey(other) === columnNameKey(own) || !isWithin(name, other)) return false;
  return columnNameKey(name).includes(' ') || !isWithin(own, `${name} ${tableName}`);
}

/** Last words of columns that stand for a thing by a sign of it: "division id" for the division. */
const SIGN_WORDS = new Set('id identifier code name'.split(' '));

/** The words of what a column stands for: "division" for "division id". */
function meantBy(columnName: string): readonly string[] {
  const words = columnNameKey(columnName).split(' ');
  return words.length > 1 && SIGN_WORDS.has(words.at(-1)!) ? words.slice(0, -1) : words;
}

/** Words by which a key says that it is one. */
const KEY_WORDS = new Set('id identifier identification number key'.split(' '));

const keyed = (name: string): string =>
  columnNameKey(name)
    .split(' ')
    .filter((word) => !KEY_WORDS.has(word))
    .sort()
    .join(' ');

/**
 * Checks whether a name says a key in other words for the key alone, so that it can't stand for another column unless
 * the old one could: "address identifier" for "address id" next to "person address id".
 */
function isSameKey(name: string, own: string, other: string): boolean {
  return keyed(own) !== '' && keyed(name) === keyed(own) && keyed(other) !== keyed(own);
}

/**
 * Checks whether a new name brings in another column by its name: "division phone" for "department phone" next to
 * "division". What rows are called is no other column ("student name" next to "student id"), nor is what the name is at
 * last: an "email address" next to "address" is an email.
 */
function bringsIn(name: string, own: string, other: string, tableName: string): boolean {
  const known = new Set([...columnNameKey(own).split(' '), ...columnNameKey(tableName).split(' ')]);
  const words = columnNameKey(name).split(' ');
  const head = headIndex(words);
  const brought = words.filter((word, i) => i !== head && !known.has(word));
  return meantBy(other).every((word) => brought.includes(word));
}

/**
 * Rules by dictionary behind the others: a retrieved name replaces a column only when the dictionary supports every
 * word of it (`unsupported`: "document id" is no "language code", whatever a small judge says), no name replaces a
 * column that could as well stand for another one (`ambiguous`), and an added column must be no synonym of one that
 * stands, nor a part of its name (`synonym`, ADVETA §2.3). Of a language model's names only words are compared: it has
 * read the table, which no list of synonyms has, and the judge says whether two names mean the same.
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
    this.fingerprint = `${inner.fingerprint}+lexical-6:${[...rules].join(',')}:${matcher.fingerprint}`;
  }

  async check(candidate: Candidate, target: TargetColumn): Promise<ScreenResult> {
    const { rpl, add } = await this.#inner.check(candidate, target);
    return {
      rpl: rpl ?? (await this.#unsupported(candidate, target)) ?? (await this.#ambiguous(candidate, target)),
      add: add ?? (await this.#synonym(candidate, target)),
    };
  }

  async #unsupported(candidate: Candidate, { target, column }: TargetColumn): Promise<string | null> {
    // The dictionary's own candidates are supported by how they were made.
    if (
      !this.#rules.has('unsupported') ||
      sourceTraits(candidate.source).knownBy !== 'retrieval' ||
      isOfDictionary(candidate)
    )
      return null;
    const { table } = target;
    return (await this.#matcher.areEquivalent(table.columns[column]!.name, candidate.name, table.name, 'none'))
      ? null
      : 'unsupported';
  }

  async #ambiguous(candidate: Candidate, { target, column }: TargetColumn): Promise<string | null> {
    if (!this.#rules.has('ambiguous')) return null;
    const { table } = target;
    const own = table.columns[column]!.name;
    for (const [c, { name }] of table.columns.entries()) {
      if (c === column || isSameKey(candidate.name, own, name)) continue;
      if (isAnothersForm(candidate.name, own, name, table.name) || bringsIn(candidate.name, own, name, table.name))
        return 'ambiguous';
      if (await this.#areSynonyms(name, candidate, table.name)) return 'ambiguous';
    }
    return null;
  }

  async #synonym(candidate: Candidate, { target }: TargetColumn): Promise<string | null> {
    if (!this.#rules.has('synonym')) return null;
    const { columns, name: tableName } = target.table;
    // What rows are called is no further column of theirs: "corporation" in a table of companies.
    if (await this.#areSynonyms(tableName, candidate, tableName)) return 'synonym';
    for (const { name } of columns) {
      if (isPartOf(candidate.name, name)) return 'synonym';
      // A column that identifies a player means the player: "player" next to "player id" adds nothing but doubt.
      for (const meaning of [name, name.replace(/ (?:id|identifier)$/, '')]) {
        if (await this.#areSynonyms(meaning, candidate, tableName)) return 'synonym';
      }
    }
    return null;
  }
  /**
   * Checks whether the dictionary takes a name for another; names that a language model proposes are not asked about.
   */
  async #areSynonyms(name: string, candidate: Candidate, tableName: string): Promise<boolean> {
    return (
      sourceTraits(candidate.source).knownBy !== 'model' &&
      (await this.#matcher.areEquivalent(name, candidate.name, tableName))
    );
  }
}
