import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunFolderError } from '../../../src/errors.js';
import { transferSuite, type TransferOutcome } from '../../../src/testsuite/transfer/transfer-suite.js';
import { openSuite } from '../../../src/testsuite/suite/open-suite.js';
import { unpackSuite } from '../../../src/testsuite/suite/unpack-suite.js';
import { verifySuite } from '../../../src/testsuite/suite/verify-suite.js';
import { hashFiles } from '../../e2e/run-cli.js';
import { TransferredGarden, contentOf } from './transferred-garden.js';

const garden = new TransferredGarden();
const DB = 'community_garden';
let prepared: string;
let outcomes: Readonly<Record<string, TransferOutcome>>;
let before: Readonly<Record<string, string>>;

const inputs = (condition: string, run = prepared): string => join(run, 'inputs', condition);
const suiteOf = (condition: string): string => garden.at(`suite-${condition}`);
const transfer = (run: string, out: string): Promise<TransferOutcome> =>
  transferSuite({ suite: garden.suite, run, out });

beforeAll(async () => {
  await garden.buildSuite();
  prepared = await garden.prepare('prepared');
  before = hashFiles(prepared);
  const conditions = ['original', 'RPL-3', 'ADD-3'];
  const transferred: [string, TransferOutcome][] = [];
  for (const name of conditions) transferred.push([name, await transfer(inputs(name), suiteOf(name))]);
  outcomes = Object.fromEntries(transferred);
}, 240_000);
afterAll(() => garden.remove());

/** What a run that a suite can't be transferred to says, and its place below the folder of the test. */
async function refusal(
  run: string,
): Promise<{ readonly file: string; readonly message: string; readonly fix: string }> {
  const error: unknown = await transfer(run, garden.at('refused')).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RunFolderError);
  const { where, message, fix } = error as RunFolderError;
  return { file: where.file!.slice(garden.path.length + 1), message, fix };
}

describe('transferSuite with prepared inputs of an attack', () => {
  it('serves every variant of a condition next to the originals, and finds no gold that changed its result', () => {
    const none = { unread: 0, faults: [] };
    expect(outcomes['RPL-3']).toEqual({ fresh: true, report: { originals: 1, variants: 3, golds: 3, ...none } });
    expect(outcomes['ADD-3']).toEqual({ fresh: true, report: { originals: 1, variants: 4, golds: 4, ...none } });
    expect(outcomes['original']).toEqual({ fresh: true, report: { originals: 1, variants: 0, golds: 0, ...none } });
    expect(openSuite(suiteOf('RPL-3')).ids).toEqual([DB, `${DB}__rpl_1`, `${DB}__rpl_2`, `${DB}__rpl_3`]);
    expect(hashFiles(prepared)).toEqual(before);
  });

  it.each(['RPL-3', 'ADD-3'])('makes the databases that the inputs of %s have of the original’s rows', (condition) => {
    const unpacked = garden.at(`unpacked-${condition}`);
    unpackSuite(suiteOf(condition), unpacked);
    for (const id of openSuite(suiteOf(condition)).ids.filter((one) => one !== DB)) {
      expect(contentOf(unpacked, id)).toEqual(contentOf(join(inputs(condition), 'database'), id));
    }
  });

  it.each(['original', 'RPL-3', 'ADD-3'])(
    'lets the gold of %s pass, and holds when it is verified',
    async (condition) => {
      const { accuracy, outcomes: counts } = await garden.judge(inputs(condition), suiteOf(condition), (gold) => gold);
      expect({ accuracy, correct: counts.correct }).toEqual({ accuracy: 1, correct: 4 });
      expect((await verifySuite(suiteOf(condition), 1)).faults).toEqual([]);
    },
    60_000,
  );

  it('catches a prediction that uses an added column, an old name, or another constant', async () => {
    const misled = await garden.judge(inputs('ADD-3'), suiteOf('ADD-3'), (gold, dbId) =>
      dbId === `${DB}__add_1` ? gold.replace('home_country', 'residence_state') : gold,
    );
    expect(misled.outcomes).toMatchObject({ correct: 3, wrong: 1 });
    const unaware = await garden.judge(inputs('RPL-3'), suiteOf('RPL-3'), (gold) =>
      gold.replace('nation', 'home_country').replace('< 80', '< 70'),
    );
    expect(unaware.outcomes).toMatchObject({ correct: 2, wrong: 1, failing: 1 });
  }, 60_000);

  it('takes a star that was kept as it is', async () => {
    const run = inputs('ADD-3', await garden.prepare('starred', true));
    const out = garden.at('suite-starred');
    expect((await transfer(run, out)).report).toMatchObject({ variants: 4, golds: 4, faults: [] });
    expect((await garden.judge(run, out, (gold) => gold)).accuracy).toBe(1);
  }, 60_000);

  it('gives the same bytes for inputs that lie elsewhere', async () => {
    const moved = garden.at('moved');
    cpSync(prepared, moved, { recursive: true });
    await transfer(inputs('ADD-3', moved), garden.at('suite-moved'));
    expect(hashFiles(garden.at('suite-moved'))).toEqual(hashFiles(suiteOf('ADD-3')));
  });
});

describe('transferSuite refuses', () => {
  it('inputs that were prepared before there was provenance', async () => {
    for (const condition of ['RPL-3', 'original']) {
      const old = garden.at(`before-${condition}`);
      cpSync(prepared, old, { recursive: true });
      rmSync(join(inputs(condition, old), 'provenance.jsonl'));
      const { file, message, fix } = await refusal(inputs('RPL-3', old));
      expect(file).toBe(`before-${condition}/inputs/${condition}`);
      expect(message).toBe('the run has no provenance.jsonl');
      expect(fix).toMatch(/^Prepare the inputs again, with another --out/);
    }
  });

  it('all conditions at once, one that is not there, and inputs that are not finished', async () => {
    const whole = await refusal(prepared);
    expect(whole.message).toMatch(/^this is a run of attack prepare: .* under one condition$/);
    expect(whole.fix).toContain('RUN/inputs/RPL-0');
    expect((await refusal(inputs('RPL-9'))).message).toBe('there is no such folder');
    const unfinished = garden.at('unfinished');
    cpSync(prepared, unfinished, { recursive: true });
    const manifest = join(unfinished, 'run.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"complete": true', '"complete": false'));
    expect(await refusal(inputs('RPL-3', unfinished))).toMatchObject({
      file: 'unfinished',
      message: 'the run is not finished',
    });
  });
});
