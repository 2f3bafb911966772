import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { sha256Of } from '../../../src/run/sha256.js';
import type { Database } from '../../../src/schema/schema.js';
import { schemaSha256, type SuiteDatabase, type SuiteSchemaFile } from '../../../src/testsuite/suite/suite-manifest.js';
import {
  databaseFolder,
  packDatabase,
  packedPath,
  schemaPath,
  schemasFolder,
  SUITE_FORMAT,
} from '../../../src/testsuite/suite/suite-files.js';

/** The tables of `CONCERTS`. */
export const TABLES = `
  CREATE TABLE Stadium (Id INTEGER PRIMARY KEY, Name TEXT, Capacity INTEGER);
  CREATE TABLE Concert (Concert_Id INTEGER PRIMARY KEY, Stadium_Id INTEGER, Spare_Id INTEGER, Year INTEGER, Name TEXT);
  CREATE TABLE Singer (Singer_Id INTEGER PRIMARY KEY, Name TEXT, Age INTEGER, Country TEXT);
`;

/** A database by its name and what fills its tables; the first is the original. */
export type Filled = readonly [name: string, sql: string];

/** A gold query and the positions of the databases that it is judged on, by all of its result and by a part. */
export type TinyGold = readonly [sql: string, databases: readonly number[], partial?: readonly number[]];

function pack(folder: string, dbId: string, [name, sql]: Filled, isOriginal: boolean): SuiteDatabase {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec(TABLES + sql);
  const rows = ['Stadium', 'Concert', 'Singer'].map(
    (table) => sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number,
  );
  const bytes = sqlite.serialize();
  sqlite.close();
  writeFileSync(packedPath(folder, dbId, name), packDatabase(bytes));
  return {
    name,
    sha256: sha256Of(bytes),
    bytes: bytes.length,
    rows: rows.reduce((sum, count) => sum + count, 0),
    origin: isOriginal ? { kind: 'original' } : { kind: 'random', seed: 1 },
  };
}

/** Writes a suite of one schema by hand, as `suite build` does. */
export function writeTinySuite(
  folder: string,
  database: Database,
  filled: readonly Filled[],
  golds: readonly TinyGold[],
): string {
  mkdirSync(databaseFolder(folder, database.id), { recursive: true });
  mkdirSync(schemasFolder(folder), { recursive: true });
  const file: SuiteSchemaFile = {
    dbId: database.id,
    schemaSha256: schemaSha256(database),
    databases: filled.map((one, i) => pack(folder, database.id, one, i === 0)),
    golds: golds.map(([sql, databases, partial]) => ({
      sql,
      sha256: sha256Of(sql),
      mode: 'bag',
      neighbors: 0,
      equivalent: 0,
      left: [],
      equivalentUnderData: [],
      databases: [...databases],
      denotations: databases.map(() => ''),
      ...(partial !== undefined && { partial: partial.map((database) => ({ database, denotation: '' })) }),
      isIndeterminate: false,
      hasRows: true,
    })),
    unread: [],
    curve: [],
    constraints: [],
    carriedFrom: null,
  };
  writeFileSync(schemaPath(folder, database.id), JSON.stringify(file));
  const settings = { suiteFormat: SUITE_FORMAT };
  const manifest = { command: 'suite build', version: '0.1.0', seed: 0, settings, inputs: {}, complete: true };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(manifest));
  return folder;
}
