import { expect, it } from 'vitest';
import { executableSql } from '../../../src/sql/execution/executable-sql.js';
import { TOWN } from '../town-database.js';

it.each([
  ['SELECT "name" FROM person WHERE name = "Ann"', `SELECT "name" FROM person WHERE name = 'Ann'`],
  ["SELECT name FROM person WHERE name = 'Ann'", "SELECT name FROM person WHERE name = 'Ann'"],
  ['SELECT name FROM nowhere WHERE name = "Ann"', 'SELECT name FROM nowhere WHERE name = "Ann"'],
  ['no query at all "', 'no query at all "'],
])('executableSql(%s)', (sql, executable) => {
  expect(executableSql(sql, TOWN)).toBe(executable);
});
