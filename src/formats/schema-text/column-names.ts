import { type Column, columnKey, type Database, KeyLinks } from '../../schema/schema.js';
import { memoizeObject } from '../../schema/memoize.js';
import { wordsOf } from '../../schema/name-identity.js';
import { pluralOf } from '../../schema/natural-name.js';
import type { Span } from '../../sql/tokenizer.js';

/** A column of a schema. */
export interface KnownColumn {
  readonly key: string;
  /** Index of its table, and of the column in it. */
  readonly table: number;
  readonly position: number;
  readonly names: Pick<Column, 'name' | 'originalName'>;
}

/** A column that a text may name, and by which of its names. */
export interface NamedColumn {
  readonly column: KnownColumn;
  readonly form: 'identifier' | 'natural';
  readonly isPlural: boolean;
}

/** A place in a text where a name of at least one column is, in any letter case. */
export interface NameMatch extends Span {
  readonly text: string;
  readonly candidates: readonly NamedColumn[];
}

interface Part extends Span {
  readonly text: string;
}

/** Words and signs in lower case, with their places. */
function partsOf(text: string): readonly Part[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+|\S/gu)].map(({ index, 0: part }) => ({
    start: index,
    end: index + part.length,
    text: part.toLowerCase(),
  }));
}

type Form = readonly [name: string, form: NamedColumn['form'], isPlural: boolean];

/** Returns a column's forms in texts: identifier, natural name, the words of both, and the plural of natural ones. */
function formsOf({ originalName, name }: Column): readonly Form[] {
  // "CreationDate" of a column whose identifier misspells it.
  const joined = name.includes(' ') ? name.replace(/[^\p{L}\p{N}]+/gu, '') : originalName;
  const natural = [name, wordsOf(originalName).join(' ')];
  const plural = natural.filter((one) => /\p{L}{2}$/u.test(one)).map(pluralOf);
  return [
    [originalName, 'identifier', false],
    [joined, 'identifier', false],
    ...natural.map((one): Form => [one, 'natural', false]),
    ...plural.map((one): Form => [one, 'natural', true]),
  ];
}

interface IndexedName {
  readonly parts: readonly string[];
  readonly candidates: NamedColumn[];
}

/** Finds the names of a schema's columns in texts. */
export class ColumnNames {
  readonly columns: readonly KnownColumn[];
  readonly links: KeyLinks;
  /** Names by their first part, the longest first. */
  readonly #byStart = new Map<string, IndexedName[]>();

  constructor(database: Database) {
    const { tables } = database;
    this.links = new KeyLinks(database);
    this.columns = tables.flatMap(({ columns }, table) =>
      columns.map((names, position) => {
        const column = { key: columnKey({ table, column: position }), table, position, names };
        for (const form of formsOf(names)) this.#register(column, form);
        return column;
      }),
    );
    for (const names of this.#byStart.values()) names.sort((a, b) => b.parts.length - a.parts.length);
  }

  /** The names in a text, in order of position, none within another: the longest counts. */
  find(text: string): readonly NameMatch[] {
    const parts = partsOf(text);
    const matches: NameMatch[] = [];
    for (let at = 0; at < parts.length;) {
      const name = this.#longestAt(parts, at);
      if (name !== null) {
        const said = parts.slice(at, at + name.parts.length);
        const { start = 0, end = 0 } = { start: said[0]?.start, end: said.at(-1)?.end };
        matches.push({ start, end, text: text.slice(start, end), candidates: name.candidates });
      }
      at += name?.parts.length ?? 1;
    }
    return matches;
  }

  #longestAt(parts: readonly Part[], at: number): IndexedName | null {
    const names = this.#byStart.get(parts[at]?.text ?? '') ?? [];
    return names.find((name) => name.parts.every((part, i) => parts[at + i]?.text === part)) ?? null;
  }

  /** The first form of a column that reads so counts: its identifier, else its natural name. */
  #register(column: KnownColumn, [name, form, isPlural]: Form): void {
    const parts = partsOf(name).map(({ text }) => text);
    const [first] = parts;
    if (first === undefined) return;
    const names = this.#byStart.get(first) ?? [];
    this.#byStart.set(first, names);
    const same = names.find((one) => one.parts.join('\0') === parts.join('\0'));
    if (same === undefined) names.push({ parts, candidates: [{ column, form, isPlural }] });
    else if (same.candidates.every((one) => one.column !== column)) same.candidates.push({ column, form, isPlural });
  }
}

/** The names of a schema's columns, indexed once per schema. */
export const columnNamesOf = memoizeObject((database: Database) => new ColumnNames(database));
