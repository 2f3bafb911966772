import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, makeTempFolder, runCli } from '../e2e/run-cli.js';
import { writeShop } from '../evaluate/audit/shop-data-set.js';

const temp = makeTempFolder();
const SHOP = ['--dataset', 'sqlite', '--databases', 'shop.sqlite', '--examples', 'dev.json'];
const run = (...args: string[]): Promise<CliResult> => runCli(['audit', ...SHOP, ...args], { cwd: temp.path });

beforeAll(() => {
  writeShop(temp.path, [
    { sql: 'SELECT name FROM item LIMIT 1' },
    { sql: 'SELECT name FROM item ORDER BY id LIMIT 1' },
    { sql: 'SELECT id FROM item WHERE kind = "wood"' },
  ]);
  mkdirSync(join(temp.path, 'tie'));
  writeShop(join(temp.path, 'tie'), [{ sql: 'SELECT name FROM item ORDER BY kind DESC LIMIT 1' }]);
});
afterAll(() => temp.remove());

describe('perturbql audit', () => {
  it('prints counts by class and the errors, and writes a page and its data', async () => {
    const { code, stdout, stderr } = await run('--out', 'A');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('3 examples, 3 different gold queries, 1 database, 1 with rows\n1 example in doubt\n');
    expect(stdout).toMatch(/^ {2}unordered-limit +error +1 +0$/m);
    expect(stdout).toMatch(/^ {2}limit-tie +warning +0 +1$/m);
    expect(stdout).toContain('dev:0 unordered-limit: LIMIT takes some rows in no order');
    const report = readFileSync(join(temp.path, 'A/report.json'), 'utf8');
    expect(readFileSync(join(temp.path, 'A/report.html'), 'utf8')).toContain('<h1>1 of 3');
    expect((await run('--json')).stdout).toBe(report);
  }, 60_000);

  it('names the examples with a warning', async () => {
    const { stdout } = await runCli(['audit', ...SHOP], { cwd: join(temp.path, 'tie') });
    expect(stdout).toMatch(/^ {2}limit-tie +warning +1 +0$/m);
    expect(stdout).toMatch(/^ {2}dev:0 limit-tie: /m);
  }, 60_000);

  it('exits with 3 where a class is found that must not be, and not for what is only possible', async () => {
    expect((await run('--fail-on', 'empty,unordered-limit')).code).toBe(3);
    expect((await run('--fail-on', 'empty,limit-tie')).code).toBe(0);
    const { code, stderr } = await run('--fail-on', 'ties');
    expect(code).toBe(2);
    expect(stderr).toContain('there is no class "ties"');
  }, 60_000);

  it('says which predictions do not fit', async () => {
    writeFileSync(join(temp.path, 'first.sql'), 'SELECT 1\nSELECT 2\n');
    const { code, stdout } = await run('--predictions', 'first.sql', '--fail-on', 'predictions');
    expect(code).toBe(3);
    expect(stdout).toContain('files predictions: first.sql: There are 2 predictions for 3 examples.');
  }, 60_000);

  it('refuses the folder of a run, and names what can’t be read', async () => {
    const out = join(temp.path, 'run');
    mkdirSync(out);
    const manifest = { command: 'mutate', version: '1', seed: 0, settings: {}, inputs: {}, complete: true };
    writeFileSync(join(out, 'run.json'), JSON.stringify(manifest));
    const refused = await run('--out', out);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a run of `perturbql mutate`')]);
    const { code, stderr } = await run('--predictions', 'absent.sql');
    expect(code).toBe(2);
    expect(stderr).toContain('absent.sql: the file can’t be read');
  }, 60_000);
});
