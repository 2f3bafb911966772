import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, InputFormatError, RunFolderError } from '../../../src/errors.js';
import type { RunHost } from '../../../src/run/run-host.js';
import { buildSuite, previewSuite } from '../../../src/testsuite/suite/build-suite.js';
import { openSuite } from '../../../src/testsuite/suite/open-suite.js';
import { packedPath } from '../../../src/testsuite/suite/suite-files.js';
import type { SuiteBuildInput } from '../../../src/testsuite/suite/suite-options.js';
import { hashFiles } from '../../e2e/run-cli.js';
import { EXAMPLE_DATA, readRecords, writeData } from '../../e2e/example-data.js';
import { SuiteBench } from './small-suite.js';

const bench = new SuiteBench();
const BUDGET = { randomDatabases: 12, targetedDatabases: 1 };

function options(name: string, more: Partial<SuiteBuildInput> = {}): SuiteBuildInput {
  return { ...bench.data, out: bench.at(name), budget: BUDGET, ...more };
}

/** All files but the one that says how long it took. */
function filesOf(name: string): Readonly<Record<string, string>> {
  const { 'timing.json': timing, ...files } = hashFiles(bench.at(name));
  expect(timing).toBeDefined();
  return files;
}

/** A host that notes what it is told, and stops when a progress line asks for it. */
function listen(stops: (detail: string) => boolean = () => false): RunHost & { readonly lines: string[] } {
  const controller = new AbortController();
  const lines: string[] = [];
  return {
    lines,
    signal: controller.signal,
    progress: (step, done, total, detail = '') => {
      lines.push(`${step} ${done}/${total}: ${detail}`);
      if (stops(detail)) controller.abort();
    },
    note: (line) => void lines.push(line),
  };
}

let whole: Readonly<Record<string, string>>;

beforeAll(async () => {
  await buildSuite(options('one', { jobs: 1 }));
  whole = filesOf('one');
});
afterAll(() => bench.remove());

