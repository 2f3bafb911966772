import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Database } from '../../../src/schema/schema.js';
import { readColumnFacts } from '../../../src/testsuite/neighbors/column-facts.js';
import { neighborsOf } from '../../../src/testsuite/neighbors/neighbors.js';
import { table } from './school.js';

const HARBOR: Database = {
  id: 'harbor',
  tables: [table('ship', { id: 'number', name: 'text' }), table('visit', { number: 'number', ship: 'text' })],
  primaryKeys: [{ table: 0, column: 0 }],
  foreignKeys: [{ from: { table: 1, column: 1 }, to: { table: 0, column: 0 } }],
};

const GOLD = 'SELECT name, count(*) FROM ship JOIN visit ON ship.id = visit.ship GROUP BY ship.id';

/** Whether grouping by the text that refers to a number is shown to be grouping by the number. */
function isShown(visits: string): boolean {
  const sqlite = new Sqlite(':memory:').exec(`
    CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE visit (number INTEGER PRIMARY KEY, ship TEXT NOT NULL REFERENCES ship (id));
    INSERT INTO ship VALUES (1, 'Ada'), (15, 'Eos');
    INSERT INTO visit VALUES ${visits};`);
  try {
    const facts = readColumnFacts(sqlite, HARBOR);
    const neighbors = neighborsOf(GOLD, HARBOR, { seed: 1, facts });
    const other = neighbors.find(({ sql }) => sql.endsWith('GROUP BY visit.ship') || sql.endsWith('GROUP BY ship'));
    expect(other).toBeDefined();
    return other?.equivalent === 'both columns make the same groups';
  } finally {
    sqlite.close();
  }
}

it('takes a text that refers to a number for that number where no text writes one otherwise', () => {
  expect(isShown("(1, '1'), (2, '15'), (3, '15')")).toBe(true);
});

it('does not where a number is written in two ways', () => {
  expect(isShown("(1, '1'), (2, '15'), (3, '015')")).toBe(false);
});
