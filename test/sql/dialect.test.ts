import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { needsQuotes, renderIdentifier, renderString, SQLITE } from '../../src/sql/dialect.js';
import { SQLITE_KEYWORDS } from './sqlite-keywords.js';

const ODD = [
  '',
  ' ',
  'a b',
  'a.b',
  'a"b',
  "a'b",
  '1a',
  'a-b',
  'é',
  '😀',
  '[x]',
  '`',
  '--',
  '/*',
  'TRUE',
  'a\nb',
  '$a',
  'a$',
];

const contexts = (name: string): string[] => [
  `SELECT ${name}, t.${name}, -${name}, NOT ${name}, (${name}), count(DISTINCT ${name}) FROM t GROUP BY ${name}`,
  `SELECT ${name} x, CASE ${name} WHEN ${name} THEN ${name} ELSE ${name} END FROM t ORDER BY ${name} DESC NULLS FIRST`,
  `SELECT a FROM t WHERE ${name} BETWEEN ${name} AND ${name} OR ${name} IN (${name}) OR ${name} IS NULL OR ${name} LIKE 'x'`,
  `SELECT max(${name}) FILTER (WHERE ${name}) OVER (PARTITION BY ${name} ORDER BY ${name}) FROM t JOIN u USING (${name})`,
  `SELECT ALL ${name} FROM t WHERE a = ${name} AND ${name} NOTNULL LIMIT 1`,
];

describe('renderIdentifier', () => {
  it.each([...SQLITE_KEYWORDS, ...ODD])('%j is read as the column by SQLite, in every place', (name) => {
    const sqlite = new SqliteDatabase(':memory:');
    const quoted = `"${name.replaceAll('"', '""')}"`;
    sqlite.exec(`CREATE TABLE t(${quoted}, a); CREATE TABLE u(${quoted}); INSERT INTO t VALUES (42, 1)`);
    for (const sql of contexts(renderIdentifier(name))) sqlite.prepare(sql).all();
    expect(
      sqlite
        .prepare(`SELECT ${renderIdentifier(name)} FROM t`)
        .pluck()
        .get(),
    ).toBe(42);
  });

  it('leaves plain names bare and quotes others once', () => {
    expect(['name', 'Home_Town', 'year', 'key', 'desc'].filter((name) => needsQuotes(name))).toEqual([]);
    expect(['order', 'a b', 'a"b', '2x'].map((name) => renderIdentifier(name))).toEqual([
      '"order"',
      '"a b"',
      '"a""b"',
      '"2x"',
    ]);
    expect(renderString("it's")).toBe("'it''s'");
  });

  it('quotes every word that the parser does not take as a name', () => {
    for (const word of SQLITE.reserved) expect(SQLITE.quoted.has(word)).toBe(true);
  });
});
