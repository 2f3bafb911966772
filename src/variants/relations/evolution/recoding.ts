import { affinityOf } from '../../../sql/affinity.js';
import { itemAt, zip } from '../../../present.js';
import { identifierKey } from '../../../schema/name-identity.js';
import { columnNamingStyle, styledIdentifier } from '../../../schema/naming-style.js';
import {
  type Column,
  columnKey,
  type ColumnRef,
  type ColumnType,
  type Database,
  type PlacedColumn,
  placedColumn,
} from '../../../schema/schema.js';
import { renderIdentifier, type SqlDialect } from '../../../sql/dialect.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';
import type { RowReader } from '../../databases/row-reader.js';
import { inDialect } from '../../databases/server-sql.js';
import { describeColumn, isOfLength } from '../schema/identifiers.js';
import {
  changeTable,
  type DraftColumn,
  draftColumnAt,
  draftOf,
  rowsOfColumn,
  type SchemaDraft,
} from '../schema/schema-draft.js';
import { type GoldlessCase, originOf, type SchemaRelation } from '../schema/schema-relation.js';
import { keylessColumns } from '../schema/usable-columns.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import { rewriteGold } from './gold-rewriter.js';
import type { ReadAffinity } from './source-reading.js';

/** The facts about a column from SQLite's rows of it. */
interface KnownColumn {
  readonly declaredType: string;
  readonly values: readonly SqlValue[];
}

const DATE = /^date$/i;

/**
 * Types that SQLite and the servers mean the same by, with values of them. CHAR pads, moments have more than one text,
 * and a number that is not whole does not come back from one.
 */
const SHARED: readonly (readonly [type: RegExp, isValue: (value: SqlValue) => boolean])[] = [
  [/^(?:(?:tiny|medium|long)?text|n?varchar|character varying)\b/i, (value) => typeof value === 'string'],
  [/^(?:(?:tiny|small|medium|big)?int(?:eger)?|int[248])\b/i, (value) => typeof value === 'bigint'],
  [DATE, (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)],
];

/** Checks whether a column holds dates, which a server has a type for. */
function isDateType({ declaredType }: Pick<KnownColumn, 'declaredType'>): boolean {
  return DATE.test(declaredType);
}

/**
 * The form under which a server compares texts, by its default collation: MySQL's know no case, accents or spaces
 * behind.
 */
export function comparedText(text: string, dialect: SqlDialect): string {
  return dialect.name === 'mysql' ? dialect.fold(text).trimEnd() : text;
}

/**
 * Checks whether a server has a column as SQLite has it: by a type that both mean the same by, and values that both
 * distinguish.
 */
function isSameOnServer({ declaredType, values }: KnownColumn, dialect: SqlDialect): boolean {
  if (dialect.name === 'sqlite') return true;
  const isValue = SHARED.find(([type]) => type.test(declaredType))?.[1];
  if (isValue === undefined || !values.every(isValue)) return false;
  // MySQL's collations take other spaces for the usual one, and a backslash of a text begins an escape.
  if (dialect.name === 'mysql' && values.some((value) => /[^\S ]|\\/.test(String(value)))) return false;
  return new Set(values.map((value) => comparedText(String(value), dialect))).size === values.length;
}

/** Distinct values that are looked at to see what a column holds; the check of all rows is SQL's. */
const LOOKED_AT = 2000;
/** Bytes of the longest value that a kind of evolution has a rule for. */
const LONGEST = 200;

/** Rows that a value of a category has on the average, at the least. */
export const FEWEST_ROWS_OF_A_VALUE = 2;

/** A column with its rows. */
export interface ReadColumn extends PlacedColumn {
  /** Distinct values that are not NULL, at most some thousands. */
  readonly values: readonly SqlValue[];
  /** The effect of its declared type on values that it is compared with: numeric or not. */
  readonly isNumeric: boolean;
  readonly declaredType: string;
}

/** A column that comes in the place of others. */
export interface NewColumn {
  /** Natural words. */
  readonly name: string;
  /** Fewer words, where the name would be too long or is taken. */
  readonly shortName?: string;
  readonly type: ColumnType;
  /** Its value from those of the old columns, in their order. */
  readonly sql: (old: readonly string[]) => string;
}

const declaredTypeOf = ({ type }: Pick<Column, 'type'>): string => (type === 'number' ? 'INTEGER' : 'TEXT');

/** A column that goes, and how its value is had from those of the new ones, in their order. */
interface OldColumn {
  readonly ref: ColumnRef;
  readonly restored: (now: readonly string[]) => string;
  readonly affinity: ReadAffinity;
}

/** Columns of one table that hold in another form what some of it held. */
export interface Recoding {
  /** Distinguishes recodings of one column. */
  readonly key: string;
  readonly detail: (before: string, now: string) => string;
  readonly old: readonly OldColumn[];
  readonly now: readonly NewColumn[];
  /** True if the first new column keeps the identifier of the first old one. */
  readonly keepsName?: true;
}

