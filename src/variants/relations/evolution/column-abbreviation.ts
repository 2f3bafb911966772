import { expandAbbreviations } from '../../../schema/abbreviations.js';
import { SchemaAbbreviations, type ShortWords } from '../../../schema/identifiers/schema-abbreviations.js';
import { identifierKey } from '../../../schema/name-identity.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import { columnKey, type Column, type ColumnRef, type Database, type PlacedTable } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { renameColumns } from '../../../sql/rename-columns.js';
import { isOfLength } from '../schema/identifiers.js';
import { withColumns } from '../schema/schema-draft.js';
import type { SchemaRelation } from '../schema/schema-relation.js';
import { ordinaryTables } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';

/** Levels of naturalness as SNAILS has them (regular, low, least), and how the words of a name are written there. */
const LEVELS: Readonly<Record<string, (words: readonly string[], short: ShortWords) => readonly string[]>> = {
  full: (words) => expandAbbreviations(words.join(' ')).split(' '),
  mixed: (words, short) => short.mixedName(words),
  abbreviated: (words, short) => short.shortName(words),
};

const bare = (identifier: string): string => identifier.replaceAll(/[^\p{L}\d]/gu, '').toLowerCase();
const lettersOf = (identifier: string): number => bare(identifier).length;

/**
 * Checks whether all letters of a short name are in a long one, in their order: what a schema says of a column may be
 * other.
 */
function isShortFor(short: string, long: string): boolean {
  const letters = bare(long);
  let at = -1;
  return [...bare(short)].every((letter) => (at = letters.indexOf(letter, at + 1)) >= 0);
}

/** A schema with how it abbreviates. */
interface AbbreviatedSchema {
  readonly database: Database;
  readonly abbreviations: SchemaAbbreviations;
}

/** A column at a level; null where that is how it is written, or its identifier would be too long. */
function columnAtLevel(schema: AbbreviatedSchema, ref: ColumnRef, own: Column, level: string): Column | null {
  const { database, abbreviations } = schema;
  const words = own.name.split(' ').filter((word) => word !== '');
  const name = LEVELS[level]?.(words, abbreviations.inTable(ref.table)).join(' ') ?? own.name;
  const originalName = styledIdentifier(name, columnNamingStyle(database, ref), own.originalName);
  const [before, after] = [lettersOf(own.originalName), lettersOf(originalName)];
  // Identifiers may be shorter than the words that a schema has for them: `StuID` is "student id" in full.
  const isNearer =
    level === 'full'
      ? after > before && isShortFor(own.originalName, originalName)
      : after < before && name !== own.name;
  return isNearer && isOfLength(originalName, database) ? { ...own, name, originalName } : null;
}

/** The columns of a table that have another name at a level, by `columnKey`; those whose new names would be one keep theirs. */
function tableAtLevel(
  schema: AbbreviatedSchema,
  { t, table: { columns } }: PlacedTable,
  level: string,
): readonly (readonly [string, Column])[] {
  const renamed = columns.map((own, c) => {
    const ref = { table: t, column: c };
    const now = columnAtLevel(schema, ref, own, level);
    return { ref, now, key: identifierKey((now ?? own).originalName) };
  });
  return renamed.flatMap(({ ref, now, key }) => {
    const isTaken = renamed.filter((other) => other.key === key).length > 1;
    return now === null || isTaken ? [] : [[columnKey(ref), now] as const];
  });
}

/** The columns of a schema that have another name at a level, by `columnKey`. */
function columnsAtLevel(schema: AbbreviatedSchema, level: string): ReadonlyMap<string, Column> {
  return new Map(ordinaryTables(schema.database).flatMap((placed) => tableAtLevel(schema, placed, level)));
}

function evolutionOf(
  database: Database,
  level: string,
  columns: ReadonlyMap<string, Column>,
  dialect: SqlDialect,
): SchemaEvolution {
  const renames = new Map(Array.from(columns, ([key, { originalName }]) => [key, originalName] as const));
  return {
    key: level,
    level,
    detail: `columns at the level ${level}: ${[...columns.values()].map(({ originalName }) => originalName).join(', ')}`,
    change: (draft) => withColumns(draft, columns),
    follow: (gold) => renameColumns(gold.sql, database, renames, dialect).sql,
  };
}

/**
 * Column Abbreviation: all columns of a schema at one level of naturalness: words in full, one word of each name
 * shortened, or all. Abbreviations are the schema's own, then the usual ones, else a word without its inner vowels.
 */
export function columnAbbreviation(dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'CAb',
    version: 3,
    dialect,
    changes: ({ database }) => {
      const levels = new Map<string, SchemaEvolution>();
      const schema = { database, abbreviations: new SchemaAbbreviations(database) };
      for (const level of Object.keys(LEVELS)) {
        const columns = columnsAtLevel(schema, level);
        const names = JSON.stringify([...columns]);
        // Two levels are one where no name has two words to shorten.
        if (columns.size > 0 && !levels.has(names)) levels.set(names, evolutionOf(database, level, columns, dialect));
      }
      return [...levels.values()];
    },
  });
}
