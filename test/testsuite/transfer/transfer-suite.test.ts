import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputFormatError, RunFolderError } from '../../../src/errors.js';
import { NOOP_HOST } from '../../../src/run/run-host.js';
import { transferSuite, type TransferOutcome } from '../../../src/testsuite/transfer/transfer-suite.js';
import { openSuite, type Suite } from '../../../src/testsuite/suite/open-suite.js';
import { packedPath, schemaPath } from '../../../src/testsuite/suite/suite-files.js';
import { unpackSuite } from '../../../src/testsuite/suite/unpack-suite.js';
import { verifySuite } from '../../../src/testsuite/suite/verify-suite.js';
import { hashFiles } from '../../e2e/run-cli.js';
import { TransferredGarden, contentOf } from './transferred-garden.js';

const garden = new TransferredGarden();
let before: Readonly<Record<string, string>>;
let outcome: TransferOutcome;
let transferred: Suite;

beforeAll(async () => {
  await garden.build();
  before = { ...hashFiles(garden.suite), ...hashFiles(garden.run) };
  outcome = await transferSuite({ suite: garden.suite, run: garden.run, out: garden.at('transferred') });
  transferred = openSuite(garden.at('transferred'));
}, 240_000);
afterAll(() => garden.remove());

const judge = (predict: (gold: string, dbId: string) => string): ReturnType<TransferredGarden['judge']> =>
  garden.judge(garden.run, garden.at('transferred'), predict);

const refused = (run: string, out: string): Promise<unknown> =>
  transferSuite({ suite: garden.suite, run, out: garden.at(out) }).then(
    () => 'not refused',
    (error: unknown) => error,
  );

describe('transferSuite', () => {
  it('serves every variant of the run next to the originals, and finds no gold that changed its result', () => {
    expect(outcome).toEqual({
      fresh: true,
      report: { originals: 1, variants: 11, golds: 11, unread: 0, faults: [] },
    });
    expect(transferred.ids.filter((id) => !id.includes('__'))).toEqual(['community_garden']);
    expect(transferred.ids).toHaveLength(12);
    const original = openSuite(garden.suite).schema('community_garden')!;
    for (const id of transferred.ids) {
      const { databases, carriedFrom, golds } = transferred.schema(id)!;
      expect(databases.map(({ origin }) => origin)).toEqual(original.databases.map(({ origin }) => origin));
      expect(carriedFrom).toBe(id === 'community_garden' ? null : 'community_garden');
      for (const { denotations } of golds) {
        expect(original.golds.map((gold) => gold.denotations.join())).toContain(denotations.join());
      }
    }
  });

  it('keeps the original’s databases once, and of variants only the change', () => {
    const files = Object.keys(hashFiles(garden.at('transferred')));
    const packed = files.filter((file) => file.endsWith('.gz'));
    expect(packed).toHaveLength(openSuite(garden.suite).schema('community_garden')!.databases.length);
    expect(packed.every((file) => file.startsWith('database/community_garden/'))).toBe(true);
    const { change } = transferred.schema('community_garden__rpl_1')!;
    expect(change).toEqual({
      renames: [{ table: 'gardener', from: 'home_country', to: 'nation' }],
      additions: [],
      seed: 0,
    });
    expect(transferred.schema('community_garden__add_1')!.change!.additions).toMatchObject([
      { table: 'gardener', name: 'residence_state', type: 'text', target: 'home_country' },
    ]);
  });

  it('renames and adds for a variant that does both', () => {
    const { renames, additions } = transferred.schema('community_garden__mixed_1')!.change!;
    expect(renames).toEqual([{ table: 'gardener', from: 'home_country', to: 'nation' }]);
    expect(additions).toMatchObject([{ table: 'gardener', name: 'residence_state', target: 'home_country' }]);
  });

  it('gives random databases the added column with values of its own, and keeps all other cells', () => {
    const id = 'community_garden__add_1';
    for (const [at, { name }] of transferred.schema(id)!.databases.entries()) {
      const ours = transferred.openDatabase(id, name);
      const theirs = transferred.openDatabase(
        'community_garden',
        transferred.schema('community_garden')!.databases[at]!.name,
      );
      const columns = theirs.pragma('table_info(gardener)') as { name: string }[];
      const select = `SELECT ${columns.map((column) => column.name).join()} FROM gardener ORDER BY rowid`;
      expect(ours.prepare(select).raw().all()).toEqual(theirs.prepare(select).raw().all());
      const values = ours.prepare('SELECT residence_state, home_country FROM gardener').raw().all() as unknown[][];
      if (values.length > 1) expect(values.some(([added, target]) => added !== target)).toBe(true);
      ours.close();
      theirs.close();
    }
  });

  it('makes the very database that the run has of the original’s rows', () => {
    unpackSuite(garden.at('transferred'), garden.at('unpacked'));
    for (const id of transferred.ids) {
      expect(contentOf(garden.at('unpacked'), id)).toEqual(contentOf(join(garden.run, 'database'), id));
    }
  });

  it('holds when it is verified: files, golds, and neighbors that are left', async () => {
    const { faults, schemas, golds } = await verifySuite(garden.at('transferred'), 1);
    expect({ faults, schemas, golds }).toEqual({ faults: [], schemas: 12, golds: 15 });
  }, 60_000);

  it('lets gold pass against itself and in other words, and catches a prediction that uses the added column', async () => {
    expect((await judge((gold) => gold)).accuracy).toBe(1);
    const reworded = await judge((gold) =>
      gold.replace(/ FROM (\w+)/, ' FROM $1 AS x').replace('count(*)', 'count(1)'),
    );
    expect(reworded.accuracy).toBe(1);
    const misled = await judge((gold, dbId) =>
      dbId === 'community_garden__add_1' ? gold.replace('home_country', 'residence_state') : gold,
    );
    expect(misled.outcomes.wrong).toBe(1);
    const unaware = await judge((gold) => gold.replace('nation', 'home_country'));
    // Of the variant that renames, and of the one that adds, too.
    expect(unaware.outcomes.failing).toBe(2);
  }, 120_000);

  it('changes nothing of suite and run, gives the same bytes again, and does nothing when it is done', async () => {
    const again = { suite: garden.suite, run: garden.run, out: garden.at('again') };
    await transferSuite(again);
    expect(hashFiles(garden.at('again'))).toEqual(hashFiles(garden.at('transferred')));
    expect(await transferSuite(again)).toEqual({ ...outcome, fresh: false });
    expect({ ...hashFiles(garden.suite), ...hashFiles(garden.run) }).toEqual(before);
  }, 60_000);

  it('takes a suite whose databases were unpacked in their place', async () => {
    const unpacked = garden.at('gunzipped');
    cpSync(garden.suite, unpacked, { recursive: true });
    const packed = packedPath(unpacked, 'community_garden', 'community_garden');
    writeFileSync(packed.slice(0, -'.gz'.length), gunzipSync(readFileSync(packed)));
    rmSync(packed);
    const out = garden.at('of-gunzipped');
    await transferSuite({ suite: unpacked, run: garden.run, out });
    expect((await verifySuite(out, 1)).faults).toEqual([]);
  });

  it('goes on where it was interrupted, with the same bytes', async () => {
    const controller = new AbortController();
    const out = garden.at('interrupted');
    const stop = (_: string, done: number): void => void (done === 3 && controller.abort());
    const host = { ...NOOP_HOST, signal: controller.signal, progress: stop };
    const options = { suite: garden.suite, run: garden.run, out };
    await expect(transferSuite(options, host)).rejects.toThrow(/abort/);
    expect(() => openSuite(out)).toThrow(/not finished/);
    expect(await transferSuite(options)).toEqual(outcome);
    expect(hashFiles(out)).toEqual(hashFiles(garden.at('transferred')));
  }, 60_000);

  it('takes a star that was kept as it is', async () => {
    const run = await garden.augment('starred', '--keep-star');
    const { report } = await transferSuite({ suite: garden.suite, run, out: garden.at('starred-suite') });
    expect(report).toMatchObject({ golds: 8, unread: 0, faults: [] });
    expect((await verifySuite(garden.at('starred-suite'), 1)).faults).toEqual([]);
  }, 120_000);
});

