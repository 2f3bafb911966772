import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqlRewriteError } from '../../../../src/errors.js';
import { readSqliteSchema } from '../../../../src/formats/read-sqlite-schema.js';
import { materializeCopy } from '../../../../src/variants/databases/copy/materialize-copy.js';
import type { DatabaseChange } from '../../../../src/variants/databases/database-change.js';
import { renderViewScript } from '../../../../src/variants/databases/view-script.js';
import { columnKey, type Database, type Table } from '../../../../src/schema/schema.js';
import { quoteIdentifier } from '../../../../src/sql/dialect.js';
import { rewriteVariant } from '../../../../src/sql/rename-columns.js';
import { columnNamed, tableNamed } from '../../../../src/sql/schema-names.js';
import { temporaryFolder, withDatabase } from './materialize-copy-fixture.js';
import { randomSchema, type RandomSchema } from './random-schema.js';

const folder = temporaryFolder();
const [SOURCE, TARGET] = ['source', 'target'].map((name) => join(folder, `${name}.sqlite`)) as [string, string];
const RUNS = process.env['PERTURBQL_FULL'] === '1' ? 200 : 12;
const q = quoteIdentifier;

function write({ sql, rows }: RandomSchema): void {
  writeFileSync(SOURCE, '');
  withDatabase(SOURCE, (sqlite) => {
    sqlite.pragma('foreign_keys = OFF');
    sqlite.exec(`BEGIN; ${sql}`);
    for (const row of rows) {
      try {
        sqlite.exec(row);
      } catch {
        // Some rows break a constraint.
      }
    }
    sqlite.exec('COMMIT');
  });
}

/** Golds that read a view: alone, under an alias, next to a table, in a subquery, by NATURAL. */
function goldsOn(view: Table, other: Table): readonly string[] {
  const [v, t] = [q(view.originalName), q(other.originalName)];
  const [first, last, key] = [view.columns[0], view.columns.at(-1), other.columns[0]].map((column) =>
    q(column?.originalName ?? ''),
  ) as [string, string, string];
  return [
    `SELECT * FROM ${v}`,
    `SELECT ${last}, x.${first} AS "one" FROM ${v} AS x WHERE x.${last} IS NOT 5`,
    `SELECT x.${first}, y.* FROM ${v} AS x JOIN ${t} AS y ON x.${first} IS y.${key}`,
    `SELECT count(*) FROM ${t} WHERE ${t}.${key} IN (SELECT x.${first} FROM ${v} AS x)`,
    `SELECT count(*) FROM ${t} NATURAL JOIN ${v}`,
    `WITH w AS (SELECT * FROM ${v}) SELECT max(${last}) FROM w GROUP BY ${first}`,
  ];
}

/** A new name for most columns of the tables, and a column more for some. */
function drawChange(schema: Database, picks: readonly number[], rows: (table: string) => number): DatabaseChange {
  let at = 0;
  const pick = (): number => picks[at++ % picks.length] ?? 0;
  const tables = schema.tables.filter(({ isView, originalName }) => isView !== true && /^t\d$/.test(originalName));
  const renames = tables.flatMap(({ originalName: table, columns }) =>
    columns.flatMap(({ originalName: from }, c) => (pick() % 4 === 0 ? [] : [{ table, from, to: `new ${c}` }])),
  );
  const additions = tables.flatMap(({ originalName: table, columns }) => {
    if (pick() % 2 === 0) return [];
    const values = Array.from({ length: rows(table) }, (_, row) => `added ${row}`);
    const next = columns[pick() % columns.length]?.originalName ?? null;
    return [{ table, name: 'more', declaredType: 'TEXT', before: next, values }];
  });
  return { renames, additions };
}

function rewritten(sql: string, schema: Database, { renames, additions }: DatabaseChange): string | null {
  const keyOf = ({ table, from }: DatabaseChange['renames'][number]): string => {
    const t = tableNamed(schema, table);
    return columnKey({ table: t, column: columnNamed(schema, t, from) });
  };
  try {
    return rewriteVariant(sql, schema, {
      renames: new Map(renames.map((one) => [keyOf(one), one.to])),
      added: new Map(additions.map(({ table, name }) => [tableNamed(schema, table), [name]])),
    }).sql;
  } catch (error) {
    if (error instanceof SqlRewriteError) return null;
    throw error;
  }
}

/** The rows of a query in any order; null where SQLite refuses it. */
function rowsOf(sqlite: Sqlite.Database, sql: string): readonly string[] | null {
  try {
    const rows = sqlite.prepare(sql).raw().safeIntegers().all();
    return rows
      .map((row) => JSON.stringify(row, (_, cell: unknown) => (typeof cell === 'bigint' ? `${cell}n` : cell)))
      .sort();
  } catch {
    return null;
  }
}

interface Tally {
  equal: number;
  refused: number;
}

/** Executes golds on a changed database, opened by `open`, and counts those that could be rewritten. */
function compare(schema: Database, change: DatabaseChange, open: () => Sqlite.Database, tally: Tally): void {
  const [source, changed] = [new Sqlite(SOURCE, { readonly: true }), open()];
  try {
    const views = schema.tables.filter(({ isView }) => isView === true);
    for (const gold of views.flatMap((view, v) => goldsOn(view, schema.tables[v % 2] ?? view))) {
      const wanted = rowsOf(source, gold);
      if (wanted === null) continue;
      const variant = rewritten(gold, schema, change);
      if (variant === null) tally.refused++;
      else {
        expect(rowsOf(changed, variant), `${gold}\n${variant}`).toEqual(wanted);
        tally.equal++;
      }
    }
  } finally {
    source.close();
    changed.close();
  }
}

describe('golds that read views of random schemas', () => {
  it('return their rows from a copy whose tables have columns renamed and added', () => {
    const tally = { equal: 0, refused: 0 };
    fc.assert(
      fc.property(randomSchema, fc.array(fc.nat(1000), { minLength: 20, maxLength: 40 }), (random, picks) => {
        write(random);
        const [schema, change] = withDatabase(SOURCE, (sqlite) => {
          const read = readSqliteSchema(sqlite, 'db');
          const count = (table: string): number =>
            sqlite
              .prepare(`SELECT count(*) FROM ${q(table)}`)
              .pluck()
              .get() as number;
          return [read, drawChange(read, picks, count)] as const;
        });
        materializeCopy(SOURCE, TARGET, change);
        compare(schema, change, () => new Sqlite(TARGET, { readonly: true }), tally);
      }),
      { numRuns: RUNS },
    );
    expect(tally.equal).toBeGreaterThan(RUNS * 10);
    expect(tally.refused).toBe(0);
  });

  it('return their rows through TEMP views before the tables', () => {
    const tally = { equal: 0, refused: 0 };
    fc.assert(
      fc.property(randomSchema, fc.array(fc.nat(1000), { minLength: 20, maxLength: 40 }), (random, picks) => {
        write(random);
        const source = new Sqlite(SOURCE, { readonly: true });
        const schema = readSqliteSchema(source, 'db');
        const change = { ...drawChange(schema, picks, () => 0), additions: [] };
        const script = renderViewScript(source, change, { variant: 'v', database: 'db', sha256: '' });
        source.close();
        const open = (): Sqlite.Database => {
          const sqlite = new Sqlite(SOURCE, { readonly: true });
          sqlite.exec(script);
          return sqlite;
        };
        compare(schema, change, open, tally);
      }),
      { numRuns: RUNS },
    );
    expect(tally.equal).toBeGreaterThan(RUNS * 10);
    expect(tally.refused).toBe(0);
  });
});
