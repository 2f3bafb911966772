import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { materializeSchema } from '../../../../src/variants/databases/materialize-schema.js';
import { mutantCase, seedCase } from '../../../../src/variants/relations/relation.js';
import { randomQuery } from '../../../sql/random-queries.js';
import { mutateOne } from '../cases.js';
import { bagOf } from '../result-rows.js';
import { CLUB, clubRows, datasetAt, evolutionKinds, writeClub } from './club-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-evolutions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plain columns of a group and aggregates of order: what such a query returns depends on the order of rows. */
const constants = fc.constantFrom(
  "SELECT count(*) FROM player WHERE level = 'Senior'",
  "SELECT player_name FROM player WHERE level IN ('Junior', 'Master') AND birth_date < '2000-01-01'",
  'SELECT level, count(*) FROM player GROUP BY level',
  'SELECT count(DISTINCT level) FROM player WHERE is_active = 1',
  "SELECT points + 1 FROM player WHERE points > '3' OR is_active = '1'",
  "SELECT p.player_name, t.city FROM player AS p JOIN team AS t ON p.team_id = t.team_id WHERE t.state <> 'Ohio'",
  'SELECT city FROM team WHERE team_id NOT IN (SELECT team_id FROM player WHERE team_id IS NOT NULL)',
  "SELECT first_name || ' of ' || city FROM team WHERE last_name LIKE 'v%' COLLATE NOCASE",
  'SELECT max(birth_date), min(player_name), sum(points) FROM player',
  'SELECT level FROM player WHERE points > 2 UNION SELECT level FROM player WHERE is_active = 0',
  "SELECT number FROM visit JOIN player USING (player_id) WHERE number > 3 AND level = 'Junior'",
  "SELECT player_name FROM player WHERE player_name = 'Ann Lee' AND arrived_on >= '2020-02-01'",
  'SELECT player_name FROM player WHERE arrived_on > 2019 OR birth_date > 1990',
  'SELECT a.player_name FROM player a JOIN player b ON a.level = b.level AND a.player_id < b.player_id',
  "SELECT x.n FROM (SELECT player_name AS n, birth_date FROM player) x WHERE x.birth_date = '1990-01-31'",
  'SELECT player_name FROM player WHERE team_id = (SELECT team_id FROM team WHERE city = "York" ORDER BY team_id LIMIT 1)',
);

/** How many kinds there are. */
const KINDS = 14;

describe('kinds of evolution', () => {
  const everyTable = CLUB.tables.map(({ originalName }) => `SELECT * FROM ${originalName}`);

  it('give golds their rows, whatever the rows are, and every table its own again', async () => {
    let compared = 0;
    const [source, target] = [join(folder, 'club.sqlite'), join(folder, 'mutant.sqlite')];
    const queries = fc.tuple(fc.oneof(constants, randomQuery(CLUB)), fc.constantFrom(...everyTable));
    await fc.assert(
      fc.asyncProperty(clubRows, queries, async (rows, asked) => {
        rmSync(source, { force: true });
        writeClub(source, rows);
        const sqlite = new Sqlite(source, { readonly: true });
        for (const relation of evolutionKinds(datasetAt(source))) {
          for (const query of asked) {
            const expected = bagOf(sqlite, query, CLUB);
            if (expected === null) continue;
            const one = seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query }, CLUB);
            const result = await mutateOne(relation, one, 2);
            for (const mutation of 'reason' in result ? [] : result) {
              const { schema } = mutation.mutated!;
              materializeSchema(source, target, CLUB, mutation.mutated!);
              const mutant = new Sqlite(target, { readonly: true });
              const label = `${mutation.detail}: ${query} → ${mutation.query}`;
              if (mutation.expectation === 'unanswerable') {
                // SQLite refuses the old gold there, and all other tables and columns have their rows.
                expect([label, mutation.query, bagOf(mutant, query, schema)]).toEqual([label, null, null]);
                for (const { originalName, columns } of schema.tables) {
                  const all = `SELECT ${columns.map((column) => column.originalName).join(', ')} FROM ${originalName}`;
                  expect([label, bagOf(mutant, all, schema)]).toEqual([label, bagOf(sqlite, all, CLUB)]);
                }
                mutant.close();
                continue;
              }
              const actual = bagOf(mutant, String(mutation.query), schema, mutation.mapping ?? null);
              expect([label, actual]).toEqual([label, expected]);
              mutant.close();
              compared++;
            }
          }
        }
        sqlite.close();
      }),
      { numRuns: 12 },
    );
    expect(compared).toBeGreaterThan(50);
  }, 180_000);

  it('compose: a gold that followed two changes gives its rows', async () => {
    const [source, target] = [join(folder, 'composed.sqlite'), join(folder, 'composed-mutant.sqlite')];
    let compared = 0;
    const kinds = fc.shuffledSubarray([...Array(KINDS).keys()], { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(clubRows, constants, kinds, async (rows, query, order) => {
        rmSync(source, { force: true });
        writeClub(source, rows);
        const sqlite = new Sqlite(source, { readonly: true });
        const expected = bagOf(sqlite, query, CLUB);
        const relations = evolutionKinds(datasetAt(source));
        const seed = seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query }, CLUB);
        for (const [first, second] of [order.slice(0, 2), order.slice(2)] as [number, number][]) {
          const made = await mutateOne(relations[first]!, seed, 2);
          for (const mutation of 'reason' in made ? [] : made) {
            const composed = await mutateOne(relations[second]!, mutantCase(seed, mutation, 'own:0~1'), 2);
            for (const { query: gold, mutated, mapping, detail } of 'reason' in composed ? [] : composed) {
              materializeSchema(source, target, CLUB, mutated!);
              const mutant = new Sqlite(target, { readonly: true });
              const both = [...(mutation.mapping ?? []), ...(mapping ?? [])];
              const label = `${mutation.detail}, ${detail}: ${query} → ${gold}`;
              expect([label, bagOf(mutant, String(gold), mutated!.schema, both)]).toEqual([label, expected]);
              mutant.close();
              compared++;
            }
          }
        }
        sqlite.close();
      }),
      { numRuns: 25 },
    );
    expect(compared).toBeGreaterThan(20);
  }, 180_000);

  it('say of restored columns how their old values are had, row by row', async () => {
    const [source, target] = [join(folder, 'mapped.sqlite'), join(folder, 'mapped-mutant.sqlite')];
    await fc.assert(
      fc.asyncProperty(clubRows, async (rows) => {
        rmSync(source, { force: true });
        writeClub(source, rows);
        const sqlite = new Sqlite(source, { readonly: true });
        const one = seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query: 'SELECT 1' }, CLUB);
        for (const relation of evolutionKinds(datasetAt(source)).filter(({ id }) => /^C(?:Sp|Me|Ty)$/.test(id))) {
          const result = await mutateOne(relation, one, 50);
          for (const { mutated, mapping } of 'reason' in result ? [] : result) {
            materializeSchema(source, target, CLUB, mutated!);
            const mutant = new Sqlite(target, { readonly: true });
            for (const { column, restored } of mapping ?? []) {
              const [table = '', name = ''] = column.split('.');
              const before = bagOf(sqlite, `SELECT ${name} FROM ${table}`, CLUB);
              expect([column, bagOf(mutant, `SELECT ${restored} FROM ${table}`, mutated!.schema)]).toEqual([
                column,
                before,
              ]);
            }
            mutant.close();
          }
        }
        sqlite.close();
      }),
      { numRuns: 10 },
    );
  }, 180_000);
});
