import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputFormatError, RunFolderError } from '../../../src/errors.js';
import { sha256Of } from '../../../src/run/sha256.js';
import { readSqliteSchema } from '../../../src/formats/read-sqlite-schema.js';
import { denotationHash, DenotationRunner } from '../../../src/testsuite/denotation/denotation-runner.js';
import { planPartialOf } from '../../../src/testsuite/distill/partial-plan.js';
import { readPartial } from '../../../src/testsuite/distill/read-partial.js';
import { openSuite } from '../../../src/testsuite/suite/open-suite.js';
import { packDatabase, packedPath, schemaPath } from '../../../src/testsuite/suite/suite-files.js';
import type { SuiteGold } from '../../../src/testsuite/suite/suite-manifest.js';
import { unpackSuite } from '../../../src/testsuite/suite/unpack-suite.js';
import runVerifyJob from '../../../src/testsuite/suite/verify-worker.js';
import { verifySuite } from '../../../src/testsuite/suite/verify-suite.js';
import { listFiles } from '../../e2e/run-cli.js';
import { changeSchema, SuiteBench } from './small-suite.js';

const ID = 'planetarium';
const bench = new SuiteBench();
let suite: string;

beforeAll(async () => {
  suite = await bench.build('suite');
});
afterAll(() => bench.remove());

/** Settings of a copy's manifest, changed. */
function changeManifest(folder: string, changes: Readonly<Record<string, unknown>>): void {
  const file = join(folder, 'run.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...changes }));
}

describe('openSuite', () => {
  it('lists schemas, and gives what was distilled of each', () => {
    const opened = openSuite(suite);
    expect(opened.ids).toEqual(['community_garden', 'planetarium', 'pottery_studio']);
    const schema = opened.schema(ID)!;
    expect(schema.databases[0]).toMatchObject({ name: ID, origin: { kind: 'original' } });
    expect(schema.databases[1]?.name).toBe(`${ID}_001`);
    expect(schema.golds.length).toBeGreaterThan(0);
    expect(opened.schema('nonesuch')).toBeNull();
    expect(() => opened.bytes(ID, 'nonesuch')).toThrow(RangeError);
  });

  it('opens databases in memory, with the rows that are noted', () => {
    const opened = openSuite(suite);
    for (const { name, rows } of opened.schema(ID)!.databases) {
      const sqlite = opened.openDatabase(ID, name);
      const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
      const counts = tables.map((table) => sqlite.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number);
      expect(counts.reduce((sum, n) => sum + n, 0)).toBe(rows);
      sqlite.close();
    }
  });

  it('keeps the original byte by byte', () => {
    const original = readFileSync(join(bench.data.databases!, ID, `${ID}.sqlite`));
    expect(openSuite(suite).bytes(ID, ID).equals(original)).toBe(true);
  });

  it.each([
    ['torn', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 40)), /can’t be unpacked/],
    ['another one', (file: string) => writeFileSync(file, packDatabase(Buffer.from('SQLite'))), /sha256 is another/],
    ['missing', (file: string) => rmSync(file), /is missing/],
  ])('refuses a database that is %s, by name and with what repairs it', (name, damage, message) => {
    const copy = bench.copy(suite, `damaged-${name}`);
    const file = packedPath(copy, ID, `${ID}_001`);
    damage(file);
    const open = (): unknown => openSuite(copy).openDatabase(ID, `${ID}_001`);
    expect(open).toThrow(InputFormatError);
    expect(open).toThrow(message);
    try {
      open();
    } catch (error) {
      expect((error as InputFormatError).render()).toMatch(/planetarium_001\.sqlite\.gz.*perturbql suite build/s);
    }
    expect(openSuite(copy).bytes(ID, ID).length).toBeGreaterThan(0);
  });

  it('reads databases that were unpacked in their place', () => {
    const copy = bench.copy(suite, 'gunzipped');
    const file = packedPath(copy, ID, `${ID}_001`);
    writeFileSync(file.replace(/\.gz$/, ''), gunzipSync(readFileSync(file)));
    rmSync(file);
    expect(openSuite(copy).bytes(ID, `${ID}_001`)).toEqual(openSuite(suite).bytes(ID, `${ID}_001`));
  });

  it('refuses what is no suite, not finished, or of another format', () => {
    expect(() => openSuite(bench.at('nonesuch'))).toThrow(/no such folder/);
    const cases = [
      [{ complete: false }, /not finished/],
      [{ command: 'augment' }, /no test suite but a run of `perturbql augment`/],
      [{ settings: { suiteFormat: 99 } }, /format 99/],
    ] as const;
    cases.forEach(([changes, message], i) => {
      const copy = bench.copy(suite, `manifest-${i}`);
      changeManifest(copy, changes);
      expect(() => openSuite(copy)).toThrow(RunFolderError);
      expect(() => openSuite(copy)).toThrow(message);
    });
  });

  it('refuses a schema’s file that is damaged', () => {
    const copy = bench.copy(suite, 'schema');
    changeSchema(copy, ID, (schema) => ({ ...schema, schemaSha256: 'x' }));
    expect(() => openSuite(copy).schema(ID)).toThrow(/"schemaSha256" is wrong/);
  });
});