describe('transferSuite reports', () => {
  it('a gold that gives anything else than its original, and does not serve it', async () => {
    const run = garden.at('wrong');
    cpSync(garden.run, run, { recursive: true });
    const file = join(run, 'examples.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('days_to_maturity < 80', 'days_to_maturity < 30'));
    const original = readFileSync(join(garden.run, 'examples.json'), 'utf8');
    const records = JSON.parse(readFileSync(file, 'utf8')) as { db_id: string; query: string }[];
    const untouched = JSON.parse(original) as { db_id: string; query: string }[];
    const mixed = records.map((record, i) => (record.db_id.includes('__add_2') ? record : untouched[i]));
    writeFileSync(file, JSON.stringify(mixed));
    const { report } = await transferSuite({ suite: garden.suite, run, out: garden.at('wrong-suite') });
    expect(report.faults.length).toBeGreaterThan(0);
    expect(report.faults[0]).toMatchObject({ dbId: 'community_garden__add_2', kind: 'denotation' });
    expect(report.faults[0]!.sql).toContain('days_to_maturity < 30');
    const { golds, unread } = openSuite(garden.at('wrong-suite')).schema('community_garden__add_2')!;
    expect([golds.length, unread.length]).toEqual([0, 1]);
  }, 60_000);

  it('a transferred database that became another one', () => {
    const folder = garden.at('again');
    const file = schemaPath(folder, 'community_garden__rpl_1');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"to":"nation"', '"to":"state"'));
    const suite = openSuite(folder);
    const { name } = suite.schema('community_garden__rpl_1')!.databases[0]!;
    expect(() => suite.bytes('community_garden__rpl_1', name)).toThrow(/becomes another database/);
  });
});

describe('transferSuite refuses', () => {
  it('a run of another data set, or of another schema of the same name', async () => {
    const file = join(garden.run, 'tables.json');
    for (const [name, from, to, message] of [
      ['other', '"community_garden"', '"city_garden"', /the suite has no such schema/],
      ['changed', '"annual_fee"', '"yearly_fee"', /built for another schema of this id/],
    ] as const) {
      const run = garden.at(name);
      cpSync(garden.run, run, { recursive: true });
      for (const part of ['tables.json', 'examples.json', 'provenance.jsonl']) {
        const path = join(run, part);
        writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
      }
      const error = await refused(run, `${name}-suite`);
      expect(error).toBeInstanceOf(InputFormatError);
      expect((error as Error).message).toMatch(message);
    }
    expect(readFileSync(file, 'utf8')).toContain('annual_fee');
  });

  it('a folder of another command, and a suite’s own folder', async () => {
    expect(String(await refused(garden.suite, 'none'))).toMatch(
      /this is a run of suite build: a suite is transferred to a run of augment, or /,
    );
    expect(await refused(garden.at('nowhere'), 'none')).toBeInstanceOf(RunFolderError);
    const own = transferSuite({ suite: garden.suite, run: garden.run, out: garden.suite });
    await expect(own).rejects.toThrow(/this folder holds a run of/);
  });
});
