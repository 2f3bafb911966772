import { describe, expect, it } from 'vitest';
import { columnKey, type Database } from '../../src/schema/schema.js';
import { undoEdits } from './undo-edits.js';
import { expandStars, renameColumns, rewriteForAdded } from '../../src/sql/rename-columns.js';
import { changeSchema, NO_CHANGE } from '../../src/sql/schema-change.js';
import { singleQuoteLiterals } from '../../src/sql/executable-sql.js';
import { openTown, rowsOf, TOWN } from './town-database.js';
import { JOIN_QUERIES } from './join-queries.js';
import { TOWN_QUERIES } from './town-queries.js';

const QUERIES = [...TOWN_QUERIES, ...JOIN_QUERIES];

type Names = Readonly<Record<string, string>>;

function renamesOf(names: Names): Map<string, string> {
  const renames = new Map<string, string>();
  TOWN.tables.forEach((table, t) =>
    table.columns.forEach((column, c) => {
      const name = names[`${table.originalName}.${column.originalName}`];
      if (name !== undefined) renames.set(columnKey({ table: t, column: c }), name);
    }),
  );
  return renames;
}

const everyColumn = (name: (table: string, column: string, i: number) => string): Names =>
  Object.fromEntries(
    TOWN.tables.flatMap((table) =>
      table.columns.map(({ originalName }, i) => [
        `${table.originalName}.${originalName}`,
        name(table.originalName, originalName, i),
      ]),
    ),
  );

const ODD = ['select', 'a b', 'x"y', 'a.b', '日本', "o'clock", 'T1', 'rowid', 'n', 'p'];

/** Changes of names: all columns, single ones, and ones that meet aliases, other columns and strings of the queries. */
const RENAMES: Readonly<Record<string, Names>> = {
  'all columns, new names': everyColumn((table, column) => `new_${table.slice(0, 1)}_${column.replace(' ', '_')}`),
  'all columns, odd names': everyColumn((_, __, i) => ODD[i] ?? 'z'),
  'all columns, same names per position': everyColumn((_, __, i) => `c${i}`),
  'all columns, names swapped': everyColumn(
    (table, _, i) => TOWN.tables.find((t) => t.originalName === table)?.columns.at(-1 - i)?.originalName ?? '',
  ),
  'other case': everyColumn((_, column) => column.toUpperCase()),
  'one side of shared names': { 'person.id': 'key', 'person.name': 'full name', 'person.city_id': 'home' },
  'the other side': { 'city.id': 'key', 'city.name': 'label', 'visit.city_id': 'place' },
  'both sides alike': {
    'person.city_id': 'place',
    'visit.city_id': 'place',
    'person.id': 'nr',
    'city.id': 'nr',
    'Odd Table.id': 'nr',
  },
  'new common names': { 'visit.year': 'age', 'city.country': 'age', 'city.population': 'boss', 'visit.cost': 'name' },
  'names of aliases': {
    'person.age': 'n',
    'person.name': 'x',
    'person.boss': 'years',
    'city.country': 'q',
    'visit.year': 'p',
  },
  'names of strings': {
    'person.age': 'Ann',
    'person.boss': 'nobody',
    'city.population': 'Italy',
    'city.country': 'Bari',
  },
  'row ids': { 'person.age': 'rowid', 'city.country': 'oid', 'person.boss': '_rowid_x' },
};

const ADDED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'fresh names': { person: ['extra'], city: ['extra 2'], visit: ['select'] },
  'shared names': {
    person: ['country', 'year', 'cost'],
    city: ['age', 'boss', 'city_id'],
    visit: ['name', 'id'],
    'Odd Table': ['name', 'age', 'x'],
  },
  'aliases and strings': {
    person: ['n', 'x', 'Ann', 'nobody', 'q'],
    city: ['Italy', 'Bari', 'i', 'a'],
    visit: ['rowid'],
  },
};

function addedOf(names: Readonly<Record<string, readonly string[]>>): Map<number, readonly string[]> {
  return new Map(
    Object.entries(names).map(([table, added]) => [TOWN.tables.findIndex((t) => t.originalName === table), added]),
  );
}

function expectSameRows(sql: string, rewritten: string, changed: Database): void {
  const before = rowsOf(openTown(), singleQuoteLiterals(sql, TOWN).sql);
  const after = rowsOf(openTown(changed), singleQuoteLiterals(rewritten, changed).sql);
  expect(after, rewritten).toBe(before);
}

describe('renameColumns, executed', () => {
  describe.each(Object.entries(RENAMES))('%s', (_, names) => {
    const renames = renamesOf(names);
    const changed = changeSchema(TOWN, { ...NO_CHANGE, renames });
    it.each(QUERIES)('%s', (sql) => {
      const { sql: rewritten, edits } = renameColumns(sql, TOWN, renames);
      expect(undoEdits(rewritten, edits)).toBe(sql);
      expectSameRows(sql, rewritten, changed);
    });
  });
});

describe('rewriteForAdded, executed', () => {
  describe.each(Object.entries(ADDED))('%s', (_, names) => {
    const added = addedOf(names);
    const changed = changeSchema(TOWN, { ...NO_CHANGE, added });
    it.each(QUERIES)('%s', (sql) => {
      const { sql: rewritten, edits } = rewriteForAdded(sql, TOWN, added);
      expect(undoEdits(rewritten, edits)).toBe(sql);
      expectSameRows(sql, rewritten, changed);
    });
  });
});

describe('expandStars, executed', () => {
  it.each(QUERIES.filter((sql) => sql.includes('*')))('%s', (sql) => {
    expectSameRows(sql, expandStars(sql, TOWN).sql, TOWN);
  });
});
