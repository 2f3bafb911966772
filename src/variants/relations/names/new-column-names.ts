import { isPerturbable } from '../../../schema/column-family.js';
import { columnAt, columnKey, type ColumnRef, type Database, KeyLinks } from '../../../schema/schema.js';
import { spellingKey, wordsOf } from '../../../schema/name-identity.js';
import { SchemaAbbreviations } from '../../../schema/identifiers/schema-abbreviations.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';

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

/** `same`: key columns linked by foreign keys that share a name get one new name; `independent`: each its own. */
export const LINKED_KEYS = ['same', 'independent'] as const;
export type LinkedKeys = (typeof LINKED_KEYS)[number];

/**
 * Groups of columns that are renamed together: linked by foreign keys, and of one name. Every group has two or more;
 * what keeps its name is in none.
 */
export function linkedColumnGroups(database: Database): ReadonlyMap<string, readonly ColumnRef[]> {
  const groups = new Map<string, ColumnRef[]>();
  const groupOf = (ref: ColumnRef): ColumnRef[] => groups.get(columnKey(ref)) ?? [ref];
  for (const { from, to } of database.foreignKeys) {
    const [child, parent] = [columnAt(database, from), columnAt(database, to)];
    if (child.name !== parent.name || !isPerturbable(child) || !isPerturbable(parent)) continue;
    const merged = [...new Map([...groupOf(from), ...groupOf(to)].map((ref) => [columnKey(ref), ref])).values()];
    // Two columns of one table can't have one name.
    if (new Set(merged.map(({ table }) => table)).size < merged.length) continue;
    for (const ref of merged) groups.set(columnKey(ref), merged);
  }
  return groups;
}

/**
 * The names of a database's keys. A key must not get the name of one that it is not linked with: were `makers.id`
 * called `make_id`, next to `makes.make_id`, a person would join the two.
 */
export class KeyNames {
  readonly #keys = new Map<string, ColumnRef[]>();
  readonly #links: KeyLinks;

  constructor(database: Database) {
    const { primaryKeys, foreignKeys } = database;
    this.#links = new KeyLinks(database);
    for (const ref of [...primaryKeys, ...foreignKeys.flatMap(({ from, to }) => [from, to])]) {
      const name = spellingKey(columnAt(database, ref).name);
      this.#keys.set(name, [...(this.#keys.get(name) ?? []), ref]);
    }
  }

  /** Checks whether a key of another table has the name, and is another key. A word alone, "id", is every table's. */
  isAnothers(ref: ColumnRef, name: string): boolean {
    if (wordsOf(name).length < 2) return false;
    const keys = this.#keys.get(spellingKey(name)) ?? [];
    const root = this.#links.rootOf(columnKey(ref));
    return keys.some((key) => key.table !== ref.table && this.#links.rootOf(columnKey(key)) !== root);
  }
}
