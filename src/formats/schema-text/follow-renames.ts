import { wordsOf } from '../../schema/name-identity.js';
import { pluralOf } from '../../schema/natural-name.js';
import type { Column, Database } from '../../schema/schema.js';
import { needsQuotes, type SqlDialect } from '../../sql/dialect.js';
import { applyEdits, type SqlEdit } from '../../sql/edits.js';
import { type OutputSchema, type TracedTable, traceTables } from '../output-set.js';
import { type ColumnNames, columnNamesOf, type KnownColumn } from './column-names.js';
import { type Mention, MentionFinder, type Unsure } from './find-mentions.js';
import { type GoldLinks, NO_LINKS } from './gold-links.js';

/** A text after a rename: what changed where, and what may name a renamed column and was left. */
export interface FollowedText {
  readonly text: string;
  /** In order of position; offsets are into the original text. */
  readonly edits: readonly SqlEdit[];
  /** In order of position: what may name a renamed column, and what names one that is gone. */
  readonly unsure: readonly Unsure[];
}

/** The companions of a text; all of them may be left out. */
export interface TextSource {
  readonly links?: GoldLinks;
  readonly question?: string;
  /** Index of the table that the text describes. */
  readonly table?: number;
}

const isWord = (name: string): boolean => /^[\p{L}\p{N}_]+$/u.test(name);

/** A natural name in the number and letter case of the words that it replaces. */
function inWords(name: string, { text, isPlural }: Mention): string {
  const words = isPlural ? pluralOf(name) : name;
  if (text === text.toLowerCase()) return words;
  if (/^\p{Lu}[^\p{Lu}]*$/u.test(text)) return words.charAt(0).toUpperCase() + words.slice(1);
  const isTitle = text.split(/\s+/u).every((word) => /^\P{Ll}/u.test(word));
  return isTitle ? words.replace(/(?<![\p{L}\p{N}])\p{Ll}/gu, (letter) => letter.toUpperCase()) : words;
}

/** Renders a renamed mention: words stay words, identifiers identifiers, in quotes if one word becomes several. */
function renderMention(mention: Mention, after: Column, dialect: SqlDialect): string {
  const { text, form, place, column, isPlural, isQuoted } = mention;
  const before = column.names;
  const isPlain = form === 'natural' || isPlural || (place === 'predicate' && text === text.toLowerCase());
  if (before.originalName === after.originalName || isPlain) {
    return before.name === after.name ? text : inWords(after.name, mention);
  }
  if (place === 'quoted') return after.originalName.replaceAll('`', '``');
  if (isQuoted || isWord(after.originalName) || !isWord(text) || !needsQuotes(after.originalName, dialect)) {
    return after.originalName;
  }
  return `\`${after.originalName.replaceAll('`', '``')}\``;
}

/**
 * Checks whether the words around a mention say the last word of a new name already: "phone number" where the column
 * "phone" is called "phone number" now, "zip code" where "zip" is a postcode, "name of district" where it is the
 * district name.
 */
function saysTwice(text: string, { start, end }: Mention, after: Column): boolean {
  const last = wordsOf(after.name).at(-1) ?? '';
  const next = /^[\s_-]+(\p{L}{3,})/u.exec(text.slice(end))?.[1]?.toLowerCase();
  const head = /(\p{L}+)\s+of\s+(?:the\s+)?$/iu.exec(text.slice(0, start))?.[1]?.toLowerCase();
  return (next !== undefined && last.endsWith(next)) || head === last;
}

/** Changes texts about one schema as its columns are renamed. */
export class RenameFollower {
  readonly #database: Database;
  readonly #tables: readonly TracedTable[];
  readonly #dialect: SqlDialect;
  readonly #names: ColumnNames;

  constructor(database: Database, output: OutputSchema, dialect: SqlDialect) {
    [this.#database, this.#tables, this.#dialect] = [database, traceTables(output, database), dialect];
    this.#names = columnNamesOf(database);
  }

  /** True if the schema has a renamed column at all, or lacks one. */
  get hasRenames(): boolean {
    return this.#names.columns.some((column) => this.#isRenamed(column));
  }

  /** A text with each mention of a renamed column changed at its place; all else keeps its bytes. */
  follow(text: string, { links = NO_LINKS, question = '', table }: TextSource = {}): FollowedText {
    const { mentions, unsure } = new MentionFinder({
      database: this.#database,
      names: this.#names,
      links,
      question,
      table: table ?? null,
      newName: (column) => JSON.stringify([this.#after(column)?.originalName, this.#after(column)?.name]),
      isRenamed: (column) => this.#isRenamed(column),
    }).find(text);
    const edits: SqlEdit[] = [];
    const left: Unsure[] = [...unsure];
    for (const mention of mentions) {
      const { start, end, text: before, column } = mention;
      const now = this.#after(column);
      const after = now === null || !this.#isRenamed(column) ? before : renderMention(mention, now, this.#dialect);
      if (now === null || (after !== before && saysTwice(text, mention, now))) left.push({ start, end, text: before });
      else if (after !== before) edits.push({ start, end, before, after });
    }
    return { text: applyEdits(text, edits), edits, unsure: left.sort((a, b) => a.start - b.start) };
  }

  /** A column as it is now; null where it is gone. */
  #after({ table, position }: KnownColumn): Column | null {
    const { columns = [] } = this.#tables[table] ?? {};
    return columns.find((traced) => traced.position === position)?.column ?? null;
  }

  #isRenamed(column: KnownColumn): boolean {
    const after = this.#after(column);
    return column.names.originalName !== after?.originalName || column.names.name !== after.name;
  }
}
