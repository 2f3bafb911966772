import { describe, expect, it } from 'vitest';
import { AdvetaPlaces, type PlacedNames } from '../../../src/variants/candidates/adveta-places.js';
import type { Column, Database } from '../../../src/schema/schema.js';
import { GARDEN } from '../relations/names/garden-schema.js';

const text = (name: string, originalName = name): Column => ({ name, originalName, type: 'text' });

function webTable(id: string, columns: readonly Column[]): Database {
  return { id, tables: [{ name: 'table', originalName: 'w', columns }], primaryKeys: [], foreignKeys: [] };
}

const INN = webTable('204_590', [
  { ...text('row', 'id'), fixed: true },
  { ...text('inn'), family: { key: 'c1', suffix: '' } },
  { ...text('inn length', 'inn_length'), family: { key: 'c1', suffix: '_length' } },
  { ...text('owner/host', 'owner_host'), family: { key: 'c2', suffix: '' } },
  { ...text('area'), family: { key: 'c3', suffix: '' } },
]);
const BOATS = webTable('1-10-2', [text('boat', 'Boat'), text('year built', 'Year built'), text('crew', 'Crew')]);
const FERRIES = webTable('1-10-3', BOATS.tables[0]!.columns);

const databases = new Map([INN, BOATS, FERRIES, GARDEN].map((database) => [database.id, database]));

function headed(dbId: string, header: readonly string[], column: string, more: Partial<PlacedNames> = {}): PlacedNames {
  return { dbId, table: dbId, column, header, ...more };
}

/** What is found, in words. */
function placeOf(candidate: PlacedNames, others: readonly PlacedNames[] = [], known = databases): string {
  const place = new AdvetaPlaces(known, [candidate, ...others]).of(candidate);
  if (typeof place === 'string') return place;
  return [place.database.id, place.by, place.column?.originalName].join(' ');
}

const INN_HEADER = ['inn', 'owner host', 'area (m²)'];

describe('a table without database', () => {
  it.each([
    ['204_590'],
    ['csv/204-csv/590.csv'],
    ['204-csv/590'],
    ['csv/204-csv/590.tsv'],
    ['204-590'],
    ['204_590.json'],
  ])('is found by its id written as %s', (id) => {
    expect(placeOf(headed(id, INN_HEADER, 'inn'))).toBe('204_590 id inn');
    expect(placeOf(headed('WTQ_0', INN_HEADER, 'inn', { otherIds: ['a title', id] }))).toBe('204_590 id inn');
  });

  it.each([['1-10-2'], ['table_1_10_2'], ['1_10_2']])('of WikiSQL is found by %s', (id) => {
    expect(placeOf(headed(id, ['boat', 'year built', 'crew'], 'crew'))).toBe('1-10-2 id Crew');
  });

  it('is absent where its id is of the data set’s kind, whatever its header', () => {
    expect(placeOf(headed('204_77', INN_HEADER, 'inn'))).toBe('table');
    expect(placeOf(headed('WSQL_1', INN_HEADER, 'inn', { otherIds: ['1-99-4'] }))).toBe('table');
  });

  it('is found by its header where its ids are of another kind, if only one table on either side has it', () => {
    expect(placeOf(headed('WTQ_0', INN_HEADER, 'inn'))).toBe('204_590 header inn');
    expect(placeOf(headed('WTQ_0', INN_HEADER, 'inn'), [headed('WTQ_0', INN_HEADER, 'area (m²)')])).toMatch(/header/);
    expect(placeOf(headed('WTQ_0', INN_HEADER, 'inn'), [headed('WTQ_9', INN_HEADER, 'inn')])).toBe('several');
    expect(placeOf(headed('WTQ_0', ['boat', 'year built', 'crew'], 'boat'))).toBe('several');
    expect(placeOf(headed('WTQ_0', ['inn', 'area'], 'inn'))).toBe('table');
  });
});

describe('a column of a header', () => {
  it('is found by its name however it is written, derived columns and row numbers aside', () => {
    expect(placeOf(headed('204_590', INN_HEADER, 'owner host'))).toBe('204_590 id owner_host');
    expect(placeOf(headed('204_590', INN_HEADER, 'area (m²)'))).toBe('204_590 id area');
    expect(placeOf(headed('204_590', ['owner/\\nhost', 'inn'], 'owner/\\nhost'))).toBe('204_590 id owner_host');
    expect(placeOf(headed('204_590', ['id', 'inn length'], 'id'))).toBe('column');
  });

  it('is found by its place where the header’s other names are at theirs', () => {
    expect(placeOf(headed('1-10-2', ['boat', 'built in', 'crew'], 'built in'))).toBe('1-10-2 id Year built');
    expect(placeOf(headed('1-10-2', ['boat', 'built in'], 'built in'))).toBe('column');
    expect(placeOf(headed('1-10-2', ['crew', 'built in', 'boat'], 'built in'))).toBe('column');
    expect(placeOf(headed('1-10-2', ['ship', 'built in', 'crew'], 'built in'))).toBe('column');
  });
});

describe('a table with a name', () => {
  const gardener = { dbId: 'garden', table: 'gardener' };

  it('is found by it, and its columns by theirs', () => {
    expect(placeOf({ ...gardener, column: 'home country' })).toBe('garden id ');
    expect(placeOf({ ...gardener, column: 'homecountry' })).toBe('garden id home_country');
    expect(placeOf({ ...gardener, column: 'nothing' })).toBe('garden id ');
    expect(placeOf({ dbId: 'garden', table: 'shed', column: 'roof' })).toBe('table');
    expect(placeOf({ dbId: 'park', table: 'gardener', column: 'home country' })).toBe('table');
  });
});
