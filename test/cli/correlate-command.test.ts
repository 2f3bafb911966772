import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, makeTempFolder, runCli } from '../e2e/run-cli.js';
import { writeVerdicts } from '../evaluate/correlation/verdict-lines.js';

const temp = makeTempFolder();
const run = (...args: string[]): Promise<CliResult> => runCli(['correlate', ...args], { cwd: temp.path });

beforeAll(() => {
  writeVerdicts(temp.path, 'first', { exact: '++------', execution: '+++-----', suite: '++------' });
  writeVerdicts(temp.path, 'second', { exact: '+++-----', execution: '+++++---', suite: '+++++---' });
  writeVerdicts(temp.path, 'third', { exact: '++++----', execution: '+++++++-', suite: '++++++--' });
  writeVerdicts(temp.path, 'short', { exact: '+', suite: '+' });
});
afterAll(() => temp.remove());

describe('perturbql correlate', () => {
  it('prints tables, and writes a page and its data', async () => {
    const { code, stdout, stderr } = await run('first.jsonl', 'second.jsonl', 'third.jsonl', '--out', 'C');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Kendall τ with the suite, percent');
    const report = readFileSync(`${temp.path}/C/report.json`, 'utf8');
    expect(readFileSync(`${temp.path}/C/report.html`, 'utf8')).toContain('<h1>How far other metrics');
    const json = await run('first.jsonl', 'second.jsonl', 'third.jsonl', '--json');
    expect(json.stdout).toBe(report);
  }, 60_000);

  it('names the models as it is told', async () => {
    const { stdout } = await run('first.jsonl', 'second.jsonl', '--names', 'small, large', '--json');
    const { models } = JSON.parse(stdout) as { models: { name: string }[] };
    expect(models.map(({ name }) => name)).toEqual(['small', 'large']);
  }, 60_000);

  it('refuses other golds and wrong names in two lines, and writes nothing', async () => {
    const other = await run('first.jsonl', 'short.jsonl', '--out', 'D');
    expect([other.code, other.stdout]).toEqual([2, '']);
    expect(other.stderr).toMatch(/short\.jsonl: the file has 1 pairs, first\.jsonl has 8.*\n {2}fix: /);
    const names = await run('first.jsonl', 'second.jsonl', '--names', 'a,,b', '--out', 'D');
    expect(names.code).toBe(2);
    expect(names.stderr).toContain('option --names is wrong');
    expect(existsSync(`${temp.path}/D`)).toBe(false);
  }, 60_000);
});
