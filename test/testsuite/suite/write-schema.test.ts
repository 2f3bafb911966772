import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import Sqlite from 'better-sqlite3';
import { gunzipSync } from 'node:zlib';
import { sha256Of } from '../../../src/run/sha256.js';
import type { Database } from '../../../src/schema/schema.js';
import type { DistilledSchema, DistillTask } from '../../../src/testsuite/distill/distillation.js';
import { schemaSha256, type SuiteGold } from '../../../src/testsuite/suite/suite-manifest.js';
import { databaseFolder, packedPath } from '../../../src/testsuite/suite/suite-files.js';
import { planSuite } from '../../../src/testsuite/suite/suite-plan.js';
import { writeSchema } from '../../../src/testsuite/suite/schema-worker.js';
import { hashFiles } from '../../e2e/run-cli.js';
import { SuiteBench } from './small-suite.js';

const bench = new SuiteBench();
afterAll(() => bench.remove());

const SQL = 'SELECT count(*) FROM gardener';
const GOLD: SuiteGold = {
  sql: SQL,
  sha256: sha256Of(SQL),
  mode: 'bag',
  neighbors: 3,
  equivalent: 1,
  databases: [1, 0],
  denotations: ['x', 'y'],
  left: [{ sql: `${SQL} WHERE 1`, kind: 'column', detail: 'd', reason: 'r' }],
  equivalentUnderData: [],
  partial: [{ database: 1, denotation: 'z' }],
  isIndeterminate: false,
  hasRows: true,
};

/** A distillation as `distillSchema` might give it: the original, and one database with a row. */
function standIn(database: Database): DistilledSchema {
  const { originalName, columns } = database.tables[0]!;
  const row = columns.map(({ type }) => (type === 'number' ? 1 : 'a'));
  return {
    databases: [
      { origin: { kind: 'original' }, rows: null },
      { origin: { kind: 'random', seed: 5 }, rows: new Map([[originalName, [row]]]) },
    ],
    golds: [GOLD],
    curve: [{ tried: 0, left: 1 }],
    constraints: [],
    unread: [],
  };
}

async function task(): Promise<DistillTask> {
  const { dataset } = await planSuite(bench.data);
  const database = dataset.databases.get('community_garden')!;
  const budget = { randomDatabases: 1, targetedDatabases: 0, redundancy: 1, allRound: 0 };
  return { database, file: dataset.sqliteFile(database.id, ''), golds: [SQL], seed: 0, budget, data: 'observed' };
}

describe('writeSchema', () => {
  it('writes the databases, packed, and what vouches for them; the same each time', async () => {
    const work = await task();
    const written = writeSchema(bench.at('a'), work, standIn(work.database));
    expect(written.databases.map(({ name, origin }) => [name, origin.kind])).toEqual([
      ['community_garden', 'original'],
      ['community_garden_001', 'random'],
    ]);
    expect(written.golds[0]).toEqual(GOLD);
    expect(written.schemaSha256).toBe(schemaSha256(work.database));
    const bytes = gunzipSync(readFileSync(packedPath(bench.at('a'), 'community_garden', 'community_garden_001')));
    expect(sha256Of(bytes)).toBe(written.databases[1]?.sha256);
    const sqlite = new Sqlite(bytes);
    expect(sqlite.prepare(`SELECT count(*) FROM "${work.database.tables[0]!.originalName}"`).pluck().get()).toBe(1);
    expect(written.databases[1]?.rows).toBe(1);
    sqlite.close();
    writeSchema(bench.at('b'), work, standIn(work.database));
    expect(hashFiles(bench.at('b'))).toEqual(hashFiles(bench.at('a')));
  });

  it('removes what an earlier build left', async () => {
    const work = await task();
    const leftOver = packedPath(bench.at('c'), 'community_garden', 'community_garden_009');
    mkdirSync(databaseFolder(bench.at('c'), 'community_garden'), { recursive: true });
    writeFileSync(leftOver, '');
    writeSchema(bench.at('c'), work, standIn(work.database));
    expect(existsSync(leftOver)).toBe(false);
  });
});

describe('schemaSha256', () => {
  it('depends on identifiers, types and keys, not on the id and natural words', async () => {
    const { database } = await task();
    const [table, ...tables] = database.tables;
    const [column, ...columns] = table!.columns;
    const other = { ...database, id: 'other', tables: [{ ...table!, name: 'words' }, ...tables] };
    expect(schemaSha256(other)).toBe(schemaSha256(database));
    const changes: readonly Database[] = [
      { ...database, primaryKeys: [] },
      { ...database, foreignKeys: [] },
      { ...database, tables: [{ ...table!, originalName: 'x' }, ...tables] },
      { ...database, tables: [{ ...table!, columns: [{ ...column!, originalName: 'x' }, ...columns] }, ...tables] },
      { ...database, tables: [{ ...table!, columns: [{ ...column!, type: 'others' }, ...columns] }, ...tables] },
    ];
    expect(new Set([database, ...changes].map(schemaSha256)).size).toBe(changes.length + 1);
  });
});
