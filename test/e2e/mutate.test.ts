import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MutateReport } from '../../src/variants/mutate/mutate-report.js';
import type { MutantRecord } from '../../src/formats/artifacts/mutants.js';
import { KEEPING_IDS } from '../../src/variants/relations/relations.js';
import {
  EXAMPLE_DATA,
  EXAMPLES,
  type ExampleData,
  type JsonRecord,
  readRecords,
  writeSmallData,
} from './example-data.js';
import { type CliResult, hashFiles, makeTempFolder, runCli, startCli } from './run-cli.js';

const RELATIONS = ['PI', 'PR', 'PS', 'SS', 'NO', 'FL', 'OK', 'TS', 'CS', 'CRm', 'CRn', 'CI'];
/** Those that need no model. */
const LIGHT = ['--relations', 'PI,PR,FL,TS,CRm', '--no-guard'];

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
let data: ExampleData;

/** Questions of all three databases that each relation has something to do for. */
function command(out: string, ...more: string[]): string[] {
  return ['mutate', ...data.options, '--out', out, '--limit', '2', ...more];
}

function run(args: readonly string[], cache = at('cache')): Promise<CliResult> {
  return runCli(args, { cwd: temp.path, cache });
}

const reportOf = (out: string): MutateReport =>
  JSON.parse(readFileSync(at(out, 'report.json'), 'utf8')) as MutateReport;

