import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, runCli } from '../e2e/run-cli.js';
import { CarriedGarden } from '../testsuite/carry/carried-garden.js';

const garden = new CarriedGarden();
const run = (...args: string[]): Promise<CliResult> => runCli(['suite', ...args], { cwd: garden.path });

beforeAll(() => garden.build(), 240_000);
afterAll(() => garden.remove());

describe('perturbql suite carry', () => {
  it('says what it carried over, and at a second time that there is nothing to do', async () => {
    const first = await run('carry', 'suite', '--run', 'run', '--out', 'carried');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toBe('carried over to 8 variants of 1 schema, with 8 gold queries: carried\n');
    const again = await run('carry', 'suite', '--run', 'run', '--out', 'carried', '--json');
    expect(again.stderr).toContain('nothing to do');
    expect(JSON.parse(again.stdout)).toMatchObject({ variants: 8, golds: 8, faults: [] });
    expect((await run('info', 'carried')).stdout).toContain('community_garden__add_4');
  }, 60_000);

  it('exits with 3 where a gold changed its result, and shows which', async () => {
    const file = join(garden.run, 'examples.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace("nation = 'Portugal'", "nation = 'Spain'"));
    const { code, stdout } = await run('carry', 'suite', '--run', 'run', '--out', 'wrong');
    writeFileSync(file, text);
    expect(code).toBe(3);
    expect(stdout).toContain("WHERE nation = 'Spain': gives ");
    expect(stdout).toContain('not carried over: 1 gold query, ');
  }, 60_000);

  it('refuses a run of another command in one line with its fix', async () => {
    const { code, stderr } = await run('carry', 'suite', '--run', 'suite', '--out', 'none');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: suite: this is a run of suite build: .* under one condition\n {2}fix: Name a folder that `perturbql augment`/,
    );
  }, 60_000);

  it('takes inputs of an attack, and refuses those of an earlier version', async () => {
    const folder = await garden.prepare('prepared');
    const args = ['carry', 'suite', '--run', 'prepared/inputs/RPL-3', '--out', 'carried-inputs'];
    const carried = await run(...args);
    expect(carried.code, carried.stderr).toBe(0);
    expect(carried.stdout).toBe('carried over to 3 variants of 1 schema, with 3 gold queries: carried-inputs\n');
    rmSync(join(folder, 'inputs/RPL-3/provenance.jsonl'));
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: prepared\/inputs\/RPL-3: the run has no provenance\.jsonl\n {2}fix: Prepare the inputs again, with another --out/,
    );
  }, 60_000);
});
