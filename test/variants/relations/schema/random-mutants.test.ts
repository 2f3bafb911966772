import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Dataset } from '../../../../src/formats/dataset.js';
import { RowReader } from '../../../../src/variants/databases/row-reader.js';
import { materializeSchema } from '../../../../src/variants/databases/materialize-schema.js';
import { seedCase } from '../../../../src/variants/relations/relation.js';
import { flattening } from '../../../../src/variants/relations/schema/flattening.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import { openRandom, randomQuery, randomTown } from '../../../sql/random-queries.js';
import { mutateOne } from '../cases.js';
import { bagOf } from '../result-rows.js';
import { schemaOf, schemaRelations } from './schema-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const townWithQuery = randomTown.chain((town) => fc.tuple(fc.constant(town), randomQuery(town.database)));

const HARBOR = schemaOf('harbor', { pier: 'pier_id name depth', ship: 'ship_id name pier_id>pier.pier_id' });
const cell = fc.constantFrom(1, 2, 'x', null);
const pierId = fc.constantFrom(1, 2, 3, 4, '1');
const harborRows = fc.record({
  piers: fc.uniqueArray(fc.tuple(pierId, cell, cell), { selector: ([id]) => id, minLength: 1 }),
  ships: fc.array(fc.tuple(cell, cell, fc.constantFrom(1, 2, 2, 3, null)), { maxLength: 6 }),
});

/** Queries over both tables, most of them joined along the key. */
const harborQuery = fc
  .record({
    result: fc.constantFrom(
      'p.name, s.name',
      'count(*)',
      'DISTINCT depth',
      'p.pier_id, s.ship_id',
      '*',
      'max(p.depth)',
    ),
    join: fc.constantFrom(
      ...['pier AS p JOIN ship AS s ON p.pier_id = s.pier_id', 'ship s JOIN pier p ON (s.pier_id = p.pier_id)'],
      ...['pier p, ship s', 'ship s JOIN pier p ON s.pier_id = p.pier_id AND p.depth > 1', 'ship s CROSS JOIN pier p'],
      'ship s JOIN pier p ON s.pier_id = p.pier_id JOIN ship t ON t.pier_id = p.pier_id',
    ),
    where: fc.constantFrom(
      ...['', ' WHERE s.pier_id = p.pier_id', ' WHERE p.depth = 1 OR s.name IS NULL', ' WHERE depth IS NOT NULL'],
      ' WHERE p.pier_id IN (SELECT q.pier_id FROM ship r JOIN pier q ON r.pier_id = q.pier_id WHERE q.depth = s.ship_id)',
      " WHERE s.pier_id = p.pier_id AND (p.name = 'x' OR depth = 2)",
    ),
    group: fc.constantFrom('', ' GROUP BY p.pier_id', ' ORDER BY p.depth'),
  })
  .map(({ result, join, where, group }) => {
    // Of a group SQLite takes a plain column from any row.
    const isOpen = group.startsWith(' GROUP') && !/^(?:count|max)/.test(result);
    return `SELECT ${result} FROM ${join}${where}${isOpen ? '' : group}`;
  });

describe('mutants of random schemas', () => {
  it('give the gold the rows that it gave on the original', async () => {
    let compared = 0;
    const [source, target] = [join(folder, 'source.sqlite'), join(folder, 'target.sqlite')];
    await fc.assert(
      fc.asyncProperty(townWithQuery, async ([town, query]) => {
        const sqlite = openRandom(town, town.database);
        const expected = bagOf(sqlite, query, town.database);
        rmSync(source, { force: true });
        await sqlite.backup(source);
        sqlite.close();
        fc.pre(expected !== null);
        const one = seedCase({ id: 'own:0', dbId: 'random', question: '?', query }, town.database);
        for (const relation of schemaRelations()) {
          const result = await mutateOne(relation, one, 1);
          for (const mutation of 'reason' in result ? [] : result) {
            materializeSchema(source, target, town.database, mutation.mutated!);
            const mutant = new Sqlite(target, { readonly: true });
            const label = `${mutation.detail}: ${mutation.query}`;
            expect([label, bagOf(mutant, String(mutation.query), mutation.mutated!.schema)]).toEqual([label, expected]);
            mutant.close();
            compared++;
          }
        }
      }),
      { numRuns: 20 },
    );
    expect(compared).toBeGreaterThan(20);
  });

  it('give golds that join along a flattened key their rows, whatever the keys hold', async () => {
    let rewritten = 0;
    const [source, target] = [join(folder, 'harbor.sqlite'), join(folder, 'flat.sqlite')];
    const dataset = { sqliteBytes: () => 1, sqliteFile: () => source } as unknown as Dataset;
    await fc.assert(
      fc.asyncProperty(harborRows, harborQuery, async ({ piers, ships }, query) => {
        rmSync(source, { force: true });
        const sqlite = new Sqlite(source);
        sqlite.exec('CREATE TABLE pier(pier_id PRIMARY KEY, name, depth); CREATE TABLE ship(ship_id, name, pier_id)');
        for (const row of piers) sqlite.prepare('INSERT INTO pier VALUES (?, ?, ?)').run(...row);
        for (const row of ships) sqlite.prepare('INSERT INTO ship VALUES (?, ?, ?)').run(...row);
        const expected = bagOf(sqlite, query, HARBOR);
        sqlite.close();
        expect(expected).not.toBeNull();
        const one = seedCase({ id: 'own:0', dbId: HARBOR.id, question: '?', query }, HARBOR);
        const result = await mutateOne(flattening(new RowReader(dataset), SQLITE), one);
        for (const { query: after, mutated } of 'reason' in result ? [] : result) {
          materializeSchema(source, target, HARBOR, mutated!);
          const mutant = new Sqlite(target, { readonly: true });
          expect([query, after, bagOf(mutant, String(after), mutated!.schema)]).toEqual([query, after, expected]);
          mutant.close();
          rewritten++;
        }
      }),
      { numRuns: 60 },
    );
    expect(rewritten).toBeGreaterThan(10);
  });
});