describe('buildSuite', () => {
  it('gives the same bytes from one and from two threads', async () => {
    const host = listen();
    const { fresh, report } = await buildSuite(options('two', { jobs: 2 }), host);
    expect(fresh).toBe(true);
    expect(filesOf('two')).toEqual(whole);
    expect(report.totals.golds).toBe(6);
    expect(host.lines.slice(0, 5)).toEqual([
      'reading inputs 0/1: ',
      'reading inputs 1/1: ',
      '3 schemas, 6 examples with 6 distinct gold queries',
      expect.stringMatching(
        /^about [\d,]+ neighbors, in addition to [\d,]+ shown to be equivalent; up to 12 random databases for each schema, 1 more for each/,
      ),
      expect.stringMatching(/^about \d+ s of CPU time in 2 threads, and [\d.]+ MB of disk$/),
    ]);
    // Of those that the result is of, too.
    const { neighbors, equivalent, equivalentUnderData } = report.totals;
    expect(equivalent).toBeGreaterThan(0);
    const counted = (neighbors - equivalent - equivalentUnderData).toLocaleString('en-US');
    const last = new RegExp(`^steps 75/75: 3 of 3 schemas done, [\\d.]+% of ${counted} neighbors left$`);
    expect(host.lines.at(-1)).toMatch(last);
  });

  it('leaves a finished suite as it is', async () => {
    const host = listen();
    const { fresh, report } = await buildSuite(options('one', { jobs: 2 }), host);
    expect(fresh).toBe(false);
    expect(host.lines).toEqual(['reading inputs 0/1: ', 'reading inputs 1/1: ']);
    expect(filesOf('one')).toEqual(whole);
    expect(JSON.parse(readFileSync(bench.at('one', 'report.json'), 'utf8'))).toEqual(report);
  });

  it('writes its reports again where a copy lacks them', async () => {
    const copy = bench.copy(bench.at('one'), 'unreported');
    for (const name of ['report.json', 'report.html']) rmSync(join(copy, name));
    expect((await buildSuite(options('unreported'))).fresh).toBe(false);
    expect(filesOf('unreported')).toEqual(whole);
  });

  it('remakes what is damaged, and that alone', async () => {
    const repaired = bench.copy(bench.at('one'), 'repaired');
    writeFileSync(packedPath(repaired, 'planetarium', 'planetarium_001'), 'x');
    rmSync(packedPath(repaired, 'pottery_studio', 'pottery_studio'));
    const host = listen();
    expect((await buildSuite(options('repaired'), host)).fresh).toBe(true);
    expect(host.lines[2]).toBe('damaged, made again: pottery_studio, planetarium');
    expect(filesOf('repaired')).toEqual(whole);
  });

  it('stops between two steps when it is asked to, and goes on from there to the same bytes', async () => {
    const stopping = listen((detail) => detail.includes('neighbors left'));
    await expect(buildSuite(options('stopped', { jobs: 1 }), stopping)).rejects.toMatchObject({ name: 'AbortError' });
    const journal = readFileSync(bench.at('stopped', '.items.jsonl'), 'utf8');
    expect(journal).toContain('"kind":"under-way"');
    expect(existsSync(bench.at('stopped', '.lock'))).toBe(false);
    expect(() => openSuite(bench.at('stopped'))).toThrow(/not finished/);

    const host = listen();
    await buildSuite(options('stopped', { jobs: 1 }), host);
    expect(host.lines.find((line) => line.startsWith('steps'))).toMatch(
      /^steps [1-9]\d*\/75: 0 of 3 schemas done, .* neighbors left in the 1 begun$/,
    );
    expect(filesOf('stopped')).toEqual(whole);
  });

  it('refuses another configuration in the same folder, with the difference', async () => {
    const other = buildSuite(options('one', { seed: 7, budget: { ...BUDGET, randomDatabases: 13 } }));
    await expect(other).rejects.toThrow(RunFolderError);
    await expect(other).rejects.toThrow(
      /seed is 7 here, the run was made with 0\n.*randomDatabases is 13 here, the run was made with 12/,
    );
  });

  it('takes each distinct gold once, as it is executed', async () => {
    const record = readRecords(EXAMPLE_DATA.examples)[0]!;
    const query = 'SELECT count(*) FROM gardener WHERE home_country ! = "Portugal"';
    const data = writeData(bench.at('golds'), readRecords(EXAMPLE_DATA.tables), [
      { ...record, query },
      { ...record, query: query.replaceAll('"', "'").replace('! =', '!=') },
    ]);
    const { tables, examples, databases } = data;
    await buildSuite(
      options('golds-suite', { tables, examples, databases, budget: { ...BUDGET, randomDatabases: 1 } }),
    );
    expect(
      openSuite(bench.at('golds-suite'))
        .schema('community_garden')
        ?.golds.map(({ sql }) => sql),
    ).toEqual(["SELECT count(*) FROM gardener WHERE home_country != 'Portugal'"]);
  });

  it('makes a suite of the schema alone where there is no database', async () => {
    await buildSuite(options('no-rows', { databases: null, budget: { ...BUDGET, randomDatabases: 3 } }));
    const { databases } = openSuite(bench.at('no-rows')).schema('planetarium')!;
    expect(databases[0]?.name).toBe('planetarium_001');
    expect(databases.every(({ origin }) => origin.kind !== 'original')).toBe(true);
  });

  it('takes a data set of another format', async () => {
    const folder = bench.at('csv', 'shop');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'product.csv'), 'id,name,price\n1,Lamp,30.5\n2,Chair,80\n3,Mug,\n');
    const examples = bench.at('questions.jsonl');
    const query = 'SELECT name FROM product WHERE price > 30';
    writeFileSync(examples, JSON.stringify({ db_id: 'shop', question: 'Which cost more than 30?', query }));
    const input = { dataset: 'csv', tables: bench.at('csv'), examples, databases: null } as const;
    const { report } = await buildSuite(options('csv-suite', input));
    expect(report.totals).toMatchObject({ golds: 1, unread: 0, left: 0 });
    expect(openSuite(bench.at('csv-suite')).schema('shop')?.databases[0]).toMatchObject({ name: 'shop', rows: 3 });
  });

  it('says what is wrong with a database that can’t be read', async () => {
    const data = writeData(bench.at('broken'), readRecords(EXAMPLE_DATA.tables), [
      readRecords(EXAMPLE_DATA.examples)[0],
    ]);
    const databases = bench.copy(data.databases, 'broken-databases');
    writeFileSync(join(databases, 'community_garden', 'community_garden.sqlite'), 'no database');
    const build = buildSuite(options('broken-suite', { examples: data.examples, databases }));
    await expect(build).rejects.toThrow(InputFormatError);
    await expect(build).rejects.toMatchObject({ fix: expect.stringContaining('--databases') as string });
    expect(existsSync(bench.at('broken-suite', '.lock'))).toBe(false);
  });

  it('refuses wrong options', async () => {
    const wrong = [{ budget: { randomDatabases: -1 } }, { out: '' }, { tables: null }];
    for (const more of wrong) await expect(buildSuite(options('wrong', more))).rejects.toThrow(ConfigError);
    expect(existsSync(bench.at('wrong'))).toBe(false);
  });
});

describe('previewSuite', () => {
  it('writes nothing', async () => {
    expect((await previewSuite(options('previewed'))).length).toBe(3);
    expect(existsSync(bench.at('previewed'))).toBe(false);
  });
});
