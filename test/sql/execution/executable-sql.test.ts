import { expect, it } from 'vitest';
import { executableSql } from '../../../src/sql/executable-sql.js';
import { TOWN } from '../town-database.js';

it.each([
  ['SELECT "name" FROM person WHERE name = "Ann"', `SELECT "name" FROM person WHERE name = 'Ann'`],
  ["SELECT name FROM person WHERE name = 'Ann'", "SELECT name FROM person WHERE name = 'Ann'"],
  ['SELECT name FROM nowhere WHERE name = "Ann"', 'SELECT name FROM nowhere WHERE name = "Ann"'],
  ['no query at all "', 'no query at all "'],
])('executableSql(%s)', (sql, executable) => {
  expect(executableSql(sql, TOWN)).toBe(executable);
});

it('leaves alone what is nested too deeply to be read', () => {
  const ctes = Array.from(
    { length: 3000 },
    (_, i) => `c${i} AS (SELECT "name" FROM ${i === 0 ? 'person' : `c${i - 1}`})`,
  );
  const sql = `WITH ${ctes.join(', ')} SELECT * FROM c2999`;
  expect(executableSql(sql, TOWN)).toBe(sql);
});
