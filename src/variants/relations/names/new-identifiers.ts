import { SchemaAbbreviations } from '../../../schema/identifiers/schema-abbreviations.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import { columnAt, type ColumnRef, type Database } from '../../../schema/schema.js';

/** `as-schema`: new names of a table that abbreviates throughout are abbreviated as its own are; `never`: words in full. */
export const ABBREVIATE_CHOICES = ['never', 'as-schema'] as const;
export type AbbreviateChoice = (typeof ABBREVIATE_CHOICES)[number];

/** Writes new names of columns as identifiers of their schema. */
export class NewIdentifiers {
  readonly #database: Database;
  /** Null where no name is abbreviated. */
  readonly #abbreviations: SchemaAbbreviations | null;

  constructor(database: Database, abbreviate: AbbreviateChoice) {
    this.#database = database;
    this.#abbreviations = abbreviate === 'never' ? null : new SchemaAbbreviations(database);
  }

  /** A name in the style of the column that it replaces or stands next to. */
  inFull(ref: ColumnRef, name: string): string {
    const style = columnNamingStyle(this.#database, ref);
    return styledIdentifier(name, style, columnAt(this.#database, ref).originalName);
  }

  /** The same with its words abbreviated; null where none is to be, or the table does not abbreviate throughout. */
  abbreviated(ref: ColumnRef, name: string): string | null {
    const { table } = ref;
    if (this.#abbreviations?.isThroughout(table) !== true) return null;
    const words = name.toLowerCase().split(/\s+/u);
    return this.inFull(ref, this.#abbreviations.inTable(table).shortName(words).join(' '));
  }
}
