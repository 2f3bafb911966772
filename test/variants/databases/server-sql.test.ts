import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { inDialect } from '../../../src/variants/databases/server-sql.js';
import { renderString, SQLITE, type SqlDialect } from '../../../src/sql/dialect.js';
import { MYSQL } from '../../../src/sql/mysql-dialect.js';
import { POSTGRESQL } from '../../../src/sql/postgresql-dialect.js';
import {
  createFilledDatabase,
  type ServerFormat,
  serverOf,
  serverTitle,
} from '../../formats/live-database/live-servers.js';

/** Expressions that kinds of evolution write, over a text and a number. */
const BEFORE_LAST = "rtrim(v, replace(v, ' ', ''))";
const EXPRESSIONS = [
  `rtrim(${BEFORE_LAST}, ' ')`,
  `substr(v, length(${BEFORE_LAST}) + 1)`,
  "substr(v, instr(v, ', ') + 2)",
  "CASE WHEN instr(v, ' ') > 0 THEN substr(v, 1, instr(v, ' ') - 1) END",
  "v || ' ' || v || '-' || n",
  `rtrim(v || ' ' || v, replace(v || ' ' || v, ' ', ''))`,
  "n || '-' || substr('0' || n, -2)",
  'CAST(substr(n, 1, 2) || substr(n, 2, 1) AS INTEGER) + CAST(CAST(n AS TEXT) AS INTEGER)',
  "CASE n WHEN 7 THEN 'yes' WHEN 12 THEN 'a\\b' END",
];
const TEXTS = ['Ann Lee', 'Jan van  Dyk', ' x', 'x ', '', "O'Neil B", 'a\\b c', 'Åsa Öberg', 'York, Ohio', 'aa aa'];
const NUMBERS = [7, 12, 345];

const cells = (quoted: (text: string) => string): string =>
  [...TEXTS, null].flatMap((text) => NUMBERS.map((n) => `(${text === null ? 'NULL' : quoted(text)}, ${n})`)).join(', ');

function expectedRows(): readonly string[] {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec(`CREATE TABLE t (v TEXT, n INTEGER); INSERT INTO t VALUES ${cells(renderString)}`);
  const rows = sqlite
    .prepare(`SELECT v, n, ${EXPRESSIONS.join(', ')} FROM t`)
    .raw()
    .all();
  sqlite.close();
  return (rows as unknown[][]).map((row) => row.map(String).join('|')).sort();
}

describe('SQL of our own in another dialect', () => {
  it.each<[string, SqlDialect, string, string]>([
    ['as it is', SQLITE, "SELECT a || instr(b, ',') FROM t", "SELECT a || instr(b, ',') FROM t"],
    ['by names', POSTGRESQL, "SELECT instr(b, ','), length(b) FROM t", "SELECT strpos(b, ','), length(b) FROM t"],
    ['by names', MYSQL, "SELECT instr(b, ','), length(b) FROM t", "SELECT instr(b, ','), char_length(b) FROM t"],
    ['from the end', POSTGRESQL, "SELECT substr('0' || m, -2) FROM t", "SELECT right('0' || m, 2) FROM t"],
    ['of a number', POSTGRESQL, 'SELECT substr("d", 1, 4) FROM t', 'SELECT substr(CAST("d" AS TEXT), 1, 4) FROM t'],
    ['side by side', MYSQL, 'SELECT a || \', \' || "b" FROM t', 'SELECT concat(a, \', \', "b") FROM t'],
    ['by types', MYSQL, 'SELECT CAST(CAST(a AS TEXT) AS INTEGER)', 'SELECT CAST(CAST(a AS CHAR) AS SIGNED)'],
    ['by types', POSTGRESQL, 'SELECT CAST(CAST(a AS TEXT) AS INTEGER)', 'SELECT CAST(CAST(a AS TEXT) AS BIGINT)'],
    ['whatever texts hold', MYSQL, "SELECT 'a || \\ length(b)'", "SELECT 'a || \\\\ length(b)'"],
  ])('is said %s (%#)', (_, dialect, sql, said) => {
    expect(inDialect(sql, dialect)).toBe(said);
  });
});

describe.each<[ServerFormat, SqlDialect]>([
  ['postgresql', POSTGRESQL],
  ['mysql', MYSQL],
])('%s', (format, dialect) => {
  describe.skipIf(serverOf(format) === null)(serverTitle('SQL of our own', format), () => {
    it('gives what SQLite gives', async () => {
      const escaped = (text: string): string => renderString(format === 'mysql' ? text.replaceAll('\\', '\\\\') : text);
      const scratch = await createFilledDatabase(format, [
        `CREATE TABLE t (v VARCHAR(40)${format === 'mysql' ? ' CHARACTER SET utf8mb4' : ''}, n INTEGER)`,
        `INSERT INTO t VALUES ${cells(escaped)}`,
      ]);
      const rows = await scratch.rows(inDialect(`SELECT v, n, ${EXPRESSIONS.join(', ')} FROM t`, dialect));
      expect(rows.map((row) => row.map(String).join('|')).sort()).toEqual(expectedRows());
    });
  });
});
