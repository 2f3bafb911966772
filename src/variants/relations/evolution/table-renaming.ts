import { itemAt } from '../../../present.js';
import { SchemaAbbreviations } from '../../../schema/identifiers/schema-abbreviations.js';
import { naturalName } from '../../../schema/natural-name.js';
import { pluralOf, singularOf } from '../../../schema/noun-number.js';
import type { Database } from '../../../schema/schema.js';
import { foldName, type SqlDialect } from '../../../sql/dialect.js';
import type { StageContext } from '../../../stage.js';
import type { OtherNames } from '../schema/other-names.js';
import { isOrdinary } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import type { SchemaRelation } from '../schema/schema-relation.js';
import { areUsable, followTableNames, tableIdentifier, type TableName, withTableNames } from './table-naming.js';

/** Synonyms per table: the nearest. */
const NAMES_PER_TABLE = 2;

const JOINING = new Set(['of', 'in', 'on', 'at', 'for', 'by', 'to', 'with']);

/** Words that name several things and one. */
const SAME = new Set(['data', 'series', 'media', 'news', 'staff', 'hiring', 'processing']);

/** The words of a name with its head, which comes before "of" and "in", in another number. */
function withHead(name: string, change: (word: string) => string): string {
  const words = name.split(' ');
  const joint = words.findIndex((word, i) => i > 0 && JOINING.has(word));
  const head = (joint < 0 ? words.length : joint) - 1;
  return words
    .map((word, i) => (i === head && !SAME.has(word) && !word.endsWith('ed') ? change(word) : word))
    .join(' ');
}

/** Checks whether all tables of a schema begin with a capital and none separates its words by a character. */
function isCamel({ tables }: Database): boolean {
  return tables.every(({ originalName }) => /^[A-Z][A-Za-z\d]*[a-z]/.test(originalName) && !/[_ ]/.test(originalName));
}

/** Checks whether an identifier is in capitals; null where its script has none. */
function isInCapitals(identifier: string): boolean | null {
  return /\p{Ll}/u.test(identifier) ? false : /\p{Lu}/u.test(identifier) ? true : null;
}

/** A prefix that a table has already: `tbl_singer`, `DIM_SINGER`, `FactSale`. */
const HAS_PREFIX = /^(?:tbl|dim|fact|TBL|DIM|FACT|Tbl|Dim|Fact)(?:_+(?=[^_])|(?=\p{Lu}\p{Ll}))/u;

/**
 * "tbl" and a table's identifier in the letters of its schema: `tbl_singer`, `TBL_SINGER`, `tblSinger`, and `tbl_城市`
 * where no table or one of small letters is next to it. It takes the place of another such prefix.
 */
function prefixed(prefix: string, database: Database, t: number): TableName {
  const table = itemAt(database.tables, t);
  const originalName = table.originalName.replace(HAS_PREFIX, '');
  const all = database.tables.map((table) => isInCapitals(table.originalName));
  const isUpper = isInCapitals(originalName) ?? (all.includes(true) && !all.includes(false));
  const full = `${isUpper ? prefix.toUpperCase() : prefix}${isCamel(database) ? '' : '_'}${originalName}`;
  if (foldName(full) === foldName(table.originalName)) return table;
  return { name: naturalName(full), originalName: full };
}

/** A table of facts refers to others, one of dimensions does not. */
function starPrefix({ foreignKeys }: Database, t: number): string {
  return foreignKeys.some(({ from, to }) => from.table === t && to.table !== t) ? 'fact' : 'dim';
}

/** How the tables of a database are named. */
type Naming = (database: Database) => (t: number) => TableName;

/** A naming of the words that identifiers have: what a schema says of a table in words may be others. */
const inWords =
  (changeIn: (database: Database) => (words: string, t: number) => string): Naming =>
  (database) => {
    const change = changeIn(database);
    return (t) => {
      const { originalName } = itemAt(database.tables, t);
      const words = naturalName(originalName);
      const name = change(words, t);
      if (name === words) return { name, originalName };
      return { name, originalName: tableIdentifier(name, { name: words, originalName }) };
    };
  };

