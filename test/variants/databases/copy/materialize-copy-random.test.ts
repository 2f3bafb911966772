import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  ColumnAddition,
  ColumnRename,
  DatabaseChange,
} from '../../../../src/variants/databases/database-change.js';
import { materializeCopy } from '../../../../src/variants/databases/copy/materialize-copy.js';
import { fileSha256 } from '../../../../src/run/sha256.js';
import { quoteIdentifier } from '../../../../src/sql/dialect.js';
import type { SqlValue } from '../../../../src/sql/execution/query-outcome.js';
import {
  allCells,
  bareSchema,
  checksOf,
  columnsOf,
  temporaryFolder,
  viewCells,
  withDatabase,
} from './materialize-copy-fixture.js';
import { NAMES, randomSchema, type RandomSchema, type RandomTable } from './random-schema.js';

const folder = temporaryFolder();
const [SOURCE, TARGET, BACK, WORK] = ['source', 'target', 'back', 'work'].map((name) =>
  join(folder, `${name}.sqlite`),
) as [string, string, string, string];
const RUNS = process.env['PERTURBQL_FULL'] === '1' ? 300 : 15;

function write(schema: RandomSchema): void {
  writeFileSync(SOURCE, '');
  withDatabase(SOURCE, (sqlite) => {
    sqlite.pragma('foreign_keys = OFF');
    sqlite.exec(`BEGIN; ${schema.sql}`);
    for (const row of schema.rows) attempt(sqlite, row);
    sqlite.exec('COMMIT');
  });
}

/** Some rows break a constraint; both sides must then refuse them. */
function attempt(sqlite: Sqlite.Database, sql: string): boolean {
  try {
    sqlite.exec(sql);
    return true;
  } catch {
    return false;
  }
}

/** What a database holds, and what it does when rows come, change and go. */
function stateOf(file: string, tables: readonly RandomTable[], added: ReadonlySet<string>): unknown {
  copyFileSync(file, WORK);
  return withDatabase(WORK, (sqlite) => {
    sqlite.pragma('foreign_keys = OFF');
    const cells = (): unknown => allCells(sqlite, (table, column) => added.has(`${table} ${column}`));
    const before = [cells(), viewCells(sqlite), checksOf(sqlite)];
    const deeds = tables.map(({ name }) => {
      const columns = columnsOf(sqlite, name).filter(
        ({ name: column, hidden }) => hidden === 0 && !added.has(`${name} ${column}`),
      );
      const list = columns.map((column) => quoteIdentifier(column.name)).join(', ');
      const second = quoteIdentifier(columns[1]!.name);
      const view = quoteIdentifier(`${name} star`);
      return [
        `INSERT INTO ${name}(${list}) VALUES (${columns.map((_, c) => 40 + c).join(', ')})`,
        `INSERT INTO ${name}(${list}) VALUES (${columns.map((_, c) => `'${40 + c}'`).join(', ')})`,
        `INSERT INTO ${view} SELECT * FROM ${view} LIMIT 2`,
        `UPDATE ${name} SET ${second} = 41 WHERE ${second} IS NOT NULL`,
        `DELETE FROM ${name} WHERE ${second} = 41`,
      ].map((sql) => attempt(sqlite, sql));
    });
    return [...before, deeds, cells(), viewCells(sqlite), checksOf(sqlite)];
  });
}

/** New names for a share of the columns: old names of others, too, so that columns swap. */
function drawRenames(tables: readonly RandomTable[], picks: readonly number[]): ColumnRename[] {
  let at = 0;
  return tables.flatMap(({ name, columns, generated }) => {
    const all = generated === null ? [...columns] : [...columns, generated];
    const renamed = all.filter(() => picks[at++ % picks.length]! % 3 > 0);
    const taken = new Set(all.filter((column) => !renamed.includes(column)).map((column) => column.toLowerCase()));
    return renamed.map((from) => {
      const free = [...renamed, ...NAMES, 'plain_one', 'plain_two'].filter((to) => !taken.has(to.toLowerCase()));
      const to = free[picks[at++ % picks.length]! % free.length]!;
      taken.add(to.toLowerCase());
      return { table: name, from, to };
    });
  });
}

const ADDED: readonly SqlValue[] = [null, 1n, -2.5, 'text', '12', 'é🙂', new Uint8Array([0, 255]), 9007199254740993n];
const ADDED_TYPES = ['TEXT', 'INTEGER', '', 'REAL', 'VARCHAR(20)', 'BLOB'];

