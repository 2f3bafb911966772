import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExampleData, writeSmallData } from './example-data.js';
import { type CliOptions, type CliResult, hashFiles, makeTempFolder, runCli, startCli } from './run-cli.js';

const temp = makeTempFolder();
const at = (...parts: string[]): string => join(temp.path, ...parts);
const PRODUCTS = [
  'candidates.jsonl',
  'examples.json',
  'gold.sql',
  'inputs.json',
  'provenance.jsonl',
  'readings.jsonl',
  'report.html',
  'report.json',
  'run.json',
  'tables.json',
];

let data: ExampleData;
let whole: Readonly<Record<string, string>>;

/** The paper's set: mentioned columns alone are decided, which takes half the time. */
function command(out: string, ...more: string[]): string[] {
  return ['augment', '--paper', ...data.options, '--out', out, ...more];
}
function run(out: string, more: readonly string[] = [], options: Partial<CliOptions> = {}): Promise<CliResult> {
  return runCli(command(out, ...more), { cwd: temp.path, cache: at('cache-1'), ...options });
}

/** Starts a run with an empty score cache, so that it is slow, and sends it a signal when it has finished a table. */
async function stopAfterFirstTable(out: string, signal: NodeJS.Signals): Promise<CliResult> {
  const { child, result } = startCli(command(out, '--jobs', '1'), { cwd: temp.path, cache: at(`cache-${out}`) });
  const journal = at(out, '.items.jsonl');
  while (child.exitCode === null && !(existsSync(journal) && readFileSync(journal, 'utf8').includes('\n')))
    await sleep(10);
  child.kill(signal);
  return result;
}

beforeAll(async () => {
  data = writeSmallData(at('data'));
  const results = await Promise.all([
    run('one', ['--jobs', '1']),
    run('two', ['--jobs', '2'], { cache: at('cache-2') }),
  ]);
  expect(results.map(({ code }) => code)).toEqual([0, 0]);
  whole = hashFiles(at('one'));
}, 240_000);

afterAll(() => temp.remove());

describe('the same bytes', () => {
  it('come from one and from two sessions, each with an empty cache', () => {
    const files = Object.keys(whole);
    expect(files.filter((file) => !file.startsWith('database'))).toEqual(PRODUCTS);
    expect(files.filter((file) => file.endsWith('.sqlite')).length).toBeGreaterThan(3);
    expect(hashFiles(at('two'))).toEqual(whole);
  });

  it('come from a warm cache', async () => {
    const { code, stderr } = await run('warm');
    expect(code).toBe(0);
    expect(stderr).toMatch(/ 0 pairs scored, [\d,]+ from the cache/);
    expect(hashFiles(at('warm'))).toEqual(whole);
  });

  it('do not come from another seed', async () => {
    expect((await run('seeded', ['--seed', '1'])).code).toBe(0);
    const other = hashFiles(at('seeded'));
    for (const product of ['examples.json', 'run.json']) expect(other[product]).not.toBe(whole[product]);
  });
});

describe('a run that was killed', () => {
  it('is resumed by the same command to the same bytes', async () => {
    const killed = await stopAfterFirstTable('killed', 'SIGKILL');
    expect(killed).toMatchObject({ code: null, signal: 'SIGKILL' });
    const journal = readFileSync(at('killed/.items.jsonl'), 'utf8').split('\n').length - 1;
    expect(journal).toBeGreaterThanOrEqual(1);
    expect(existsSync(at('killed/report.html'))).toBe(false);
    expect(JSON.parse(readFileSync(at('killed/run.json'), 'utf8'))).toMatchObject({ complete: false });

    const resumed = await run('killed');
    expect(resumed.code).toBe(0);
    expect(resumed.stderr).toMatch(/columns decided: [1-9]\d*\//);
    expect(hashFiles(at('killed'))).toEqual(whole);
  });

  it('is resumed where the kill tore a line of the journal', async () => {
    cpSync(at('one'), at('torn'), { recursive: true });
    const manifest = JSON.parse(readFileSync(at('one/run.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(at('torn/run.json'), JSON.stringify({ ...manifest, complete: false }));
    writeFileSync(at('torn/.items.jsonl'), '{"id":"community_garden/gardener","result":{"id":"commu');
    expect((await run('torn')).code).toBe(0);
    expect(hashFiles(at('torn'))).toEqual(whole);
  });
});

describe('a run that was interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s ends with 130, says how to go on, and goes on', async (signal) => {
    const out = `paused-${signal}`;
    const paused = await stopAfterFirstTable(out, signal);
    expect(paused).toMatchObject({ code: 130, stdout: '' });
    expect(paused.stderr).toContain('paused; the same command resumes it');
    expect(paused.stderr).not.toMatch(/\n {4}at |fault in perturbql/);
    expect(existsSync(at(out, '.lock'))).toBe(false);
    expect(existsSync(at(out, 'report.html'))).toBe(false);

    expect((await run(out)).code).toBe(0);
    expect(hashFiles(at(out))).toEqual(whole);
  });
});

describe('a run that has finished', () => {
  it('says so when it is asked again, and changes no byte', async () => {
    const { code, stdout } = await run('one');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^already complete: 24 examples: 8 original, 8 RPL, 8 ADD/);
    expect(hashFiles(at('one'))).toEqual(whole);
  });

  it.each([
    [['--seed', '3'], 'seed is 3 here, the run was made with 0'],
    [['--set', 'nli.rplMin=0.7'], '  thresholds.rplMin is 0.7 here, the run was made with 0.65\n'],
    [['--linked-keys', 'independent'], 'linkedKeys is independent here, the run was made with same'],
    [['--abbreviate', 'as-schema'], 'abbreviate is as-schema here, the run was made without'],
    [['--recipe', 'cta-without-nli'], 'recipe is cta-without-nli here, the run was made with cta'],
  ])('refuses %s in its folder and names the difference', async (options, difference) => {
    const { code, stderr } = await run('one', options);
    expect(code).toBe(2);
    expect(stderr).toContain(difference);
    expect(stderr).toContain('fix: Name another --out folder');
    expect(hashFiles(at('one'))).toEqual(whole);
  });

  it('refuses other inputs in its folder', async () => {
    const other = writeSmallData(at('other'), [0, 1]);
    const args = ['augment', ...other.options, '--out', 'one'];
    const { code, stderr } = await runCli(args, { cwd: temp.path, cache: at('cache-1') });
    expect(code).toBe(2);
    expect(stderr).toMatch(/the contents of examples \(\w+\.json\) changed since the run was made/);
  });

  it('is not entered while another process works in it', async () => {
    cpSync(at('one'), at('locked'), { recursive: true });
    writeFileSync(at('locked/.lock'), String(process.ppid));
    const { code, stderr } = await run('locked');
    expect(code).toBe(2);
    expect(stderr).toContain(`process ${process.ppid} is working in this folder`);
    expect(readFileSync(at('locked/.lock'), 'utf8')).toBe(String(process.ppid));
  });

  it('is entered over the lock of a process that is gone', async () => {
    cpSync(at('one'), at('stale'), { recursive: true });
    writeFileSync(at('stale/.lock'), '999999999');
    expect((await run('stale')).code).toBe(0);
    expect(hashFiles(at('stale'))).toEqual(whole);
  });
});
