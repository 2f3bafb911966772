import { getOrMake } from '../../present.js';
import { editDistance } from '../../schema/edit-distance.js';
import { spacedName } from '../../schema/name-identity.js';
import { pluralOf, singularOf } from '../../schema/natural-name.js';
import type { Database } from '../../schema/schema.js';
import { foldName } from '../../sql/dialect.js';
import type { Span } from '../../sql/tokenizer.js';
import type { ColumnNames, KnownColumn, NamedColumn, NameMatch } from './column-names.js';
import type { GoldLinks } from './gold-links.js';
import {
  callAround,
  isCode,
  isExplained,
  isListed,
  isNaming,
  isNoColumn,
  isPredicate,
  literalAfter,
  type MentionPlace,
  qualifierOf,
  quotedSpans,
  type Surroundings,
} from './mention-place.js';

const WORDS = /[\p{L}\p{N}_]+/gu;

/** The words by which texts speak of a schema's tables: "card", "cards", "hero attribute". */
class TableWords {
  readonly #tables = new Map<string, Set<number>>();

  constructor({ tables }: Database) {
    tables.forEach(({ name, originalName }, table) => {
      for (const one of [name, originalName].map(spacedName)) {
        for (const form of [one, singularOf(one), pluralOf(one)]) this.#add(form, table);
      }
    });
  }

  /** Checks whether a word is the name of a table. */
  has(word: string): boolean {
    return this.#tables.has(spacedName(word));
  }

