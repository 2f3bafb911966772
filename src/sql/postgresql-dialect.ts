import { operatorTable, words } from './sql-dialect.js';
import type { SqlDialect } from './dialect.js';

// PostgreSQL's kwlist.h: RESERVED_KEYWORD and TYPE_FUNC_NAME_KEYWORD, neither of which can name a column.
const RESERVED = words(`
  ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE
  CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE DESC DISTINCT
  DO ELSE END EXCEPT FALSE FETCH FOR FOREIGN FROM GRANT GROUP HAVING IN INITIALLY INTERSECT INTO LATERAL LEADING LIMIT
  LOCALTIME LOCALTIMESTAMP NOT NULL OFFSET ON ONLY OR ORDER PLACING PRIMARY REFERENCES RETURNING SELECT SESSION_USER SOME
  SYMMETRIC SYSTEM_USER TABLE THEN TO TRAILING TRUE UNION UNIQUE USER USING VARIADIC WHEN WHERE WINDOW WITH`);
const TYPE_OR_FUNCTION = words(`
  AUTHORIZATION BINARY COLLATION CONCURRENTLY CROSS CURRENT_SCHEMA FREEZE FULL ILIKE INNER IS ISNULL JOIN LEFT LIKE
  NATURAL NOTNULL OUTER OVERLAPS RIGHT SIMILAR TABLESAMPLE VERBOSE`);
// COL_NAME_KEYWORD: a column's name where no parenthesis follows; quote_identifier() quotes them.
const COLUMN_NAME = words(`
  BETWEEN BIGINT BIT BOOLEAN CHAR CHARACTER COALESCE DEC DECIMAL EXISTS EXTRACT FLOAT GREATEST GROUPING INOUT INT INTEGER
  INTERVAL JSON JSON_ARRAY JSON_ARRAYAGG JSON_EXISTS JSON_OBJECT JSON_OBJECTAGG JSON_QUERY JSON_SCALAR JSON_SERIALIZE
  JSON_TABLE JSON_VALUE LEAST MERGE_ACTION NATIONAL NCHAR NONE NORMALIZE NULLIF NUMERIC OUT OVERLAY POSITION PRECISION REAL
  ROW SETOF SMALLINT SUBSTRING TIME TIMESTAMP TREAT TRIM VALUES VARCHAR XMLATTRIBUTES XMLCONCAT XMLELEMENT XMLEXISTS
  XMLFOREST XMLNAMESPACES XMLPARSE XMLPI XMLROOT XMLSERIALIZE XMLTABLE`);
// AS_LABEL keywords: not an alias without AS.
const NEEDS_AS = words(`
  ARRAY AS CHAR CHARACTER CREATE DAY EXCEPT FETCH FILTER FOR FROM GRANT GROUP HAVING HOUR INTERSECT INTO ISNULL LIMIT
  MINUTE MONTH NOTNULL OFFSET ON ORDER OVER OVERLAPS PRECISION RETURNING SECOND TO UNION VARYING WHERE WINDOW WITH WITHIN
  WITHOUT YEAR`);

// Set-returning functions with one column, by https://www.postgresql.org/docs/current/functions-srf.html and the JSON
// and string functions: the column is called as the function's OUT parameter, else as the alias or the function.
const TABLE_FUNCTIONS: readonly (readonly [string, readonly string[] | null])[] = [
  ['generate_series', null],
  ['generate_subscripts', null],
  ['regexp_split_to_table', null],
  ['string_to_table', null],
  ['json_array_elements', ['value']],
  ['jsonb_array_elements', ['value']],
  ['json_array_elements_text', ['value']],
  ['jsonb_array_elements_text', ['value']],
  ['json_object_keys', null],
  ['jsonb_object_keys', null],
];

// NAMEDATALEN - 1; a longer name is cut off. System columns: https://www.postgresql.org/docs/current/ddl-system-columns.html
const LONGEST_NAME = 63;
const SYSTEM_COLUMNS = words('tableoid xmin cmin xmax cmax ctid');

function nameFault(name: string): string | null {
  if (name === '' || name.includes('\0')) return 'no usable name';
  if (SYSTEM_COLUMNS.includes(name)) return `the name of the system column ${name}`;
  return Buffer.byteLength(name) > LONGEST_NAME ? 'a name longer than the 63 bytes of PostgreSQL' : null;
}

