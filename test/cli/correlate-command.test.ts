import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command as correlateCommand } from '../../src/cli/correlate-command.js';
import { ConfigError } from '../../src/errors.js';
import { type CliResult, makeTempFolder, runCli } from '../e2e/run-cli.js';
import { rejectionOf } from '../error-of.js';
import { writeVerdicts } from '../evaluate/correlation/verdict-lines.js';
import { runOf } from './run-of.js';

const correlate = runOf(correlateCommand);
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

  it('refuses the folder of a run, whose report it would replace, and takes its own again', async () => {
    const files = ['first', 'second'].map((name) => join(temp.path, `${name}.jsonl`));
    const out = join(temp.path, 'attacked');
    mkdirSync(out);
    for (const name of ['report.json', 'run.json']) writeFileSync(join(out, name), '{}');
    const error = await rejectionOf(ConfigError, () => correlate({ out }, ...files));
    expect(error.message).toBe(`option --out: ${out} holds a run`);
    expect(readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))).toEqual(['{}', '{}']);
    const own = join(temp.path, 'own');
    await correlate({ out: own, json: true }, ...files);
    await correlate({ out: own, json: true }, ...files);
    expect(readdirSync(own)).toEqual(['report.html', 'report.json']);
  });

  it('refuses options of predictions where the files are verdicts', async () => {
    const file = join(temp.path, 'first.jsonl');
    const error = await rejectionOf(ConfigError, () => correlate({ compareSuite: 'OLD' }, file));
    expect(error.message).toBe('option --compare-suite is for predictions; without --gold, the files are verdicts');
  });

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
