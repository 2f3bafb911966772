import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, runCli } from '../e2e/run-cli.js';
import { TransferredGarden } from '../testsuite/transfer/transferred-garden.js';

const garden = new TransferredGarden();
const run = (...args: string[]): Promise<CliResult> => runCli(['suite', ...args], { cwd: garden.path });

beforeAll(() => garden.build(), 240_000);
afterAll(() => garden.remove());

describe('perturbql suite transfer', () => {
  it('says what it transferred, and at a second time that there is nothing to do', async () => {
    const first = await run('transfer', 'suite', '--run', 'run', '--out', 'transferred');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toBe('transferred to 11 variants of 1 schema, with 11 gold queries: transferred\n');
    const again = await run('transfer', 'suite', '--run', 'run', '--out', 'transferred', '--json');
    expect(again.stderr).toContain('nothing to do');
    expect(JSON.parse(again.stdout)).toMatchObject({ variants: 11, golds: 11, faults: [] });
    expect((await run('info', 'transferred')).stdout).toContain('community_garden__add_4');
  }, 60_000);

  it('answers to its name of an earlier version, which help does not show', async () => {
    const { code, stdout, stderr } = await run('carry', 'suite', '--run', 'run', '--out', 'carried');
    expect(code, stderr).toBe(0);
    expect(stdout).toBe('transferred to 11 variants of 1 schema, with 11 gold queries: carried\n');
    const help = (await run('--help')).stdout;
    expect(help).toContain('transfer [options]');
    expect(help).not.toContain('carry');
  }, 60_000);

  it('exits with 3 where a gold changed its result, and shows which', async () => {
    const file = join(garden.run, 'examples.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace("nation = 'Portugal'", "nation = 'Spain'"));
    const { code, stdout } = await run('transfer', 'suite', '--run', 'run', '--out', 'wrong');
    writeFileSync(file, text);
    expect(code).toBe(3);
    expect(stdout).toContain("WHERE nation = 'Spain': gives ");
    expect(stdout).toContain('not transferred: 1 gold query, ');
  }, 60_000);

  it('refuses a run of another command in one line with its fix', async () => {
    const { code, stderr } = await run('transfer', 'suite', '--run', 'suite', '--out', 'none');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: suite: this is a run of suite build: .* under one condition\n {2}fix: Name a folder that `perturbql augment`/,
    );
  }, 60_000);

  it('takes inputs of an attack, and refuses those of an earlier version', async () => {
    const folder = await garden.prepare('prepared');
    const args = ['transfer', 'suite', '--run', 'prepared/inputs/RPL-3', '--out', 'transferred-inputs'];
    const transferred = await run(...args);
    expect(transferred.code, transferred.stderr).toBe(0);
    expect(transferred.stdout).toBe('transferred to 3 variants of 1 schema, with 3 gold queries: transferred-inputs\n');
    rmSync(join(folder, 'inputs/RPL-3/provenance.jsonl'));
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: prepared\/inputs\/RPL-3: the run has no provenance\.jsonl\n {2}fix: Prepare the inputs again, with another --out/,
    );
  }, 60_000);
});