describe('verifySuite', () => {
  it('finds that a suite holds, gold by gold', async () => {
    const { schemas, databases, golds, goldRuns, faults } = await verifySuite(suite, 1);
    const files = openSuite(suite).ids.map((id) => openSuite(suite).schema(id)!);
    expect(faults).toEqual([]);
    expect(schemas).toBe(3);
    expect(databases).toBe(files.reduce((sum, one) => sum + one.databases.length, 0));
    expect(golds).toBe(6);
    expect(goldRuns).toBe(files.flatMap((one) => one.golds.flatMap((gold) => gold.databases)).length);
  });

  it('finds a changed gold, another denotation, a neighbor that is distinguished, and files that are not the suite’s', async () => {
    const copy = bench.copy(suite, 'faulty');
    changeSchema(copy, ID, (schema) => {
      const [first, ...rest] = schema.golds;
      const wrong = { sql: 'SELECT 1 WHERE 0', kind: 'column', detail: 'made up', reason: 'none' };
      const denotations = ['AAAAAAAAAAAAAAAAAAAAAA', ...first!.denotations.slice(1)];
      return { ...schema, golds: [{ ...first!, sha256: '0'.repeat(64), denotations, left: [wrong] }, ...rest] };
    });
    appendFileSync(packedPath(copy, 'pottery_studio', 'pottery_studio_001'), 'x');
    writeFileSync(packedPath(copy, 'pottery_studio', 'left-over'), '');
    const { faults } = await verifySuite(copy, 2);
    const planetarium = faults.filter(({ dbId }) => dbId === ID);
    expect(new Set(planetarium.map(({ kind }) => kind))).toEqual(new Set(['damaged', 'denotation', 'told-apart']));
    expect(planetarium.find(({ kind }) => kind === 'denotation')?.detail).toMatch(/noted is A{22}$/);
    const pottery = faults.filter(({ dbId }) => dbId === 'pottery_studio').map(({ detail }) => detail);
    expect(pottery).toEqual(['the suite has no such database', expect.stringMatching(/can’t be unpacked/)]);
    expect(faults.every(({ dbId }) => dbId !== 'community_garden')).toBe(true);
  });
});

describe('verifySuite of large reals', () => {
  it('takes a neighbor for the same as execution metrics do', () => {
    const copy = bench.copy(suite, 'large');
    const left = (sql: string): SuiteGold['left'][number] => ({
      sql,
      kind: 'column',
      detail: 'made up',
      reason: 'none',
    });
    changeSchema(copy, ID, (schema) => {
      const [first, ...rest] = schema.golds;
      const sql = 'SELECT 12345678901.25';
      const hash = denotationHash({ kind: 'rows', columns: ['x'], rows: [[12345678901.25]] }, first!.mode);
      const gold = { ...first!, sql, sha256: sha256Of(sql), denotations: first!.denotations.map(() => hash) };
      const neighbors = [left('SELECT 12345678901.75'), left('SELECT 12345678903.75')];
      return {
        ...schema,
        golds: [{ ...gold, isIndeterminate: false, left: neighbors, equivalentUnderData: [] }, ...rest],
      };
    });
    const { faults } = runVerifyJob({ suite: copy, dbId: ID });
    const said = new Set(faults.map(({ kind, sql }) => `${kind}: ${sql}`));
    expect(said).toEqual(new Set(['told-apart: SELECT 12345678903.75']));
  });
});

