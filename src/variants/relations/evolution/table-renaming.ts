import { SchemaAbbreviations } from '../../../schema/identifiers/schema-abbreviations.js';
import { naturalName, pluralOf, singularOf } from '../../../schema/natural-name.js';
import type { Database, Table, PlacedTable } from '../../../schema/schema.js';
import { foldName, type SqlDialect } from '../../../sql/dialect.js';
import type { StageContext } from '../../../stage.js';
import type { OtherNames } from '../schema/other-names.js';
import { ordinaryTables } from '../schema/usable-columns.js';
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
function prefixed(prefix: string, database: Database, table: Table): TableName {
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
type Naming = (database: Database) => (placed: PlacedTable) => TableName;

/** A naming of the words that identifiers have: what a schema says of a table in words may be others. */
const inWords =
  (changeIn: (database: Database) => (words: string, t: number) => string): Naming =>
  (database) => {
    const change = changeIn(database);
    return ({ t, table: { originalName } }) => {
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
  'prefix tbl':
    (database) =>
    ({ table }) =>
      prefixed('tbl', database, table),
  'prefix dim or fact':
    (database) =>
    ({ t, table }) =>
      prefixed(starPrefix(database, t), database, table),
  abbreviated: inWords((database) => {
    const abbreviations = new SchemaAbbreviations(database);
    return (words, t) => abbreviations.inTable(t).shortName(words.split(' ')).join(' ');
  }),
};

/** A table under another name. */
interface RenamedTable extends PlacedTable {
  readonly now: TableName;
}

const namesOf = (renamed: readonly RenamedTable[]): ReadonlyMap<number, TableName> =>
  new Map(renamed.map(({ t, now }) => [t, now]));

/** The tables whose identifiers a naming changes. */
function renamedBy(database: Database, naming: Naming): readonly RenamedTable[] {
  const nameOf = naming(database);
  const named = ordinaryTables(database).map((placed) => ({ ...placed, now: nameOf(placed) }));
  return named.filter(({ table, now }) => now.originalName !== table.originalName);
}

function evolutionOf(
  database: Database,
  renamed: readonly RenamedTable[],
  level: string,
  dialect: SqlDialect,
): SchemaEvolution {
  const changes = renamed.map(({ table, now }) => `${table.originalName} to ${now.originalName}`);
  const names = namesOf(renamed);
  return {
    key: [level, ...renamed.map(({ t, now }) => `${t}=${now.originalName}`)].join(),
    level,
    detail: `renamed ${changes.join(', ')}`,
    change: (draft) => withTableNames(draft, names),
    follow: (gold, changed) => followTableNames(gold, { database, changed }, names, dialect),
  };
}

/** Words that say something of a column: what a dictionary of columns adds to a table's name. */
const OF_COLUMNS = /\b(?:names?|number|affiliation)\b/;

/** Names of a table by the source that gives those of columns: it is judged with its columns as context. */
async function synonymsOf(
  database: Database,
  { t, table }: PlacedTable,
  names: OtherNames,
  context: StageContext,
): Promise<readonly TableName[]> {
  const asColumn = { name: table.name, originalName: table.originalName, type: 'text' } as const;
  const tables = database.tables.with(t, { ...table, columns: [asColumn, ...table.columns] });
  const found = await names.of({ ...database, tables }, { table: t, column: 0 }, context);
  return (
    found
      // "singer name" and "number of songs" are columns of singers and songs.
      .filter((name) => !OF_COLUMNS.test(name) || OF_COLUMNS.test(table.name))
      .map((name) => ({ name, originalName: tableIdentifier(name, table) }))
      .filter((name) => areUsable(database, new Map([[t, name]])))
      .slice(0, NAMES_PER_TABLE)
  );
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
        .map(([key, naming]) => [key, renamedBy(database, naming)] as const)
        .filter(([, own]) => own.length > 0 && areUsable(database, namesOf(own)))
        .map(([key, own]) => evolutionOf(database, own, key, dialect));
      const synonyms: SchemaEvolution[] = [];
      for (const placed of ordinaryTables(database)) {
        for (const now of await synonymsOf(database, placed, names, context))
          synonyms.push(evolutionOf(database, [{ ...placed, now }], 'synonym', dialect));
      }
      return [...named, ...synonyms];
    },
  });
}