/** Checks whether a database has a collation of its own: an expression would compare texts otherwise. */
export function hasCollations(rows: RowReader, origin: string): boolean {
  return rows.isEmpty(origin, "SELECT 1 FROM sqlite_schema WHERE sql LIKE '%collate%'") !== true;
}

/**
 * The columns of a schema that hold values of their own, with these; null where there are no rows to read. Keys are
 * left out, and so are columns without a declared type.
 */
export function readColumns(rows: RowReader, one: GoldlessCase, dialect: SqlDialect): readonly ReadColumn[] | null {
  const origin = originOf(one);
  if (hasCollations(rows, origin)) return null;
  const draft = draftOf(one.database, one.mutated);
  return keylessColumns(one.database).flatMap((placed) => {
    const read = readColumn(rows, origin, draft, placed.ref);
    return read === null || !isSameOnServer(read, dialect) ? [] : [{ ...placed, ...read }];
  });
}

function readColumn(
  rows: RowReader,
  origin: string,
  draft: SchemaDraft,
  ref: ColumnRef,
): Omit<ReadColumn, keyof PlacedColumn> | null {
  const {
    table: { from },
    column: { sql, isMade },
  } = draftColumnAt(draft, ref);
  if (isMade) return null;
  const type = rows.typesOf(origin, `SELECT ${sql} FROM ${from}`)?.[0];
  if (type === null || type === undefined || affinityOf(type) === 'BLOB') return null;
  // Longer values are not carried here: an empty text, which no rule takes, represents all of them.
  const value = `CASE WHEN octet_length(${sql}) <= ${LONGEST} THEN ${sql} ELSE '' END`;
  const query = `SELECT DISTINCT ${value} AS v FROM ${from} WHERE ${sql} IS NOT NULL LIMIT ${LOOKED_AT}`;
  const values = rows.rowsOf(origin, query);
  if (values === null || values.length === 0) return null;
  return { values: values.map(([value = null]) => value), isNumeric: affinityOf(type) !== 'TEXT', declaredType: type };
}

/** The affinity of a column for texts that are had from other columns. */
export function textAffinity({ isNumeric }: ReadColumn): ReadAffinity {
  return isNumeric ? 'NUMERIC with texts' : 'TEXT';
}

/** Checks whether every row's old values can be had again from the new ones, storage class and all. */
function isExact(rows: RowReader, one: GoldlessCase, { old, now }: Recoding): boolean {
  const read = old.map(({ ref }) => rowsOfColumn(one, ref));
  const { from } = itemAt(read, 0);
  const [before, after] = [old.map((_, i) => `v${i}`), now.map((_, i) => `n${i}`)];
  const values = read.map(({ sql }, i) => `${sql} AS v${i}`);
  const made = now.map(({ sql }, i) => `${sql(before)} AS n${i}`);
  const restored = old.map(({ restored: sql }, i) => {
    return `v${i} IS (${sql(after)}) COLLATE BINARY AND typeof(v${i}) = typeof(${sql(after)})`;
  });
  const stored = now.map((column, i) => `typeof(n${i}) IN ('null', '${declaredTypeOf(column).toLowerCase()}')`);
  const inner = `SELECT ${[...before, ...made].join(', ')} FROM (SELECT ${values.join(', ')} FROM ${from})`;
  const query = `SELECT 1 FROM (${inner}) WHERE NOT (${[...restored, ...stored].join(' AND ')})`;
  return rows.isEmpty(originOf(one), query) === true;
}

/** The new columns as the table would have them; null where a name is taken or too long. */
function namedColumns(database: Database, recoding: Recoding): readonly Column[] | null {
  const short = recoding.now.map(({ shortName, ...column }) => ({ ...column, name: shortName ?? column.name }));
  return columnsNamed(database, recoding) ?? columnsNamed(database, { ...recoding, now: short });
}

function columnsNamed(database: Database, { old, now, keepsName }: Recoding): readonly Column[] | null {
  const { ref: first, table, column: own } = placedColumn(database, itemAt(old, 0).ref);
  const kept = table.columns.filter((_, c) => !old.some(({ ref }) => ref.column === c));
  const style = columnNamingStyle(database, first);
  const named = now.map(({ name, type }, i): Column => {
    if (i === 0 && keepsName === true) return { ...own, type };
    return { name, originalName: styledIdentifier(name, style, own.originalName), type };
  });
  const keys = [...kept, ...named].map(({ originalName }) => identifierKey(originalName));
  const areShort = named.every(({ originalName }) => originalName !== '' && isOfLength(originalName, database));
  return areShort && new Set(keys).size === keys.length ? named : null;
}