describe('verifySuite of a gold of which a part counts', () => {
  const NOTHING = 'SELECT 1 WHERE 0';

  /** Faults where the gold has one left neighbor, the gold itself or another query, and its own denotation or another. */
  function faultsWith(name: string, denotation: string | null, neighbor: string | null): readonly unknown[] {
    const copy = bench.copy(suite, name);
    const sqlite = openSuite(suite).openDatabase(ID, ID);
    const database = readSqliteSchema(sqlite, ID);
    const sql = `SELECT count(*), * FROM ${database.tables[0]!.originalName}`;
    const runner = new DenotationRunner(sqlite);
    const { hash } = readPartial(planPartialOf(sql, database)!, (text) => runner.run(text))!;
    sqlite.close();
    changeSchema(copy, ID, (schema) => {
      const [first, ...rest] = schema.golds;
      const left = [{ sql: neighbor ?? sql, kind: 'column', detail: 'made up', reason: 'none' }];
      const at = schema.databases.findIndex(({ origin }) => origin.kind === 'original');
      const partial = [{ database: at, denotation: denotation ?? hash }];
      const own = { sql, sha256: sha256Of(sql), databases: [], denotations: [], partial, left, isIndeterminate: false };
      return { ...schema, golds: [{ ...first!, ...own, equivalentUnderData: [] }, ...rest] };
    });
    return runVerifyJob({ suite: copy, dbId: ID }).faults.map((fault) => [fault.kind, fault.sql === sql || fault.sql]);
  }

  it('finds that it holds, gives another denotation, and that a neighbor is distinguished', () => {
    expect(faultsWith('part', null, null)).toEqual([]);
    expect(faultsWith('part-changed', 'A'.repeat(22), null)).toEqual([['denotation', true]]);
    expect(faultsWith('part-told', null, NOTHING)).toEqual([['told-apart', NOTHING]]);
  });
});

describe('openSuite of format 1', () => {
  it('reads suites that no gold is judged by a part in', () => {
    const copy = bench.copy(suite, 'format-1');
    for (const id of openSuite(suite).ids) {
      changeSchema(copy, id, (schema) => ({
        ...schema,
        golds: schema.golds.map((gold) => ({ ...gold, partial: undefined })),
      }));
    }
    changeManifest(copy, { settings: { suiteFormat: 1 } });
    expect(openSuite(copy).ids).toEqual(openSuite(suite).ids);
    expect(runVerifyJob({ suite: copy, dbId: ID }).faults).toEqual([]);
  });
});

describe('verifySuite of a copy that broke off', () => {
  it('finds databases of a schema that nothing is said of', async () => {
    const copy = bench.copy(suite, 'broken-off');
    rmSync(schemaPath(copy, ID));
    const { schemas, faults } = await verifySuite(copy, 1);
    expect(schemas).toBe(2);
    expect(faults).toEqual([expect.objectContaining({ dbId: ID, kind: 'missing', place: schemaPath(copy, ID) })]);
  });
});

describe('verifySuite of a copy that lacks a database', () => {
  it('says that it is missing', async () => {
    const copy = bench.copy(suite, 'lacking');
    const file = packedPath(copy, ID, `${ID}_001`);
    rmSync(file);
    const { faults } = await verifySuite(copy, 1);
    expect(faults).toEqual([{ dbId: ID, kind: 'missing', place: file, sql: null, detail: 'there is no such file' }]);
  });
});

describe('unpackSuite', () => {
  it('writes the databases as Spider’s evaluators look for them, and nothing else', () => {
    const out = bench.at('unpacked');
    const { schemas, databases } = unpackSuite(suite, out);
    const opened = openSuite(suite);
    const expected = opened.ids.flatMap((id) => opened.schema(id)!.databases.map(({ name }) => `${id}/${name}.sqlite`));
    expect(schemas).toBe(3);
    expect(databases).toBe(expected.length);
    expect(listFiles(out)).toEqual(expected.sort());
    for (const path of expected)
      expect(readFileSync(join(out, path)).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  it('refuses a folder that holds something', () => {
    expect(() => unpackSuite(suite, suite)).toThrow(/not empty/);
  });

  it('makes an empty folder of a suite without databases', () => {
    const bare = bench.copy(suite, 'bare');
    for (const id of openSuite(suite).ids) changeSchema(bare, id, (schema) => ({ ...schema, databases: [] }));
    expect(unpackSuite(bare, bench.at('bare-out'))).toEqual({ schemas: 3, databases: 0, bytes: 0 });
    expect(listFiles(bench.at('bare-out'))).toEqual([]);
  });

  it('leaves nothing of a damaged suite, and begins again where it was killed', () => {
    const torn = bench.copy(suite, 'torn-last');
    writeFileSync(packedPath(torn, 'pottery_studio', 'pottery_studio'), 'x');
    expect(() => unpackSuite(torn, bench.at('nothing'))).toThrow(/can’t be unpacked/);
    expect(existsSync(bench.at('nothing'))).toBe(false);

    const out = bench.at('begun');
    mkdirSync(join(out, '.unfinished', ID), { recursive: true });
    writeFileSync(join(out, '.unfinished', ID, 'half.sqlite'), 'x');
    expect(() => unpackSuite(torn, out)).toThrow(/can’t be unpacked/);
    expect(listFiles(out)).toEqual([]);
    const { databases } = unpackSuite(suite, out);
    expect(listFiles(out)).toHaveLength(databases);
  });
});
