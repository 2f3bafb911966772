import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClauseRefusal } from '../../../src/compositional/clauses/clause-refusal.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { sqlOf } from '../../../src/compositional/clauses/write-clauses.js';
import type { Database, ForeignKey } from '../../../src/schema/schema.js';
import { singleQuoteLiterals } from '../../../src/sql/executable-sql.js';
import { openRandom, randomQuery, randomTown, type RandomTown } from '../../sql/random-queries.js';
import { rowsOf } from '../../sql/town-database.js';

const RUNS = process.env['PERTURBQL_FULL'] === '1' ? 20_000 : 1500;

/** Towns with random keys between their tables, right or wrong: the way back must not depend on what they are. */
const keyedTown: fc.Arbitrary<RandomTown> = randomTown.chain((town) => {
  const refs = town.database.tables.flatMap(({ columns }, table) => columns.map((_, column) => ({ table, column })));
  const key = fc.record({ from: fc.constantFrom(...refs), to: fc.constantFrom(...refs) });
  return fc.array(key, { maxLength: 4 }).map((foreignKeys: readonly ForeignKey[]) => ({
    ...town,
    database: { ...town.database, foreignKeys: foreignKeys.filter(({ from, to }) => from.table !== to.table) },
  }));
});

const trial = keyedTown.chain((town) => fc.record({ town: fc.constant(town), sql: randomQuery(town.database) }));

function bag(town: RandomTown, schema: Database, sql: string): string {
  const sqlite = openRandom(town, schema);
  try {
    const rows = JSON.parse(rowsOf(sqlite, sql)) as unknown[];
    return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
  } finally {
    sqlite.close();
  }
}

function orNull<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}

describe('clauses of random queries over random schemas', () => {
  it('give SQL that returns what the query returned, or are refused by name', () => {
    let compared = 0;
    fc.assert(
      fc.property(trial, ({ town, sql }) => {
        const { database } = town;
        const single = orNull(() => singleQuoteLiterals(sql, database).sql);
        const before = single === null ? null : orNull(() => bag(town, database, single));
        if (before === null) return;
        const keys = joinKeysOf(database, [sql]);
        try {
          const clauses = clausesOf(sql, database, keys);
          const written = sqlOf(clauses, database, keys);
          expect(bag(town, database, written), `${sql}\n${written}`).toBe(before);
          const again = sqlOf(clausesOf(written, database, keys), database, keys);
          expect(bag(town, database, again), `${written}\n${again}`).toBe(before);
          compared++;
        } catch (error) {
          if (!(error instanceof ClauseRefusal)) throw error;
        }
      }),
      { numRuns: RUNS, seed: 22 },
    );
    expect(compared).toBeGreaterThan(RUNS / 20);
  }, 600_000);
});
