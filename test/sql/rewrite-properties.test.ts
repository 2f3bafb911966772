import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../src/errors.js';
import { columnAt, columnKey, type Database } from '../../src/schema/schema.js';
import { foldName } from '../../src/sql/dialect.js';
import type { SqlEdit } from '../../src/sql/edits.js';
import { undoEdits } from './undo-edits.js';
import { renameColumns, rewriteVariant } from '../../src/sql/rename-columns.js';
import { changeSchema, NO_CHANGE } from '../../src/sql/schema-change.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { isTrivia, tokenize, unquote } from '../../src/sql/tokenizer.js';
import { JOIN_QUERIES } from './join-queries.js';
import { columnsOf, openRandom, randomChange, randomQuery, randomTown, type RandomTown } from './random-queries.js';
import { hasSpider, NEEDS_SPIDER, readDatabases, readGold } from './spider-files.js';
import { rowsOf, TOWN } from './town-database.js';
import { TOWN_QUERIES } from './town-queries.js';

const RUNS = process.env['PERTURBQL_FULL'] === '1' ? 20_000 : 1500;

const trial = randomTown.chain((town) =>
  fc.record({ town: fc.constant(town), sql: randomQuery(town.database), change: randomChange(town.database) }),
);

function bag(town: RandomTown, schema: Database, sql: string): string {
  const sqlite = openRandom(town, schema);
  try {
    const rows = JSON.parse(rowsOf(sqlite, sql)) as unknown[];
    return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
  } finally {
    sqlite.close();
  }
}

function attempt<T>(run: () => T): T | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

/** Why a rewrite of a right query may be refused; all but the first only next to RIGHT and FULL joins. */
const REFUSABLE = /two columns of|in a chain with outer joins|can't be named|would be ambiguous or mean another column/;

describe('random queries over random schemas', () => {
  it('with adversarial names return what they returned, and recorded edits can be undone', () => {
    const counts = { wrong: 0, refused: 0, compared: 0 };
    fc.assert(
      fc.property(trial, ({ town, sql, change }) => {
        const { database } = town;
        const single = attempt(() => singleQuoteLiterals(sql, database).sql);
        if (single instanceof Error) {
          // What the resolver refuses, SQLite refuses, too.
          expect(single).toBeInstanceOf(SqlRewriteError);
          const theirs = attempt(() => bag(town, database, sql));
          if (!/parenthesized join/.test(single.message)) expect(theirs, sql).toBeInstanceOf(Error);
          counts.wrong++;
          return;
        }
        const before = attempt(() => bag(town, database, single));
        if (before instanceof Error) return void counts.wrong++;
        const variant = attempt(() => rewriteVariant(sql, database, change));
        if (variant instanceof Error) {
          expect(variant).toBeInstanceOf(SqlRewriteError);
          expect(variant.message).toMatch(/(?:RIGHT|FULL) JOIN/.test(sql) ? REFUSABLE : /two columns of/);
          return void counts.refused++;
        }
        expect(undoEdits(variant.sql, variant.edits)).toBe(sql);
        expect(bag(town, changeSchema(database, { ...NO_CHANGE, ...change }), variant.sql), variant.sql).toBe(before);
        counts.compared++;
      }),
      { numRuns: RUNS, seed: 4 },
    );
    expect(counts.compared).toBeGreaterThan(RUNS / 4);
  }, 600_000);
});

const meaningful = (sql: string): string[] =>
  tokenize(sql)
    .filter((token) => !isTrivia(token))
    .map((token) => (token.kind === 'word' || token.kind === 'quoted' ? foldName(unquote(token)) : token.text));

const isName = ({ before, after }: SqlEdit): boolean => [before, after].every((text) => meaningful(text).length === 1);

/** Renames every column to a fresh name and back; the tokens must be the original's, where only names were edited. */
function renameAndBack(sql: string, database: Database): 'back' | 'rewritten' {
  const renames = new Map(columnsOf(database).map((ref, i) => [columnKey(ref), `Fresh name ${i}`]));
  const inverse = new Map(columnsOf(database).map((ref) => [columnKey(ref), columnAt(database, ref).originalName]));
  const there = renameColumns(sql, database, renames);
  if (!there.edits.every(isName)) return 'rewritten';
  const back = renameColumns(there.sql, changeSchema(database, { ...NO_CHANGE, renames }), inverse);
  if (!back.edits.every(isName)) return 'rewritten';
  expect(meaningful(back.sql)).toEqual(meaningful(sql));
  return 'back';
}

describe('a fresh inverse rename gives the original up to case and quoting', () => {
  it('of the town', () => {
    const results = [...TOWN_QUERIES, ...JOIN_QUERIES]
      .filter((sql) => !sql.includes('FULL JOIN'))
      .map((sql) => renameAndBack(sql, TOWN));
    expect(results.filter((result) => result === 'back').length).toBeGreaterThan(100);
  });

  it.skipIf(!hasSpider)(`of Spider's dev queries${NEEDS_SPIDER}`, () => {
    const databases = readDatabases();
    for (const { sql, dbId } of readGold('dev_gold.sql')) {
      const database = databases.get(dbId);
      if (database !== undefined) expect(renameAndBack(sql, database), sql).toBe('back');
    }
  });
});
