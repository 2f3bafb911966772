import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { InputFormatError } from '../../../../src/errors.js';
import { resolveChange } from '../../../../src/variants/databases/copy/resolved-change.js';
import { readCatalog } from '../../../../src/variants/databases/copy/schema-catalog.js';
import { SchemaCheck } from '../../../../src/variants/databases/copy/schema-check.js';

/** Checks a database that statements changed where no change was wanted. */
function verify(statements: string): void {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec(`CREATE TABLE one(a, b TEXT); CREATE TABLE t(c); CREATE VIEW v AS SELECT c FROM t WHERE c IN one2;
    CREATE TABLE one2(a); CREATE TRIGGER r AFTER DELETE ON t BEGIN DELETE FROM one WHERE a = old.c; END`);
  const catalog = readCatalog(sqlite, 'test');
  const check = new SchemaCheck(sqlite, catalog, resolveChange(catalog, { renames: [], additions: [] }));
  sqlite.exec(statements);
  check.verify();
}

describe('SchemaCheck', () => {
  it('accepts what is as it was', () => {
    expect(() => verify('INSERT INTO one VALUES (1, 2)')).not.toThrow();
  });

  it.each([
    ['ALTER TABLE one2 ADD COLUMN n', /the table would not be as it was/],
    ['DROP TABLE one', /the table would not be as it was/],
    ['DROP VIEW v; CREATE VIEW v AS SELECT c FROM nowhere', /view v: no such table/],
    ['DROP VIEW v; CREATE VIEW v AS SELECT c AS d FROM t', /view v: other columns/],
    [
      'DROP TRIGGER r; CREATE TRIGGER r AFTER DELETE ON t BEGIN DELETE FROM gone; END',
      /triggers of DELETE ON t: no such/,
    ],
  ])('refuses %s', (statements, message) => {
    expect(() => verify(statements)).toThrow(InputFormatError);
    expect(() => verify(statements)).toThrow(message);
  });
});
