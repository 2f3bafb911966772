import { operatorTable, words } from './sql-dialect.js';
import type { SqlDialect } from './dialect.js';

// https://dev.mysql.com/doc/refman/8.4/en/keywords.html and https://mariadb.com/kb/en/reserved-words/: reserved in both.
const RESERVED = words(`
  ACCESSIBLE ADD ALL ALTER ANALYZE AND AS ASC ASENSITIVE BEFORE BETWEEN BIGINT BINARY BLOB BOTH BY CALL CASCADE CASE
  CHANGE CHAR CHARACTER CHECK COLLATE COLUMN CONDITION CONSTRAINT CONTINUE CONVERT CREATE CROSS CURRENT_DATE
  CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE DATABASES DAY_HOUR DAY_MICROSECOND DAY_MINUTE DAY_SECOND
  DEC DECIMAL DECLARE DEFAULT DELAYED DELETE DESC DESCRIBE DETERMINISTIC DISTINCT DISTINCTROW DIV DOUBLE DROP DUAL EACH
  ELSE ELSEIF ENCLOSED ESCAPED EXCEPT EXISTS EXIT EXPLAIN FALSE FETCH FLOAT FLOAT4 FLOAT8 FOR FORCE FOREIGN FROM
  FULLTEXT GRANT GROUP HAVING HIGH_PRIORITY HOUR_MICROSECOND HOUR_MINUTE HOUR_SECOND IF IGNORE IN INDEX INFILE INNER
  INOUT INSENSITIVE INSERT INT INT1 INT2 INT3 INT4 INT8 INTEGER INTERSECT INTERVAL INTO IS ITERATE JOIN KEY KEYS KILL
  LEADING LEAVE LEFT LIKE LIMIT LINEAR LINES LOAD LOCALTIME LOCALTIMESTAMP LOCK LONG LONGBLOB LONGTEXT LOOP LOW_PRIORITY
  MATCH MAXVALUE MEDIUMBLOB MEDIUMINT MEDIUMTEXT MIDDLEINT MINUTE_MICROSECOND MINUTE_SECOND MOD MODIFIES NATURAL NOT
  NO_WRITE_TO_BINLOG NULL NUMERIC ON OPTIMIZE OPTION OPTIONALLY OR ORDER OUT OUTER OUTFILE OVER PARTITION PRECISION
  PRIMARY PROCEDURE PURGE RANGE READ READS READ_WRITE REAL RECURSIVE REFERENCES REGEXP RELEASE RENAME REPEAT REPLACE
  REQUIRE RESIGNAL RESTRICT RETURN REVOKE RIGHT RLIKE ROWS SCHEMA SCHEMAS SECOND_MICROSECOND SELECT SENSITIVE SEPARATOR
  SET SHOW SIGNAL SMALLINT SPATIAL SPECIFIC SQL SQLEXCEPTION SQLSTATE SQLWARNING SQL_BIG_RESULT SQL_CALC_FOUND_ROWS
  SQL_SMALL_RESULT SSL STARTING STRAIGHT_JOIN TABLE TERMINATED THEN TINYBLOB TINYINT TINYTEXT TO TRAILING TRIGGER TRUE
  UNDO UNION UNIQUE UNLOCK UNSIGNED UPDATE USAGE USE USING UTC_DATE UTC_TIME UTC_TIMESTAMP VALUES VARBINARY VARCHAR
  VARCHARACTER VARYING WHEN WHERE WHILE WITH WRITE XOR YEAR_MONTH ZEROFILL`);

// Reserved in one of the two only, or with a meaning of their own in an expression.
const SOMEWHERE_RESERVED = words(`
  CUBE CUME_DIST DENSE_RANK EMPTY FIRST_VALUE FUNCTION GENERATED GET GROUPING GROUPS IO_AFTER_GTIDS IO_BEFORE_GTIDS
  JSON_TABLE LAG LAST_VALUE LATERAL LEAD LIBRARY MANUAL MASTER_BIND MASTER_SSL_VERIFY_SERVER_CERT NTH_VALUE NTILE OF
  OPTIMIZER_COSTS PARALLEL PERCENT_RANK QUALIFY RANK ROW ROW_NUMBER STORED SYSTEM TABLESAMPLE VIRTUAL WINDOW
  CURRENT_ROLE DELETE_DOMAIN_ID DO_DOMAIN_IDS GENERAL IGNORE_DOMAIN_IDS IGNORE_SERVER_IDS MASTER_HEARTBEAT_PERIOD
  OFFSET PAGE_CHECKSUM PARSE_VCOL_EXPR REF_SYSTEM_ID RETURNING ROWNUM SLOW STATS_AUTO_RECALC STATS_PERSISTENT
  STATS_SAMPLE_PAGES VECTOR CONVERSION
  CAST DATE TIME TIMESTAMP END FULL UNKNOWN SOUNDS MEMBER ESCAPE`);

const CALLABLE = words(`
  CHAR CONVERT DATABASE DEFAULT IF INSERT INTERVAL LEFT MATCH MOD REPEAT REPLACE RIGHT SCHEMA VALUES CURRENT_DATE
  CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP UTC_DATE UTC_TIME UTC_TIMESTAMP CURRENT_USER`);

