import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedSchema,
  type Insertion,
  placeAdditions,
} from '../../../../src/variants/relations/names/perturbed-schema.js';
import type { CandidateDecision } from '../../../../src/formats/artifacts/candidates.js';
import type { ColumnChange } from '../../../../src/variants/relations/names/draw-perturbation.js';
import { createRng } from '../../../../src/seeded-rng.js';
import { columnAt, type ColumnType, type Database } from '../../../../src/schema/schema.js';
import { ALL_COLUMNS, BIRTH_YEAR, change, decision, GARDEN, GARDENER_ID, HOME_COUNTRY } from './garden-schema.js';

/** Names of the columns that keys point at, "gardener.gardener id". */
function keyNames(database: Database): unknown {
  const nameOf = (ref: { table: number; column: number }): string =>
    `${database.tables[ref.table]!.name}.${columnAt(database, ref).name}`;
  return {
    primary: database.primaryKeys.map(nameOf),
    foreign: database.foreignKeys.map(({ from, to }) => [nameOf(from), nameOf(to)]),
  };
}

const renamedIn = (database: Database, id: string, changes: readonly ColumnChange[]): Database =>
  changedSchema(database, id, changes, []).schema;

const addedTo = (database: Database, id: string, insertions: readonly Insertion[]): ReturnType<typeof changedSchema> =>
  changedSchema(
    database,
    id,
    insertions.map(({ change: one }) => one),
    insertions,
  );

describe('changedSchema with renamed columns', () => {
  it('changes names and nothing else', () => {
    const renamed = renamedIn(GARDEN, 'g2', [change(HOME_COUNTRY, 'native land')]);
    expect(renamed.id).toBe('g2');
    expect(columnAt(renamed, HOME_COUNTRY)).toEqual({ name: 'native land', originalName: 'native_land', type: 'text' });
    expect(renamedIn(renamed, GARDEN.id, [change(HOME_COUNTRY, 'home country')])).toEqual(GARDEN);
  });

  it('leaves the original as it was', () => {
    const before = structuredClone(GARDEN);
    renamedIn(GARDEN, 'g2', [change(GARDENER_ID, 'grower id')]);
    expect(GARDEN).toEqual(before);
  });
});