  /**
   * The tables that a word before a dot means, by name, by the end of one ("stats_posts") or a letter off ("color").
   */
  qualified(word: string): ReadonlySet<number> {
    const name = spacedName(word);
    const last = name.slice(name.lastIndexOf(' ') + 1);
    const near = [...this.#tables.keys()].find((one) => one.length > 4 && editDistance(one, name) === 1);
    const forms = [name, singularOf(name), last, near ?? ''];
    return forms.map((form) => this.#tables.get(form)).find((tables) => tables !== undefined) ?? new Set();
  }

  /** The tables that a text speaks of. */
  in(text: string): ReadonlySet<number> {
    const words = (text.match(WORDS) ?? []).map((word) => spacedName(word));
    const pairs = words.slice(1).map((word, i) => `${words[i] ?? ''} ${word}`);
    return new Set([...words, ...pairs].flatMap((word) => [...(this.#tables.get(word) ?? [])]));
  }

  #add(form: string, table: number): void {
    getOrMake(this.#tables, form, () => new Set()).add(table);
  }
}

/** A place where a text names a column. */
export interface Mention extends Span, Omit<NamedColumn, 'column'> {
  readonly column: KnownColumn;
  readonly text: string;
  readonly place: MentionPlace;
  /** True if it fills a pair of quotes. */
  readonly isQuoted: boolean;
}

/** A place where a text may name a renamed column, and may not. */
export interface Unsure extends Span {
  readonly text: string;
}

/** The context of a search for mentions, with the means to tell them from other words. */
export interface TextContext {
  readonly database: Database;
  readonly names: ColumnNames;
  readonly links: GoldLinks;
  /** The question that the text goes with: what repeats its words is no mention. */
  readonly question: string;
  /** Index of the table that the text describes; null where it describes none. */
  readonly table: number | null;
  /** Returns a column's new name, identifier and natural; equal texts for equal names. */
  readonly newName: (column: KnownColumn) => string;
  readonly isRenamed: (column: KnownColumn) => boolean;
}

interface Found extends Surroundings {
  readonly match: NameMatch;
  readonly place: MentionPlace;
  readonly isQuoted: boolean;
  /** From the last semicolon or full stop to the name. */
  readonly left: string;
  readonly clause: string;
}

const CLAUSE_START = /[;\n]|\.\s/g;

function clauseOf(text: string, { start, end }: Span): { readonly left: string; readonly clause: string } {
  const from = Math.max(0, ...[...text.slice(0, start).matchAll(CLAUSE_START)].map(({ index }) => index + 1));
  const rest = text.slice(end);
  const to = rest.search(/[;\n]|\.\s/);
  return { left: text.slice(from, start), clause: text.slice(from, to < 0 ? text.length : end + to) };
}

/** Written as only an identifier is: `first_name`, `T1`, `DisplayName`, `LDH`, `County Name`. */
function isIdentifierShaped({ text, candidates }: NameMatch): boolean {
  const isExact = candidates.some(({ column, form }) => form === 'identifier' && column.names.originalName === text);
  return isExact && /_|\d|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}|\p{Lu}.*\s.*\p{Lu}/u.test(text) && text.toLowerCase() !== 'id';
}

const isCapitalized = ({ text, candidates }: NameMatch): boolean =>
  /^\p{Lu}/u.test(text) && candidates.some(({ column }) => column.names.originalName === text);

/** The items that pass, or all where none does. */
function preferred<T>(items: readonly T[], passes: (item: T) => boolean): readonly T[] {
  const passing = items.filter(passes);
  return passing.length > 0 ? passing : items;
}

/** Finds where a text names columns of a schema. */
export class MentionFinder {
  readonly #context: TextContext;
  readonly #tableWords: TableWords;
  readonly #question: string;

  constructor(context: TextContext) {
    this.#context = context;
    this.#tableWords = new TableWords(context.database);
    this.#question = context.question.toLowerCase();
  }

  /** Mentions of any column in order of position, and places that may be mentions of a renamed one. */
  find(text: string): { readonly mentions: readonly Mention[]; readonly unsure: readonly Unsure[] } {
    const mentions: Mention[] = [];
    const unsure: Unsure[] = [];
    const quoted = quotedSpans(text);
    const matches = [...this.#context.names.find(text), ...this.#misspelled(text, quoted)];
    for (const match of matches.sort((a, b) => a.start - b.start)) {
      const found = this.#place(text, match, quoted, mentions.at(-1));
      if (found === null) continue;
      const mention = this.#accept(found, mentions);
      if (mention !== null) mentions.push(mention);
      else if (this.#isUnsure(found, mentions)) unsure.push({ start: match.start, end: match.end, text: match.text });
    }
    return { mentions, unsure };
  }

  #place(text: string, match: NameMatch, quoted: readonly Span[], last: Mention | undefined): Found | null {
    const quotes = quoted.find(({ start, end }) => start < match.start && match.end < end);
    const isFilled = quotes?.start === match.start - 1 && quotes.end === match.end + 1;
    if (quotes !== undefined && !isFilled) return null;
    const { start, end } = quotes ?? match;
    const around = { before: text.slice(0, start), name: match.text, after: text.slice(end) };
    const found = { ...around, match, isQuoted: quotes !== undefined, ...clauseOf(text, { start, end }) };
    if (quotes !== undefined && text[quotes.start] === '`') return { ...found, place: 'quoted' };
    const isLiteral = quotes !== undefined && /(?:[=<>]|\b(?:in|like)\s*\(?|,)\s*$/iu.test(around.before);
    if (isLiteral || isNoColumn(around)) return null;
    return { ...found, place: this.#placeOf(found, last) };
  }

  #placeOf(found: Omit<Found, 'place'>, last: Mention | undefined): MentionPlace {
    const { before, match, after } = found;
    const qualifier = qualifierOf(before);
    if (qualifier !== null && this.#tablesNamed(qualifier).size > 0) return 'code';
    if (isCode(found)) return 'code';
    if (isNaming(found) || isNaming({ ...found, after: this.#withoutTable(after) })) return 'naming';
    const isNext = last !== undefined && last.end <= match.start && (last.place === 'naming' || last.place === 'code');
    const between = isNext ? before.slice(last.end) : '-';
    if (isListed(between, isCapitalized(match) ? '' : after)) return 'naming';
    if (isCapitalized(match) && /\b(?:includes?|has|have|contains?)\s+(?:the\s+)?$/iu.test(before)) return 'naming';
    return isPredicate({ ...found, before: this.#withoutNoun(before) }) ? 'predicate' : 'prose';
  }

  /** "language in foreign_data" without the table. */
  #withoutTable(after: string): string {
    const table = /^\s+(?:in|of)\s+(?:the\s+)?([\p{L}\p{N}_]+)/iu.exec(after);
    return this.#tableWords.has(table?.[1] ?? '') ? after.slice(table?.[0].length ?? 0) : after;
  }

  /** "is the patient" in front of "ID" without the table. */
  #withoutNoun(before: string): string {
    const noun = /([\p{L}\p{N}_]+)\s+$/u.exec(before);
    return noun !== null && this.#tableWords.has(noun[1] ?? '') ? before.slice(0, noun.index) : before;
  }

  #tablesNamed(qualifier: string): ReadonlySet<number> {
    const table = this.#context.links.aliases.get(foldName(qualifier));
    return table === undefined ? this.#tableWords.qualified(qualifier) : new Set([table]);
  }

  #accept(found: Found, mentions: readonly Mention[]): Mention | null {
    const { match, place, isQuoted } = found;
    const chosen = this.#choose(found);
    if (chosen === null || !this.#isMention(found, chosen, mentions)) return null;
    return { start: match.start, end: match.end, text: match.text, place, isQuoted, ...chosen };
  }

  #isMention(found: Found, named: NamedColumn, mentions: readonly Mention[]): boolean {
    const { place, match, before, after } = found;
    const isBacked = this.#context.links.columns.size > 0 || place === 'quoted' || isIdentifierShaped(match);
    // Without a query to tell columns from words, only what can be nothing else counts.
    if (!isBacked && literalAfter(after) === null && qualifierOf(before) === null) return false;
    switch (place) {
      case 'quoted':
        return true;
      case 'code':
        return !named.isPlural;
      case 'naming':
        return !named.isPlural && !this.#isGloss(found, named, mentions);
      case 'predicate':
        return this.#isPredicated(found, named) && !this.#isGloss(found, named, mentions);
      case 'prose':
        return isIdentifierShaped(match) && !this.#repeatsQuestion(match);
    }
  }

  /** Checks whether words say what an identifier of the same clause means: "A11 refers to average salary". */
  #isGloss({ match, left }: Found, { column, form }: NamedColumn, mentions: readonly Mention[]): boolean {
    if (form === 'identifier') return false;
    const from = match.start - left.length;
    return mentions.some((one) => one.column === column && one.start >= from);
  }

  #isPredicated(found: Found, { column }: NamedColumn): boolean {
    const { left, after, match } = found;
    if (this.#saysValue(left, column)) return true;
    if (isCapitalized(match) && /^\p{Lu}/u.test(column.names.originalName)) return true;
    const of = /^\s+of\s+(?:the\s+)?([\p{L}\p{N}_]+(?:\s+[\p{L}\p{N}_]+)?)/iu.exec(after)?.[1] ?? '';
    return this.#tableWords.in(of).has(column.table);
  }

  /** Checks whether a text holds a value that the gold query compares a column with. */
  #saysValue(text: string, { key }: KnownColumn): boolean {
    const folded = text.toLowerCase().replaceAll("''", "'");
    return [...(this.#context.links.literals.get(key) ?? [])].some((value) => value !== '' && folded.includes(value));
  }

  #repeatsQuestion({ text }: NameMatch): boolean {
    return this.#question.includes(text.toLowerCase());
  }

  /** The column that is meant; null where several with different new names may be. */
  #choose({ match, place, before, after, left, clause }: Found): NamedColumn | null {
    const { links, table } = this.#context;
    const qualifier = qualifierOf(before);
    const tables = qualifier === null ? new Set<number>() : this.#tablesNamed(qualifier);
    const [literal, call] = [literalAfter(after), callAround(before)];
    const spoken = this.#tableWords.in(clause);
    const rules: readonly ((named: NamedColumn) => boolean)[] = [
      ({ column }) => tables.has(column.table),
      ({ column }) => links.columns.has(column.key),
      ({ form }) => place === 'predicate' || form === 'identifier',
      ({ column }) => literal !== null && (links.literals.get(column.key)?.has(literal) ?? false),
      ({ column }) => call !== null && (links.calls.get(column.key)?.has(call) ?? false),
      ({ column }) => place !== 'code' && this.#saysValue(left, column),
      ({ column }) => column.table === table,
      ({ column }) => spoken.has(column.table),
      ({ column }) => links.tables.has(column.table),
      ({ column }) => column.names.originalName === match.text,
    ];
    const meant = rules.reduce<readonly NamedColumn[]>(preferred, match.candidates);
    return this.#onlyOne(meant);
  }

  /** The one column of several that may be meant; of those that keys link the one that the query names first. */
  #onlyOne(meant: readonly NamedColumn[]): NamedColumn | null {
    const { newName, links, names } = this.#context;
    const isOne = new Set(meant.map(({ column }) => newName(column))).size === 1;
    const areLinked = new Set(meant.map(({ column }) => names.links.rootOf(column.key))).size === 1;
    if (isOne) return meant[0] ?? null;
    const first = [...links.columns].find((key) => meant.some(({ column }) => column.key === key));
    return areLinked ? (meant.find(({ column }) => column.key === first) ?? null) : null;
  }

  /** A name of a renamed column that is not changed, unless it is a word of the question or explains an identifier. */
  #isUnsure(found: Found, mentions: readonly Mention[]): boolean {
    const { match } = found;
    const meant = match.candidates.filter(
      ({ column }) => this.#context.isRenamed(column) && this.#context.links.columns.has(column.key),
    );
    if (meant.length === 0) return false;
    if (isIdentifierShaped(match)) return true;
    if (this.#repeatsQuestion(match) || isExplained(found.after)) return false;
    return !meant.some((named) => this.#isGloss(found, named, mentions));
  }

  /** Words in code that are a letter or two from the identifier of one of the query's columns. */
  #misspelled(text: string, quoted: readonly Span[]): NameMatch[] {
    const { names, links } = this.#context;
    const known = names.find(text);
    const taken = [...quoted, ...known];
    const columns = names.columns.filter(({ key }) => links.columns.has(key));
    return [...text.matchAll(/[\p{L}_]\w{2,}/gu)].flatMap(({ index: start, 0: word }) => {
      const end = start + word.length;
      if (taken.some((span) => span.start < end && start < span.end)) return [];
      const around = { before: text.slice(0, start), name: word, after: text.slice(end) };
      if (isNoColumn(around) || !this.#mayBeMisspelled(around)) return [];
      const meant = columns.filter(({ names: { originalName } }) => isMisspelling(word, originalName));
      if (meant.length === 0) return [];
      const candidates = meant.map((column): NamedColumn => ({ column, form: 'identifier', isPlural: false }));
      return [{ start, end, text: word, candidates }];
    });
  }

  #mayBeMisspelled(around: Surroundings): boolean {
    if (literalAfter(around.after) !== null) return isCode(around);
    return !this.#tableWords.has(around.name) && (isCode(around) || isNaming(around) || /,\s*$/.test(around.before));
  }
}

function isMisspelling(word: string, identifier: string): boolean {
  const [a, b] = [word.toLowerCase(), identifier.toLowerCase()];
  if (singularOf(a) === singularOf(b)) return true;
  if (Math.abs(a.length - b.length) > 2 || a.length < 5) return false;
  return editDistance(a, b) <= (a.length >= 8 ? 2 : 1);
}