function drawAdditions(
  tables: readonly RandomTable[],
  picks: readonly number[],
  renames: readonly ColumnRename[],
): ColumnAddition[] {
  let at = 0;
  const pick = <T>(items: readonly T[]): T => items[picks[at++ % picks.length]! % items.length]!;
  return tables.flatMap(({ name, columns, generated }) => {
    const count = withDatabase(
      SOURCE,
      (sqlite) => sqlite.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number,
    );
    const all = generated === null ? columns : [...columns, generated];
    const present = all.map(
      (column) => renames.find(({ table, from }) => table === name && from === column)?.to ?? column,
    );
    const taken = new Set(present.map((column) => column.toLowerCase()));
    return Array.from({ length: picks[at++ % picks.length]! % 3 }, () => {
      const free = [...NAMES, 'who', 'plain'].filter((candidate) => !taken.has(candidate.toLowerCase()));
      const added = pick(free);
      taken.add(added.toLowerCase());
      const values = Array.from({ length: count }, () => pick(ADDED));
      return { table: name, name: added, declaredType: pick(ADDED_TYPES), before: pick([...all, null]), values };
    });
  });
}

const picks = fc.array(fc.nat(1000), { minLength: 20, maxLength: 40 });

function check(schema: RandomSchema, change: DatabaseChange): void {
  const hash = fileSha256(SOURCE);
  materializeCopy(SOURCE, TARGET, change);
  expect(fileSha256(SOURCE)).toBe(hash);
  const added = new Set(change.additions.map(({ table, name }) => `${table} ${name}`));
  expect(stateOf(TARGET, schema.tables, added)).toEqual(stateOf(SOURCE, schema.tables, new Set()));
}

/** The definitions after the renames by SQLite itself, through names in between; null where it refuses. */
function alteredSchema(tables: readonly RandomTable[], renames: readonly ColumnRename[]): unknown {
  copyFileSync(SOURCE, WORK);
  return withDatabase(WORK, (sqlite) => {
    for (const { name } of tables) {
      // SQLite refuses to rename a column that a subquery passes on under its name.
      sqlite.exec(`DROP TRIGGER ${name}_passes`);
      for (const view of [' star', '_some', '_outer', '_join', '_in', '_natural'])
        sqlite.exec(`DROP VIEW ${quoteIdentifier(name + view)}`);
    }
    const steps = [
      ...renames.map(({ table, from }, i) => ({ table, from, to: `between ${i}` })),
      ...renames.map(({ table, to }, i) => ({ table, from: `between ${i}`, to })),
    ];
    const isDone = steps.every(({ table, from, to }) =>
      attempt(sqlite, `ALTER TABLE ${table} RENAME COLUMN ${quoteIdentifier(from)} TO ${quoteIdentifier(to)}`),
    );
    return isDone ? bareSchema(sqlite) : null;
  });
}

describe('materializeCopy of random schemas', () => {
  it('renames in tables, indexes and triggers as ALTER TABLE does', () => {
    let compared = 0;
    fc.assert(
      fc.property(randomSchema, picks, (schema, numbers) => {
        write(schema);
        const renames = drawRenames(schema.tables, numbers);
        const altered = alteredSchema(schema.tables, renames);
        if (altered === null) return;
        compared++;
        materializeCopy(SOURCE, TARGET, { renames, additions: [] });
        const ours = withDatabase(TARGET, bareSchema);
        expect(ours.filter(({ type, name }) => type !== 'view' && !/^t\d_(?:view|passes)$/.test(name))).toEqual(
          altered,
        );
      }),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 2);
  });

  it('renames columns, and gives the schema back under the inverse', () => {
    fc.assert(
      fc.property(randomSchema, picks, (schema, numbers) => {
        write(schema);
        const renames = drawRenames(schema.tables, numbers);
        check(schema, { renames, additions: [] });
        const inverse = renames.map(({ table, from, to }) => ({ table, from: to, to: from }));
        materializeCopy(TARGET, BACK, { renames: inverse, additions: [] });
        // Where a rename parts or joins names, NATURAL becomes ON, or a star a list.
        const kept = (file: string): unknown =>
          withDatabase(file, bareSchema).filter(({ name }) => !name.endsWith('_natural'));
        expect(kept(BACK)).toEqual(kept(SOURCE));
      }),
      { numRuns: RUNS },
    );
  });

  it('adds columns, alone and with renames', () => {
    fc.assert(
      fc.property(randomSchema, picks, fc.boolean(), (schema, numbers, both) => {
        write(schema);
        const renames = both ? drawRenames(schema.tables, numbers) : [];
        check(schema, { renames, additions: drawAdditions(schema.tables, numbers, renames) });
      }),
      { numRuns: RUNS },
    );
  });
});
