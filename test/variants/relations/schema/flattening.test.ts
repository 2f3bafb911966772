import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { LinkFacts, RowReader } from '../../../../src/variants/databases/row-reader.js';
import { seedCase } from '../../../../src/variants/relations/relation.js';
import { flattening } from '../../../../src/variants/relations/schema/flattening.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import { mutateOne } from '../cases.js';
import { mutationsIn, schemaOf } from './schema-fixture.js';

const HARBOR = schemaOf('harbor', {
  pier: 'pier_id name depth',
  ship: 'ship_id name pier_id>pier.pier_id flag',
  visit: 'visit_id ship_id>ship.ship_id day',
});

const SOUND: LinkFacts = {
  hasRows: true,
  manyParents: false,
  dangling: false,
  nulls: false,
  unlike: false,
  distinct: true,
};
const linksWith = (facts: Partial<LinkFacts> | null) =>
  ({ factsOf: () => (facts === null ? null : { ...SOUND, ...facts }) }) as unknown as RowReader;

async function flatten(query: string, facts: Partial<LinkFacts> | null = {}, database = HARBOR) {
  const one = seedCase({ id: 'own:0', dbId: database.id, question: '?', query }, database);
  return mutateOne(flattening(linksWith(facts), SQLITE), one);
}

/** The gold of the variant that flattens pier into ship. */
async function intoShip(query: string, facts: Partial<LinkFacts> | null = {}): Promise<string> {
  const found = mutationsIn(await flatten(query, facts));
  return found.find(({ detail }) => detail === 'flattened pier into ship')?.query ?? 'none';
}