/** Ways to name all tables of a schema. */
const NAMINGS: Readonly<Record<string, Naming>> = {
  plural: inWords(() => (words) => withHead(words, pluralOf)),
  singular: inWords(() => (words) => withHead(words, singularOf)),
  'prefix tbl': (database) => (t) => prefixed('tbl', database, t),
  'prefix dim or fact': (database) => (t) => prefixed(starPrefix(database, t), database, t),
  abbreviated: inWords((database) => {
    const abbreviations = new SchemaAbbreviations(database);
    return (words, t) => abbreviations.inTable(t).shortName(words.split(' ')).join(' ');
  }),
};

/** The tables whose identifiers a naming changes. */
function namesBy(database: Database, naming: Naming): ReadonlyMap<number, TableName> {
  const ordinary = [...database.tables.keys()].filter((t) => isOrdinary(itemAt(database.tables, t)));
  const nameOf = naming(database);
  const named = ordinary.map((t) => [t, nameOf(t)] as const);
  return new Map(named.filter(([t, { originalName }]) => originalName !== itemAt(database.tables, t).originalName));
}

function evolutionOf(
  database: Database,
  names: ReadonlyMap<number, TableName>,
  level: string,
  dialect: SqlDialect,
): SchemaEvolution {
  const changes = Array.from(names, ([t, { originalName }]) => {
    return `${itemAt(database.tables, t).originalName} to ${originalName}`;
  });
  return {
    key: [level, ...Array.from(names, ([t, { originalName }]) => `${t}=${originalName}`)].join(),
    level,
    detail: `renamed ${changes.join(', ')}`,
    change: (draft) => withTableNames(draft, names),
    follow: (gold, changed) => followTableNames(gold, { database, changed }, names, dialect),
  };
}

/** Words that say something of a column: what a dictionary of columns adds to a table's name. */
const OF_COLUMNS = /\b(?:names?|number|affiliation)\b/;

/** Checks whether a name can be a table's: "singer name" and "number of songs" are columns of singers and songs. */
function isOfTable(name: string, own: string): boolean {
  return !OF_COLUMNS.test(name) || OF_COLUMNS.test(own);
}

/** Names of a table by the source that gives those of columns: it is judged with its columns as context. */
async function synonymsOf(
  database: Database,
  t: number,
  names: OtherNames,
  context: StageContext,
): Promise<readonly TableName[]> {
  const table = itemAt(database.tables, t);
  const asColumn = { name: table.name, originalName: table.originalName, type: 'text' } as const;
  const tables = database.tables.with(t, { ...table, columns: [asColumn, ...table.columns] });
  const found = await names.of({ ...database, tables }, { table: t, column: 0 }, context);
  return found
    .filter((name) => isOfTable(name, table.name))
    .map((name) => ({ name, originalName: tableIdentifier(name, table) }))
    .filter((name) => areUsable(database, new Map([[t, name]])))
    .slice(0, NAMES_PER_TABLE);
}

/**
 * Table Renaming: all tables in the other number, with a prefix that warehouses use, or abbreviated; or one table under
 * a synonym. Columns stay.
 */
export function tableRenaming(names: OtherNames, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'TRn',
    version: 2,
    dialect,
    parts: names.fingerprint,
    changes: async ({ database }, context) => {
      const named = Object.entries(NAMINGS)
        .map(([key, naming]) => [key, namesBy(database, naming)] as const)
        .filter(([, own]) => own.size > 0 && areUsable(database, own))
        .map(([key, own]) => evolutionOf(database, own, key, dialect));
      const synonyms: SchemaEvolution[] = [];
      for (const [t, table] of database.tables.entries()) {
        if (!isOrdinary(table)) continue;
        for (const name of await synonymsOf(database, t, names, context)) {
          synonyms.push(evolutionOf(database, new Map([[t, name]]), 'synonym', dialect));
        }
      }
      return [...named, ...synonyms];
    },
  });
}
