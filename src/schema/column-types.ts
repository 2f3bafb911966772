import type { ColumnType } from './schema.js';

/** Words for types by what Spider calls them: Spider's own, the SQL standard, PostgreSQL, MySQL, SQL Server, Oracle. */
const WORDS: Readonly<Record<ColumnType, string>> = {
  text: `text, char, character, character varying, char varying, varchar, varchar2, nchar, nvarchar, nvarchar2,
    national character, national character varying, national char, bpchar, name, citext, clob, nclob, character large object,
    tinytext, mediumtext, longtext, ntext, string, enum, set, uuid, uniqueidentifier, rowid, urowid, long, json, jsonb,
    xml, xmltype, sysname, native character, varying character, graphic, vargraphic, inet, cidr, macaddr, macaddr8`,
  number: `number, numeric, decimal, dec, fixed, int, integer, smallint, tinyint, mediumint, bigint, int2, int4, int8,
    int16, int32, int64, int128, hugeint, unsigned big int, byteint, real, float, float4, float8, double, double precision,
    binary_float, binary_double, decfloat, serial, serial2, serial4, serial8, smallserial, bigserial, money, smallmoney,
    oid, binary_integer, pls_integer, long integer, numeric identity`,
  time: `time, date, datetime, datetime2, smalldatetime, datetimeoffset, timestamp, timestamptz, timetz, year, interval,
    timestamp with time zone, timestamp without time zone, timestamp with local time zone, time with time zone,
    time without time zone, interval year to month, interval day to second`,
  boolean: 'boolean, bool, logical, bit',
  others: `others, other, blob, tinyblob, mediumblob, longblob, bytea, binary, varbinary, binary varying, image, raw,
    long raw, bfile, binary large object, bit varying, varbit, rowversion, geometry, geography, sdo_geometry, point, line,
    lseg, box, path, polygon, circle, linestring, multipoint, multilinestring, multipolygon, geometrycollection,
    hierarchyid, sql_variant, cursor, table, array, row, struct, map, object, tsvector, tsquery, hstore, ltree, vector,
    pg_lsn, xid, int4range, int8range, numrange, tsrange, tstzrange, daterange, user-defined, anydata`,
};

const TYPES: ReadonlyMap<string, ColumnType> = new Map(
  (Object.entries(WORDS) as [ColumnType, string][]).flatMap(([type, words]) =>
    words.split(',').map((word): [string, ColumnType] => [word.trim().replace(/\s+/g, ' '), type]),
  ),
);

// What Spider's own tables.json calls the declared types of its 166 databases; the first match wins.
const PARTS: readonly (readonly [pattern: RegExp, type: ColumnType])[] = [
  [/date|time|year/i, 'time'],
  [/bool/i, 'boolean'],
  [/int|real|floa|doub|dec|num|fixed|money|serial/i, 'number'],
  [/char|text|clob|string|enum|uuid|json|^$/i, 'text'],
];

/**
 * Spider's type for a declared type of SQLite, which takes any text for one and looks for parts of words in it
 * (https://sqlite.org/datatype3.html §3.1): `VARCHAR(20)` → text. A column without a type counts as text; null where no
 * part is known.
 */
export function sqliteColumnType(declared: string): ColumnType | null {
  return PARTS.find(([pattern]) => pattern.test(declared))?.[1] ?? null;
}

/** A type without what does not decide: length, sign, and other remarks behind the words: "NUMBER(10, 2) UNSIGNED". */
function typeWords(declared: string): string {
  return declared
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\b(?:unsigned|signed|zerofill|identity|auto_?increment|not null|null|primary key)\b/g, ' ')
    .replace(/["'`[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Spider's type for a declared type: `VARCHAR(20)` → text, `datetime2` → time; null where no system has it. */
export function knownColumnType(declared: string): ColumnType | null {
  // An array holds values of a type, and is none.
  if (/\[\d*\]\s*$|\barray\b/i.test(declared)) return 'others';
  const words = typeWords(declared);
  if (words === '') return null;
  return TYPES.get(words) ?? sqliteColumnType(words);
}

/** Types that columns are declared with which no file declares. */
export const SQLITE_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  number: 'NUMERIC',
  time: 'TEXT',
  boolean: 'NUMERIC',
  others: '',
};