// https://dev.mysql.com/doc/refman/8.4/en/aggregate-functions.html, https://mariadb.com/kb/en/aggregate-functions/
const AGGREGATES = words(`
  avg bit_and bit_or bit_xor count group_concat json_arrayagg json_objectagg max min std stddev stddev_pop stddev_samp
  st_collect sum var_pop var_samp variance`);

const STRING = "'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'";
const DOUBLE_STRING = '"(?:[^"\\\\]|\\\\[\\s\\S]|"")*"';

/** Letters, accents and cases as MySQL's own collation for identifiers distinguishes them (utf8_general_ci). */
function fold(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

// https://dev.mysql.com/doc/refman/8.4/en/identifiers.html, identifier-length.html
function nameFault(name: string): string | null {
  if (name === '' || name.includes('\0')) return 'no usable name';
  if (/[\u{10000}-\u{10FFFF}]/u.test(name)) return 'a name with a character that MySQL does not allow in names';
  if (name.endsWith(' ')) return 'a name that ends with a space, which MySQL does not allow';
  return [...name].length > 64 ? 'a name longer than the 64 characters of MySQL' : null;
}

/**
 * MySQL 8 and MariaDB in their default SQL mode: `"` is a string, `||` is OR. Column names and aliases are compared
 * without case; those of tables, too, and where two differ in case only the query is refused, as servers differ.
 */
export const MYSQL: SqlDialect = {
  name: 'mysql',
  title: 'MySQL',
  reserved: new Set(RESERVED),
  notImplicitAlias: new Set(words('FULL ESCAPE INTERSECT EXCEPT LATERAL SOUNDS MEMBER')),
  quoted: new Set([...RESERVED, ...SOMEWHERE_RESERVED]),
  plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
  quote: '`',
  rowids: [],
  schemas: [],
  schemaIsDatabase: true,
  tableFunctions: new Map(),
  doubleQuotedLiterals: false,
  lexis: {
    patterns: [
      ['space', '[ \\t\\n\\f\\r\\v\\uFEFF]+'],
      ['comment', '--(?=\\s|$)[^\\n]*|#[^\\n]*|/\\*[\\s\\S]*?\\*/'],
      ['blob', "[xX]'[^']*'"],
      ['string', `(?:[nNbB]|_(?:utf8mb4|utf8mb3|utf8|latin1|ascii|binary)\\s*)?(?:${STRING})|${DOUBLE_STRING}`],
      ['quoted', '`(?:[^`]|``)*`'],
      ['number', '0x[0-9A-Fa-f]+|0b[01]+|(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?'],
      ['parameter', '\\?|@@?[A-Za-z0-9_$.]+|@`[^`]*`'],
      ['word', '[A-Za-z_\\u0080-\\uFFFF][A-Za-z0-9_$\\u0080-\\uFFFF]*'],
      ['operator', '<=>|->>|->|\\|\\||&&|<<|>>|<=|>=|<>|!=|[-+*/%&|^~!<>=.,;()]'],
    ],
    refused: [
      ['/\\*M?!', 'a comment that MySQL executes'],
      [':=|@(?:[A-Za-z0-9_$.]+|`[^`]*`|\'[^\']*\'|"[^"]*")\\s*:=', 'an assignment to a variable'],
    ],
    nestedComments: false,
    joinedStrings: 'always',
    stringNames: 'result-alias',
  },
  grammar: {
    operators: operatorTable({
      or: '||',
      and: '&&',
      equality: '= <=> <> !=',
      comparison: '< <= > >=',
      bits: '& | << >>',
      sum: '+ -',
      product: '* / %',
      concat: '-> ->>',
      power: '^',
    }),
    wordOperators: operatorTable({ xor: 'XOR', product: 'DIV MOD' }),
    otherOperators: null,
    prefixes: new Set(['-', '+', '~', '!']),
    prefixWords: new Set(['BINARY']),
    patternWords: [['LIKE'], ['REGEXP'], ['RLIKE'], ['SOUNDS', 'LIKE'], ['MEMBER', 'OF']],
    constants: new Set(
      words(`NULL TRUE FALSE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP UTC_DATE UTC_TIME
        UTC_TIMESTAMP CURRENT_USER`),
    ),
    callable: new Set(CALLABLE),
    aggregates: new Set(AGGREGATES),
    constructs: new Set([
      'parenthesized-selects',
      'derived-columns',
      'lateral',
      'index-hints',
      'select-modifiers',
      'straight-join',
      'values-rows',
      'dual',
      'rollup-suffix',
      'group-direction',
      'limit-comma',
      'quantified',
      'interval-units',
      'any-word-after-dot',
    ]),
  },
  scoping: {
    where: 'none',
    group: 'after-columns',
    having: 'before-unused',
    order: 'after-columns',
    window: 'none',
    windowTerm: 'unlike-columns',
    terms: 'outputs',
    groupTwice: 'output',
    onNeeded: 'outer',
    on: 'join',
    using: 'only',
    star: 'left-order',
    commonTables: 'earlier-or-self',
    duplicates: 'ambiguous',
    outputNames: 'text',
    values: ['column_', 0],
  },
  bareName: (word) => word,
  fold,
  nameFault,
};