/** PostgreSQL 12 and later, with standard_conforming_strings. */
export const POSTGRESQL: SqlDialect = {
  name: 'postgresql',
  title: 'PostgreSQL',
  reserved: new Set([...RESERVED, ...TYPE_OR_FUNCTION]),
  notImplicitAlias: new Set([...NEEDS_AS, ...TYPE_OR_FUNCTION]),
  quoted: new Set([...RESERVED, ...TYPE_OR_FUNCTION, ...COLUMN_NAME]),
  plain: /^[a-z_][a-z0-9_]*$/,
  quote: '"',
  rowids: SYSTEM_COLUMNS,
  schemas: ['public'],
  schemaIsDatabase: false,
  tableFunctions: new Map(TABLE_FUNCTIONS),
  doubleQuotedLiterals: false,
  lexis: {
    patterns: [
      ['space', '[ \\t\\n\\f\\r\\v]+'],
      ['comment', '--[^\\n\\r]*|/\\*'],
      ['string', "[eE]'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'|[nNbBxX]?'(?:[^']|'')*'"],
      ['string', '\\$(?<tag>(?:[A-Za-z_\\u0080-\\uFFFF][A-Za-z0-9_\\u0080-\\uFFFF]*)?)\\$[\\s\\S]*?\\$\\k<tag>\\$'],
      ['quoted', '"(?:[^"]|"")*"'],
      ['number', '0[xX][0-9A-Fa-f_]+|(?:[0-9][0-9_]*(?:\\.(?!\\.)[0-9_]*)?|\\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?'],
      ['parameter', '\\$[0-9]+'],
      ['word', '[A-Za-z_\\u0080-\\uFFFF][A-Za-z0-9_$\\u0080-\\uFFFF]*'],
      // https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-OPERATORS
      ['operator', '::|:=|[.,;()\\[\\]:]'],
      ['operator', '(?:(?!--|/\\*)[-+*/<>=~!@#%^&|`?])*(?:(?!--|/\\*)[~!@#%^&|`?])(?:(?!--|/\\*)[-+*/<>=~!@#%^&|`?])*'],
      ['operator', '(?:(?!--|/\\*)[-+*/<>=])*(?:(?!--|/\\*)[*/<>=])|[-+]'],
    ],
    refused: [['[uU]&[\'"]', 'a text with Unicode escapes']],
    nestedComments: true,
    joinedStrings: 'across-lines',
    stringNames: 'never',
  },
  grammar: {
    operators: operatorTable({
      equality: '= <> !=',
      comparison: '< <= > >=',
      sum: '+ -',
      product: '* / %',
      power: '^',
    }),
    wordOperators: operatorTable({ equality: 'OVERLAPS' }),
    otherOperators: 60,
    prefixes: new Set(['-', '+', '~', '@', '|/', '||/', '@-@', '@@', '#', '?-', '?|', '!!']),
    prefixWords: new Set(),
    patternWords: [['LIKE'], ['ILIKE'], ['SIMILAR', 'TO']],
    constants: new Set(
      words(`NULL TRUE FALSE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP CURRENT_USER
        SESSION_USER SYSTEM_USER USER CURRENT_ROLE CURRENT_CATALOG CURRENT_SCHEMA`),
    ),
    callable: new Set([...TYPE_OR_FUNCTION, ...COLUMN_NAME]),
    aggregates: new Set(),
    constructs: new Set([
      'parenthesized-selects',
      'derived-columns',
      'lateral',
      'materialized',
      'full-join',
      'distinct-on',
      'grouping-sets',
      'fetch-first',
      'null-suffixes',
      'quantified',
      'typed-strings',
      'arrays',
      'double-colon-cast',
      'time-zone',
      'symmetric-between',
      'any-word-after-dot',
      'any-word-after-as',
    ]),
  },
  scoping: {
    where: 'none',
    group: 'none',
    having: 'none',
    order: 'none',
    window: 'none',
    windowTerm: 'none',
    terms: 'outputs',
    groupTwice: 'neither',
    onNeeded: 'always',
    on: 'join',
    using: 'only',
    star: 'using-order',
    commonTables: 'earlier-or-all',
    duplicates: 'ambiguous',
    outputNames: 'implied',
    values: ['column', 1],
  },
  bareName: (word) => word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  fold: (name) => name,
  nameFault,
};