describe('changedSchema with added columns', () => {
  const typeIn = (
    database: Database,
    name: string,
    given: ColumnType | null,
    source: CandidateDecision['source'] = 'retrieval',
  ): string => {
    const origin = given === null ? null : { table: 't', title: 'T', column: name, type: given, score: 0.5 };
    const added = { ...change(HOME_COUNTRY, name, 'ADD'), decision: decision(HOME_COUNTRY, name, { origin, source }) };
    const { schema } = addedTo(database, 'g2', [{ change: added, position: 1 }]);
    return schema.tables[0]!.columns[1]!.type;
  };

  it.each([
    ['planting date', 'time', 'text'],
    ['founding year', 'time', 'number'],
    ['active member', 'boolean', 'text'],
    // Found at no column: by its name, else as its target.
    ['planting date', null, 'text'],
    ['household income', null, 'number'],
    ['plants sold', null, 'number'],
    ['native tongue', null, 'text'],
  ] as const)('types %s (%s) as the table, which has texts and numbers alone, writes it', (name, given, type) => {
    expect(typeIn(GARDEN, name, given)).toBe(type);
  });

  const dated = (name: string): Database => {
    const [table, ...others] = GARDEN.tables;
    const [key, ...columns] = table!.columns;
    const changed = columns.map((column, i) => (i === 1 ? { ...column, name, type: 'time' as const } : column));
    return { ...GARDEN, tables: [{ ...table!, columns: [key!, ...changed] }, ...others] };
  };

  it.each([
    ['planting date', 'joining date', 'time'],
    ['renovation year', 'joining date', 'number'],
    ['arrival time', 'joining date', 'text'],
    ['renovation year', 'founding year', 'time'],
    ['arrival time', 'departure time', 'time'],
  ])('types %s, next to %s, as %s', (name, next, type) => {
    expect(typeIn(dated(next), name, 'time')).toBe(type);
  });

  it.each([
    // The bank's "text" says that its rules know nothing.
    ['bonus', 'bank', 'text', 'number'],
    ['plants picked', 'bank', 'text', 'number'],
    ['return until', 'bank', 'text', 'time'],
    ['running time', 'bank', 'time', 'number'],
    ['pronouns', 'bank', 'text', 'text'],
    ['capacity', 'retrieval', 'text', 'number'],
    // "3-1", and "AAA".
    ['final score', 'retrieval', 'text', 'text'],
    ['credit rating', 'attributes', 'text', 'text'],
  ] as const)('types %s from %s, where it is %s, as %s', (name, source, given, type) => {
    expect(typeIn(dated('joining date'), name, given, source)).toBe(type);
  });

  it('puts a column where it was placed, with the type of its origin, else of its target', () => {
    const origin = { table: 't', title: 'Gardens', column: 'garden age', type: 'number' as const, score: 0.5 };
    const fromTable = {
      ...change(HOME_COUNTRY, 'garden age', 'ADD'),
      decision: decision(HOME_COUNTRY, 'garden age', { origin }),
    };
    const { schema: added, columns } = addedTo(GARDEN, 'g2', [
      { change: fromTable, position: 1 },
      { change: change(BIRTH_YEAR, 'shoe size', 'ADD'), position: 4 },
    ]);
    expect(added.tables[0]!.columns.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'gardener id: number',
      'garden age: number',
      'home country: text',
      'birth year: number',
      'shoe size: number',
    ]);
    expect(added.tables[1]).toEqual(GARDEN.tables[1]);
    expect(columns).toEqual([
      [0, null, 1, 2, null],
      [0, 1, 2],
    ]);
  });

  const additions = fc.array(fc.constantFrom(...ALL_COLUMNS), { maxLength: 8 });

  it('leaves keys at the columns that they point at, wherever columns are added', () => {
    fc.assert(
      fc.property(additions, fc.nat(), (targets, seed) => {
        const changes = targets.map((ref, i) => change(ref, `added ${i}`, 'ADD'));
        const added = addedTo(GARDEN, 'g2', placeAdditions(GARDEN, changes, createRng(seed, 'x')));
        expect(keyNames(added.schema)).toEqual(keyNames(GARDEN));
      }),
    );
  });

  it('gives the original back where the added columns are taken away', () => {
    fc.assert(
      fc.property(additions, fc.nat(), (targets, seed) => {
        const changes = targets.map((ref, i) => change(ref, `added ${i}`, 'ADD'));
        const { schema: added } = addedTo(GARDEN, GARDEN.id, placeAdditions(GARDEN, changes, createRng(seed, 'x')));
        const tables = added.tables.map((table) => ({
          ...table,
          columns: table.columns.filter(({ name }) => !name.startsWith('added ')),
        }));
        expect(tables).toEqual(GARDEN.tables);
        expect(added.tables.flatMap(({ columns }) => columns)).toHaveLength(ALL_COLUMNS.length + targets.length);
      }),
    );
  });

  it('reaches every place of a table, first and last as well', () => {
    const places = [...Array(100).keys()].map(
      (seed) => placeAdditions(GARDEN, [change(HOME_COUNTRY, 'x', 'ADD')], createRng(seed, 'x'))[0]!.position,
    );
    expect(new Set(places)).toEqual(new Set([0, 1, 2, 3]));
  });

  it('puts every one last where nothing is drawn', () => {
    const changes = [change(HOME_COUNTRY, 'x', 'ADD'), change(BIRTH_YEAR, 'y', 'ADD')];
    expect(placeAdditions(GARDEN, changes, null).map(({ position }) => position)).toEqual([3, 4]);
  });
});