describe('flattening', () => {
  it('moves columns, keys and rows into the table that has the key', async () => {
    const [first, second] = mutationsIn(await flatten('SELECT count(*) FROM visit'));
    expect(first!.mutated!.schema.tables.map(({ columns }) => columns.map((c) => c.originalName).join(' '))).toEqual([
      'ship_id name pier_id flag pier_name pier_depth',
      'visit_id ship_id day',
    ]);
    expect(second!.mutated!.schema.foreignKeys).toEqual([
      { from: { table: 1, column: 3 + 1 }, to: { table: 0, column: 0 } },
    ]);
    expect(second!.mutated!.schema.tables[1]!.columns[4]!.originalName).toBe('ship_pier_id');
    expect([first!.expectation, second!.expectation]).toEqual(['same-query', 'same-query']);
  });

  it.each([
    [
      'SELECT T1.name, T2.name FROM pier AS T1 JOIN ship AS T2 ON T1.pier_id = T2.pier_id WHERE T1.depth > 3',
      'SELECT T2.pier_name, T2.name FROM ship AS T2 WHERE T2.pier_depth > 3',
    ],
    [
      'SELECT depth FROM visit v JOIN ship s ON v.ship_id = s.ship_id JOIN pier p ON p.pier_id = s.pier_id AND p.name = 1 OR 0',
      'none',
    ],
    [
      'SELECT depth FROM visit v JOIN ship s ON v.ship_id = s.ship_id JOIN pier p ON p.pier_id = s.pier_id AND (p.name = 1 OR 0)',
      'SELECT s.pier_depth FROM visit v JOIN ship s ON v.ship_id = s.ship_id AND (s.pier_name = 1 OR 0)',
    ],
    [
      'SELECT p.depth FROM pier p, ship s WHERE p.pier_id = s.pier_id AND s.flag = 2 GROUP BY p.pier_id',
      'SELECT s.pier_depth FROM ship s WHERE s.flag = 2 GROUP BY s.pier_id',
    ],
    [
      'SELECT x.depth FROM (SELECT p.depth FROM ship s JOIN pier p ON s.pier_id = p.pier_id) AS x ORDER BY depth',
      'SELECT x.depth FROM (SELECT s.pier_depth AS depth FROM ship s) AS x ORDER BY depth',
    ],
    [
      'SELECT name FROM ship WHERE ship_id IN (SELECT s.ship_id FROM ship s JOIN pier p ON s.pier_id = p.pier_id WHERE p.depth = 1)',
      'SELECT name FROM ship WHERE ship_id IN (SELECT s.ship_id FROM ship s WHERE s.pier_depth = 1)',
    ],
    [
      'SELECT p.* FROM ship JOIN pier p ON ship.pier_id = p.pier_id',
      'SELECT ship.pier_id, ship.pier_name, ship.pier_depth FROM ship',
    ],
  ])('rewrites %s', async (query, rewritten) => {
    expect(await intoShip(query).catch(() => 'none')).toBe(rewritten);
  });

  it('leaves out rows without a row of the dropped table where there may be such', async () => {
    const query = 'SELECT s.name FROM ship s JOIN pier p ON s.pier_id = p.pier_id';
    expect(await intoShip(query, { nulls: true })).toBe('SELECT s.name FROM ship s WHERE s.pier_id IS NOT NULL');
    expect(await intoShip(query, null)).toBe('SELECT s.name FROM ship s WHERE s.pier_id IS NOT NULL');
    expect(await intoShip(query)).toBe('SELECT s.name FROM ship s');
  });

  it('leaves golds alone that do not use the dropped table, and spells out a star over the wider one', async () => {
    expect(await intoShip('SELECT name FROM ship')).toBe('SELECT name FROM ship');
    expect(await intoShip('SELECT * FROM ship')).toBe('SELECT ship_id, name, pier_id, flag FROM ship');
  });

  it.each([
    ['SELECT count(*) FROM pier', {}, 'dropped-table-alone'],
    ['SELECT p.name FROM pier p LEFT JOIN ship s ON p.pier_id = s.pier_id', {}, 'outer-or-natural-join'],
    ['SELECT p.name FROM pier p JOIN ship s ON p.depth = s.flag', {}, 'not-joined-by-the-key'],
    ['SELECT p.name FROM pier p JOIN ship s USING (pier_id)', {}, 'outer-or-natural-join'],
    ['SELECT p.name FROM pier p JOIN ship s ON p.pier_id = s.pier_id', { dangling: true }, 'key-values-without-a-row'],
    ['SELECT p.name FROM pier p JOIN ship s ON p.pier_id = s.pier_id', { unlike: true }, 'key-values-differ'],
    ['SELECT p.rowid FROM pier p JOIN ship s ON p.pier_id = s.pier_id', {}, 'row-id-of-the-dropped-table'],
  ])('can not say %s', async (query, facts, reason) => {
    const database = schemaOf('two', { pier: 'pier_id name depth', ship: 'ship_id name pier_id>pier.pier_id flag' });
    expect(await flatten(query, facts, database)).toEqual({ reason });
  });

  it('refuses tables whose loss would leave keys without an end, or multiply rows', async () => {
    const shared = schemaOf('shared', {
      pier: 'pier_id name',
      ship: 'ship_id pier_id>pier.pier_id',
      crane: 'crane_id pier_id>pier.pier_id',
    });
    expect(await flatten('SELECT name FROM pier', {}, shared)).toEqual({ reason: 'referenced-by-further-tables' });
    const many = schemaOf('many', { pier: 'pier_id name', ship: 'ship_id name>pier.name' });
    const query = 'SELECT ship_id FROM ship';
    expect(await flatten(query, null, many)).toEqual({ reason: 'referenced-column-is-not-unique' });
    expect(await flatten(query, { manyParents: true })).toEqual({ reason: 'referenced-column-is-not-unique' });
    expect(mutationsIn(await flatten(query, {}, many))).toHaveLength(1);
  });

  it('takes columns once per key where several keys point at a table', async () => {
    const flights = schemaOf('flights', {
      port: 'code city',
      flight: 'no source_id>port.code target_id>port.code',
    });
    const query =
      'SELECT a.city, b.city FROM flight f JOIN port a ON a.code = f.source_id JOIN port b ON b.code = f.target_id';
    const [only] = mutationsIn(await flatten(query, {}, flights));
    expect(only!.query).toBe('SELECT f.source_city, f.target_city FROM flight f');
    expect(only!.expectation).toBe('same-result');
  });

  it('gives a query for its rows that runs', async () => {
    const [first] = mutationsIn(await flatten('SELECT count(*) FROM visit'));
    const sqlite = new Sqlite(':memory:');
    sqlite.exec(`CREATE TABLE pier(pier_id, name, depth); INSERT INTO pier VALUES (1, 'north', 9);
      CREATE TABLE ship(ship_id, name, pier_id, flag); INSERT INTO ship VALUES (7, 'Ida', 1, 'NO'), (8, 'Ole', NULL, 'NO')`);
    expect(sqlite.prepare(first!.mutated!.content[0]!.select).raw().all()).toEqual([
      [7, 'Ida', 1, 'NO', 'north', 9],
      [8, 'Ole', null, 'NO', null, null],
    ]);
  });
});
