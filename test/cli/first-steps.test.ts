import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { candidatesFor } from '../measure/attack/attack-fixture.js';
import { EXAMPLE_DATA } from '../e2e/example-data.js';
import { type CliResult, makeTempFolder, runCli } from '../e2e/run-cli.js';

const temp = makeTempFolder();
const run = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: temp.path });
afterAll(() => temp.remove());

describe('a folder that is not there', () => {
  const spider = ['--tables', 'spider/tables.json', '--examples', 'spider/dev.json'];

  it.each([
    ['augment', [...spider, '--databases', 'spider/database', '--out', 'RUN']],
    ['candidates', [...spider, '--out', 'RUN']],
    ['evaluate', ['--gold', 'spider/gold.sql', '--predictions', 'spider/pred.sql', '--tables', 'spider/tables.json']],
  ])('is named by %s, not what is in it', async (command, options) => {
    const { code, stderr } = await run(command, ...options);
    expect(code).toBe(2);
    expect(stderr).toMatch(/: there is no folder spider\n/);
  });
});

describe('a dry run', () => {
  it('needs no folder for a run', async () => {
    const candidates = candidatesFor(1).map((decision) => `${JSON.stringify(decision)}\n`);
    writeFileSync(join(temp.path, 'candidates.jsonl'), candidates.join(''));
    const attack = ['attack', ...EXAMPLE_DATA.options, '--candidates', 'candidates.jsonl', '--dry-run'];
    const { code, stdout, stderr } = await run(...attack);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('30 examples, RPL and ADD with 5 seeds');
    expect(readdirSync(temp.path)).toEqual(['candidates.jsonl']);
    const needed = await run(...attack.slice(0, -1));
    expect([needed.code, needed.stderr]).toEqual([2, expect.stringContaining('option --out is missing')]);
  });
});
