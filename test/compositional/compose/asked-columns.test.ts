import { describe, expect, it } from 'vitest';
import { clausesOf } from '../../../src/compositional/clauses/read-clauses.js';
import { joinKeysOf } from '../../../src/compositional/clauses/join-keys.js';
import { asksNamesake } from '../../../src/compositional/compose/broken-element.js';
import type { Database } from '../../../src/schema/schema.js';

const column = (name: string) => ({ name, originalName: name, type: 'text' as const });
const table = (name: string, ...columns: readonly string[]) => ({
  name,
  originalName: name,
  columns: columns.map(column),
});

const RACES: Database = {
  id: 'races',
  tables: [table('race', 'id', 'track', 'url'), table('circuit', 'id', 'url', 'country')],
  primaryKeys: [
    { table: 0, column: 0 },
    { table: 1, column: 0 },
  ],
  foreignKeys: [{ from: { table: 0, column: 1 }, to: { table: 1, column: 0 } }],
};

const asks = (before: string, selected: string): boolean => {
  const sql = `SELECT ${selected} FROM race AS T1 JOIN circuit AS T2 ON T1.track = T2.id`;
  return asksNamesake(before, [0], clausesOf(sql, RACES, joinKeysOf(RACES)).clauses, RACES);
};

describe('a column that is selected', () => {
  it('is not of a table that no word names, where what is asked about has one by its name', () => {
    expect(asks('Where can I read about the races ', 'T2.url')).toBe(true);
    expect(asks('Where can I read about the races ', 'T1.url')).toBe(false);
    expect(asks('Where can I read about the circuits of the races ', 'T2.url')).toBe(false);
    expect(asks('Show the countries of the races ', 'T2.country')).toBe(false);
  });
});