function mutantsOf(out: string): readonly MutantRecord[] {
  const lines = readFileSync(at(out, 'mutants.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as MutantRecord);
}

beforeAll(() => {
  const aggregated = readRecords(EXAMPLE_DATA.examples).findIndex(({ question }) =>
    /\b(?:average|maximum|highest)\b/i.test(String(question)),
  );
  data = writeSmallData(at('data'), [...new Set([0, 1, 11, 21, aggregated])]);
});

afterAll(() => temp.remove());

describe('perturbql mutate', () => {
  it('applies the twelve relations of MT-TEQL, writes their databases, and every gold gives its seed’s result', async () => {
    const done = await run(command('whole', '--relations', 'mt-teql', '--materialize'));
    expect(done.stderr).not.toContain('fault');
    expect(done.code).toBe(0);
    const { relations, databases, total } = reportOf('whole');
    expect(Object.keys(relations)).toEqual(RELATIONS);
    for (const [id, { cases, applied }] of Object.entries(relations)) {
      expect(cases, id).toBeGreaterThan(0);
      expect(done.stdout).toMatch(new RegExp(`^${id} \\(.*\\) +${applied} +${cases} +${cases} `, 'm'));
    }
    expect(databases).toMatchObject({ unwritten: [], verification: { withoutDatabase: 0, items: [] } });
    const mutated = new Set(mutantsOf('whole').flatMap(({ db_id, origin }) => (db_id === origin ? [] : [db_id])));
    expect(mutated.size).toBe(total.schemas);
    for (const id of mutated) expect(existsSync(at('whole', 'database', id, `${id}.sqlite`)), id).toBe(true);

    const verified = await run(['verify', 'whole']);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toMatch(/^gold SQL executed +equal$/m);
    // A gold that asks for something else is found.
    const { id, query } = mutantsOf('whole').find(({ relations: [one] }) => one === 'CRm')!;
    const file = at('whole', 'mutants.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    const wrong = lines.map((line) =>
      line.includes(JSON.stringify(id)) ? line.replace(JSON.stringify(query), '"SELECT 1, 2, 3, 4, 5, 6"') : line,
    );
    writeFileSync(file, wrong.join('\n'));
    const found = await run(['verify', 'whole']);
    expect(found.code).toBe(3);
    expect(found.stdout).toContain(`  ${id}: `);
  }, 240_000);

  it('applies every relation where none is named, the kinds of evolution among them', async () => {
    const done = await run(command('every', '--no-guard', '--materialize'));
    expect(done.code).toBe(0);
    const { relations, databases } = reportOf('every');
    expect(Object.keys(relations)).toEqual(KEEPING_IDS);
    expect(databases).toMatchObject({ unwritten: [], verification: { withoutDatabase: 0, items: [] } });
    for (const { relations: ids, mapping } of mutantsOf('every')) {
      expect(mapping === undefined).toBe(RELATIONS.includes(ids[0]!));
    }
  }, 240_000);

  it('ends with exit code 3 where a database can’t be used, and with 2 where none can', async () => {
    cpSync(EXAMPLES, at('spoiled'), { recursive: true });
    writeFileSync(at('spoiled', 'database', 'planetarium', 'planetarium.sqlite'), '');
    const { tables, examples } = EXAMPLE_DATA;
    const args = ['mutate', '--tables', tables, '--examples', examples, '--databases', at('spoiled', 'database')];
    const done = await run([...args, '--relations', 'TS', '--limit', '1', '--no-guard', '--out', 'spoiled-out']);
    expect(done).toMatchObject({ code: 3 });
    expect(done.stdout).toContain('planetarium.sqlite: the database file is empty, so nothing is executed');
    for (const id of ['community_garden', 'pottery_studio'])
      writeFileSync(at('spoiled', 'database', id, `${id}.sqlite`), '');
    expect(await run([...args, '--relations', 'TS', '--out', 'none-out'])).toMatchObject({ code: 2 });
  }, 60_000);

  it('gives the same bytes again, also when it was killed', async () => {
    expect((await run(command('one', ...LIGHT, '--materialize'))).code).toBe(0);
    expect((await run(command('two', ...LIGHT, '--materialize', '--jobs', '1'), at('cache-2'))).code).toBe(0);
    const whole = hashFiles(at('one'));
    expect(hashFiles(at('two'))).toEqual(whole);

    const { child, result } = startCli(command('killed', ...LIGHT, '--materialize'), { cwd: temp.path });
    const journal = at('killed', '.items.jsonl');
    while (child.exitCode === null && !(existsSync(journal) && readFileSync(journal, 'utf8').includes('\n')))
      await sleep(2);
    child.kill('SIGKILL');
    expect(await result).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(existsSync(at('killed', 'report.json'))).toBe(false);
    expect((await run(command('killed', ...LIGHT, '--materialize'))).code).toBe(0);
    expect(hashFiles(at('killed'))).toEqual(whole);

    const again = await run(command('killed', ...LIGHT, '--materialize'));
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^already complete: /);
    const other = await run(command('killed', ...LIGHT, '--materialize', '--seed', '1'));
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('seed');
  }, 240_000);

  it('applies a relation of one’s own alone', async () => {
    const file = join(EXAMPLES, 'polite-ending.mjs');
    const { code, stdout } = await run(command('own', '--relations', 'none', '--relation', file));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PE \(Polite Ending\) +\d+ +\d+ /m);
    for (const { question, relations } of mutantsOf('own')) {
      expect(relations).toEqual(['PE']);
      expect(question).toMatch(/, please[.?]?$/);
    }
  });

  it('applies one in TypeScript, which may import other files', async () => {
    const text = readFileSync(join(EXAMPLES, 'polite-ending.mjs'), 'utf8');
    writeFileSync(at('mark.ts'), "export const ID: string = 'PE';\n");
    const typed = text.replace("id: 'PE'", 'id: ID as string').replace('(_, mark =', '(_: string, mark: string =');
    writeFileSync(at('polite.ts'), `import { ID } from './mark.ts';\n${typed}`);
    const file = at('polite.ts');
    const { code, stdout, stderr } = await run(command('typed', '--relations', 'none', '--relation', file));
    expect([code, stderr.includes('error')]).toEqual([0, false]);
    expect(stdout).toMatch(/^PE \(Polite Ending\) +\d+ +\d+ /m);
  });

  it('keeps a sample, and writes a training set of it in Spider’s form', async () => {
    const sampled = ['--sample', 'stratified', '--budget', '6', '--as-training'];
    const { code, stdout } = await run(command('sampled', ...LIGHT, ...sampled));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^6 mutants of 5 examples\n/);
    for (const name of ['examples.json', 'gold.sql']) expect(stdout).toContain(join('sampled', name));
    const records = readRecords(at('sampled', 'examples.json'));
    const seeds = readRecords(data.examples);
    expect(mutantsOf('sampled')).toHaveLength(6);
    expect(records).toHaveLength(seeds.length + 6);
    const schemas = new Set(readRecords(at('sampled', 'tables.json')).map(({ db_id }) => db_id));
    for (const { db_id } of records) expect(schemas.has(db_id)).toBe(true);
    const plain = ({ question, query, db_id }: JsonRecord): string => JSON.stringify([question, query, db_id]);
    const written = new Set(records.map(plain));
    for (const seed of seeds) expect(written.has(plain(seed))).toBe(true);
  });

  it.each([
    [['--relations', 'XX'], 'there is no relation "XX"'],
    [['--relations', 'none'], 'there is no relation to apply'],
    [['--limit', '0'], '--limit'],
    [['--compose', '9'], 'compose is a whole number from 1 to 4'],
    [['--sample', 'some'], '--sample'],
    [['--sample', 'adaptive'], 'rates'],
    [['--budget', '3'], 'a budget is of use only for a sample'],
    [['--relation', 'nowhere.mjs'], 'there is no such relation file'],
    [['--candidates', 'nowhere'], 'nowhere'],
  ])('ends with 2 on %j', async (more, message) => {
    const { code, stderr, stdout } = await run(command('bad', ...more));
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('fault');
    expect(stdout).toBe('');
    expect(existsSync(at('bad', 'mutants.jsonl'))).toBe(false);
  });

  it('can’t be verified without databases', async () => {
    expect((await run(command('bare', '--relations', 'TS'))).code).toBe(0);
    const { code, stderr } = await run(['verify', 'bare']);
    expect(code).toBe(2);
    expect(stderr).toContain('--materialize');
  });
});
