import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExampleData, writeSmallData } from '../e2e/example-data.js';
import { type CliResult, hashFiles, makeTempFolder, runCli, startCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const HAS_PYTHON = spawnSync('python3', ['-c', 'import sqlite3']).status === 0;

let data: ExampleData;
let whole: Readonly<Record<string, string>>;

const command = (out: string, ...more: string[]): string[] => {
  return ['suite', 'build', ...data.options, '--random-databases', '8', '--out', out, ...more];
};
const cli = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });

function filesOf(out: string): Readonly<Record<string, string>> {
  const files = { ...hashFiles(at(out)) };
  delete files['timing.json'];
  return files;
}

const linesOf = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

beforeAll(async () => {
  data = writeSmallData(at('data'), [0, 2, 10, 14, 20, 21]);
  const { code, stdout } = await cli(...command('one', '--jobs', '1'));
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^\d+ databases for 6 gold queries on 3 schemas, .*\n {2}(no|a) wrong query one change away passes/,
  );
  whole = filesOf('one');
}, 240_000);

afterAll(() => temp.remove());

describe('perturbql suite build', () => {
  it('goes on after kill -9 to the same bytes, and keeps others out while it works', async () => {
    const { child, result } = startCli(command('killed', '--jobs', '1'), { cwd: temp.path });
    const journal = at('killed', '.items.jsonl');
    while (child.exitCode === null && !linesOf(journal).some((line) => line.includes('"done"'))) await sleep(10);
    // It would be done before the second one has begun.
    child.kill('SIGSTOP');
    const second = await cli(...command('killed', '--jobs', '1'));
    child.kill('SIGKILL');
    expect(await result).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/process \d+ is working in this folder/);
    expect(existsSync(at('killed', 'report.json'))).toBe(false);

    const { code, stderr } = await cli(...command('killed'));
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/steps: 0\//);
    expect(filesOf('killed')).toEqual(whole);
  });

  const READ = expect.stringMatching(/^reading inputs: took \d+ s\n$/) as string;

  it('says that a suite is complete, and what a dry run would cost', async () => {
    const again = await cli(...command('one'));
    expect(again).toMatchObject({ code: 0, stderr: READ });
    expect(again.stdout).toMatch(/^already complete: \d+ databases/);
    const dry = await cli(...command('dry', '--dry-run'));
    expect(dry).toMatchObject({ code: 0, stderr: READ });
    expect(dry.stdout).toMatch(/^3 schemas, 6 examples with 6 distinct gold queries\nabout \d+ neighbors/);
    expect(existsSync(at('dry'))).toBe(false);
    const done = await cli(...command('one', '--dry-run'));
    expect(done.stdout).toMatch(/\nalready complete: the build only checks its files/);
  });

  it.each([
    [['--random-databases', '0'], /--random-databases is wrong: a number above 0/],
    [['--random-databases', 'many'], /--random-databases is wrong: a whole number/],
    [['--jobs', '0'], /--jobs is wrong: .*\n {2}fix: Give a whole number above 0, such as --jobs 2\./],
    [['--seed', 'x'], /--seed is wrong: .*\n {2}fix: Give a whole number, such as --seed 7\./],
    [['--seed', '1'], /another configuration:\n {2}seed is 1 here, the run was made with 0/],
    [['--seed', '1', '--dry-run'], /another configuration:\n {2}seed is 1 here, the run was made with 0/],
    [['--out', 'data', '--dry-run'], /the folder is not empty and holds no run/],
    [['--out', 'data/dev.json', '--dry-run'], /There is a file where a folder is needed/],
    [['--dataset', 'nonesuch'], /Allowed choices/],
  ])('refuses %j', async (more, message) => {
    const { code, stderr } = await cli(...command('one', ...more));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});

describe('perturbql suite info', () => {
  it('shows what a suite holds, as text and as JSON', async () => {
    const { code, stdout } = await cli('suite', 'info', 'one');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /one change away passes[^]*Schema +Gold queries +Wrong queries +Pass +Databases +Size\n[^]*keeps to\n\w+: /,
    );
    const { stdout: json } = await cli('suite', 'info', 'one', '--json');
    const report = JSON.parse(readFileSync(at('one', 'report.json'), 'utf8')) as object;
    expect(JSON.parse(json)).toMatchObject({ folder: 'one', ...report });
  });

  it('names a database that is missing', async () => {
    cpSync(at('one'), at('torn'), { recursive: true });
    rmSync(at('torn', 'database', 'planetarium', 'planetarium_001.sqlite.gz'));
    const { code, stderr } = await cli('suite', 'info', 'torn');
    expect(code).toBe(2);
    expect(stderr).toMatch(/planetarium_001\.sqlite\.gz: the database is missing\n {2}fix: /);
  });

  it('refuses what is no suite', async () => {
    const { code, stderr } = await cli('suite', 'info', 'data');
    expect(code).toBe(2);
    expect(stderr).toMatch(/data: this is no test suite.*\n {2}fix: .*suite build/);
  });
});

describe('perturbql suite verify', () => {
  it('ends with 0 where the suite holds, with 3 and the list where it does not', async () => {
    const sound = await cli('suite', 'verify', 'one', '--json');
    expect(sound.code).toBe(0);
    expect(JSON.parse(sound.stdout)).toMatchObject({ suite: 'one', schemas: 3, golds: 6, faults: [] });

    await cli(...command('faulty'));
    const file = at('faulty', 'schemas', 'planetarium.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"denotations":\["[^"]+"/, '"denotations":["x"'));
    const { code, stdout } = await cli('suite', 'verify', 'faulty', '--jobs', '1');
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^the suite does not hold: 1 fault\n[^]*planetarium, planetarium\w*: another result: SELECT/i,
    );
  });
});

describe('perturbql suite unpack', () => {
  it('writes folders that a Python evaluator reads', async (context) => {
    const { code, stdout } = await cli('suite', 'unpack', 'one', '--out', 'unpacked');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+ databases of 3 schemas in unpacked, /);
    expect(readdirSync(at('unpacked')).sort()).toEqual(['community_garden', 'planetarium', 'pottery_studio']);
    context.skip(!HAS_PYTHON, 'python3 is not there');
    // As the published test-suite evaluator lists its databases, and connects to them.
    const program = `
import os, sqlite3, sys
for db in sorted(os.listdir(sys.argv[1])):
    folder = os.path.join(sys.argv[1], db)
    for name in sorted(n for n in os.listdir(folder) if '.sqlite' in n):
        tables = sqlite3.connect(os.path.join(folder, name)).execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
        print(db, name, tables.fetchone()[0] > 0)
`;
    const lines = execFileSync('python3', ['-c', program, at('unpacked')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(lines.length).toBe(Object.keys(whole).filter((path) => path.endsWith('.sqlite.gz')).length);
    expect(lines.every((line) => line.endsWith(' True'))).toBe(true);
  });

  it('asks for an empty folder', async () => {
    const { code, stderr } = await cli('suite', 'unpack', 'one', '--out', 'data');
    expect(code).toBe(2);
    expect(stderr).toMatch(/the folder is not empty/);
  });
});