function recode(draft: SchemaDraft, { old, now }: Recoding, named: readonly Column[]): SchemaDraft {
  const first = itemAt(old, 0).ref;
  const gone = new Set(old.map(({ ref }) => ref.column));
  return changeTable(draft, first.table, (table) => {
    const before = old.map(({ ref }) => itemAt(table.columns, ref.column).sql);
    const made = zip(now, named).map(([{ sql }, column]): DraftColumn => {
      return { column, sql: sql(before), isMade: false, source: null, declaredType: declaredTypeOf(column) };
    });
    const columns = table.columns.flatMap((column, c) => {
      if (c === first.column) return made;
      return gone.has(c) ? [] : [column];
    });
    return { ...table, columns };
  });
}

/**
 * Columns of a table in another form as a change of the schema that gold queries follow: where a gold has an old
 * column, it gets the expression that restores its value. Null where a name does not fit.
 */
function recodingEvolution(database: Database, recoding: Recoding, dialect: SqlDialect): SchemaEvolution | null {
  const named = namedColumns(database, recoding);
  if (named === null) return null;
  const { old } = recoding;
  const { ref, table } = placedColumn(database, itemAt(old, 0).ref);
  const { originalName } = table;
  const identifiers = named.map((column) => column.originalName);
  const before = old.map((one) => describeColumn(placedColumn(database, one.ref)));
  const rendered = identifiers.map((name) => renderIdentifier(name, dialect));
  const columns = new Map(
    old.map(({ ref, restored, affinity }) => {
      const reading = { affinity, sql: (column: (name: string) => string) => restored(identifiers.map(column)) };
      return [ref.column, reading] as const;
    }),
  );
  return {
    level: recoding.key,
    key: `${old.map(({ ref }) => columnKey(ref)).join()}:${recoding.key}`,
    detail: recoding.detail(before.join(' and '), identifiers.join(', ')),
    change: (draft) => recode(draft, recoding, named),
    follow: (gold, changed) =>
      rewriteGold({
        gold,
        database,
        changed,
        dialect,
        tables: new Set([ref.table]),
        read: () => ({ kind: 'table', table: originalName, columns, joined: null }),
      }),
    mapping: () =>
      zip(old, before).map(([{ restored }, column]) => ({
        column,
        now: identifiers.map((name) => `${originalName}.${name}`),
        restored: restored(rendered),
      })),
  };
}

/**
 * A recoding as gold queries and scripts of a server have it: dates are read as texts and given back as dates, and as a
 * server's columns have types, no cast has to stand in for an affinity.
 */
function onServer(recoding: Recoding, columns: readonly ReadColumn[], dialect: SqlDialect): Recoding {
  if (dialect.name === 'sqlite') return recoding;
  const areDates = recoding.old.map(({ ref }) => columns.some((read) => read.ref === ref && isDateType(read)));
  const asText = (value: string, i: number): string => (areDates[i] === true ? `CAST(${value} AS TEXT)` : value);
  return {
    ...recoding,
    now: recoding.now.map((column) => ({ ...column, sql: (old) => column.sql(old.map(asText)) })),
    old: recoding.old.map((column, i) => ({
      ref: column.ref,
      affinity: null,
      restored: (now) => {
        const value = expressionOf(column.restored, now, dialect);
        return areDates[i] === true ? `CAST(${value} AS DATE)` : value;
      },
    })),
  };
}

/** An expression in another dialect, over columns as that writes them. */
function expressionOf(sql: (now: readonly string[]) => string, now: readonly string[], dialect: SqlDialect): string {
  const places = now.map((_, i) => `\uE001${i}\uE001`);
  const expression = inDialect(`SELECT ${sql(places)}`, dialect).slice('SELECT '.length);
  return expression.replaceAll(/\uE001(\d+)\uE001/g, (_, place) => itemAt(now, Number(place)));
}

/** The recodings of a schema that are exact for every row, as changes. */
function exactEvolutions(
  rows: RowReader,
  one: GoldlessCase,
  columns: readonly ReadColumn[],
  recodings: readonly Recoding[],
  dialect: SqlDialect,
): readonly SchemaEvolution[] {
  return recodings.flatMap((recoding) => {
    const evolution = recodingEvolution(one.database, onServer(recoding, columns, dialect), dialect);
    return evolution !== null && isExact(rows, one, recoding) ? [evolution] : [];
  });
}

/** A relation that keeps columns in another form: of each schema the recodings that are exact for every row. */
export function recodingRelation(
  id: string,
  rows: RowReader,
  dialect: SqlDialect,
  recodingsOf: (columns: readonly ReadColumn[], database: Database) => readonly Recoding[],
): SchemaRelation {
  return evolutionRelation({
    id,
    version: 1,
    dialect,
    changes: (one) => {
      const columns = readColumns(rows, one, dialect);
      if (columns === null) return { reason: 'no-rows-to-read' };
      return exactEvolutions(rows, one, columns, recodingsOf(columns, one.database), dialect);
    },
  });
}
