import { operatorTable, type SqlDialect, words } from './sql-dialect.js';

// Measured with SQLite 3.53: `CREATE TABLE t(<word>)` is a syntax error for exactly these.
const RESERVED = words(`
  ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE
  DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN LIMIT
  NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE
  UPDATE USING VALUES WHEN WHERE`);

const JOIN_WORDS = words('CROSS FULL INNER LEFT NATURAL OUTER RIGHT');
const OPERATOR_WORDS = words('GLOB LIKE MATCH REGEXP INDEXED');

// Identifiers to SQLite's grammar that mean something else in an expression, in older versions or in some context: a
// table called `if` can't be created without quotes.
const CONTEXTUAL = words(
  'CAST CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP RAISE WITH TRUE FALSE WINDOW OVER FILTER END IF',
);

/** The columns that `*` gives of json_each and json_tree. https://sqlite.org/json1.html#jeach */
const JSON_COLUMNS = ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path'];

/** Names that are remembered in their folded form. */
const MOST_FOLDED = 10_000;

const folded = new Map<string, string>();

/** The form under which SQLite compares identifiers: it folds ASCII letters only. */
export function foldName(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const fold = name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (folded.size >= MOST_FOLDED) folded.clear();
  folded.set(name, fold);
  return fold;
}

/** SQLite's dialect (3.39 and later). */
export const SQLITE: SqlDialect = {
  name: 'sqlite',
  title: 'SQLite',
  reserved: new Set(RESERVED),
  notImplicitAlias: new Set([...JOIN_WORDS, ...OPERATOR_WORDS]),
  quoted: new Set([...RESERVED, ...JOIN_WORDS, ...OPERATOR_WORDS, ...CONTEXTUAL]),
  plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
  quote: '"',
  rowids: ['rowid', '_rowid_', 'oid'],
  schemas: ['main'],
  schemaIsDatabase: false,
  tableFunctions: new Map(['json_each', 'json_tree'].map((name) => [name, JSON_COLUMNS])),
  doubleQuotedLiterals: true,
  lexis: {
    patterns: [
      ['space', '[ \\t\\n\\f\\r\\uFEFF]+'],
      ['comment', '--[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)'],
      ['blob', "[xX]'[^']*'"],
      ['string', "'(?:[^']|'')*'"],
      ['quoted', '"(?:[^"]|"")*"|\\[[^\\]]*\\]|`(?:[^`]|``)*`'],
      ['number', '0[xX][0-9A-Fa-f]+|(?:[0-9][0-9_]*(?:\\.[0-9_]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?'],
      ['parameter', '\\?[0-9]*|[:@#$][A-Za-z0-9_$:\\u0080-\\uFFFF]+'],
      ['word', '[A-Za-z_\\u0080-\\uFFFF][A-Za-z0-9_$\\u0080-\\uFFFF]*'],
      ['operator', '->>|->|\\|\\||<<|>>|<=|>=|<>|!=|==|[-+*/%&|~<>=.,;()]'],
    ],
    refused: [],
    nestedComments: false,
    joinedStrings: 'never',
    stringNames: 'anywhere',
  },
  grammar: {
    operators: operatorTable({
      equality: '= == <> !=',
      comparison: '< <= > >=',
      bits: '& | << >>',
      sum: '+ -',
      product: '* / %',
      concat: '|| -> ->>',
    }),
    wordOperators: new Map(),
    otherOperators: null,
    prefixes: new Set(['-', '+', '~']),
    prefixWords: new Set(),
    patternWords: [['LIKE'], ['GLOB'], ['REGEXP'], ['MATCH']],
    constants: new Set(words('NULL CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP')),
    callable: new Set(),
    aggregates: new Set(),
    constructs: new Set([
      'materialized',
      'indexed-by',
      'full-join',
      'limit-comma',
      'null-suffixes',
      'in-table',
      'empty-in',
    ]),
  },
  scoping: {
    where: 'after-columns',
    group: 'after-columns',
    having: 'after-columns',
    order: 'after-columns',
    window: 'after-columns',
    windowTerm: 'after-columns',
    terms: 'sqlite',
    groupTwice: 'neither',
    onNeeded: 'never',
    on: 'clause',
    using: 'first',
    star: 'in-place',
    commonTables: 'all',
    duplicates: 'numbered',
    outputNames: 'text',
    values: ['column', 1],
  },
  bareName: (word) => word,
  fold: foldName,
  nameFault: (name) => (name === '' || name.includes('\0') ? 'no usable name' : null),
};

export type { QuoteStyle, Construct, AliasRule, SqlDialect } from './sql-dialect.js';

/** Checks whether a name must be quoted to be read as an identifier: a keyword, or a character that bare names lack. */
export function needsQuotes(name: string, dialect: SqlDialect = SQLITE): boolean {
  return !dialect.plain.test(name) || dialect.quoted.has(name.toUpperCase());
}

/** A name in the dialect's quotes with inner ones doubled, as statements of our own have it. */
export function quoteIdentifier(name: string, { quote }: SqlDialect = SQLITE): string {
  return quote + name.replaceAll(quote, quote + quote) + quote;
}

/** A name as it is written into a user's SQL: bare where that is safe, else in quotes. */
export function renderIdentifier(name: string, dialect: SqlDialect = SQLITE): string {
  return needsQuotes(name, dialect) ? quoteIdentifier(name, dialect) : name;
}

/** A text as a SQL string literal: in single quotes, with `'` doubled. */
export function renderString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
