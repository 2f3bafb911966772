import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAttackReport } from '../../../../src/measure/attack/attack-report.js';
import { command as runCompareCommand } from '../../../../src/cli/compare-command.js';
import { ConfigError } from '../../../../src/errors.js';
import { type CliResult, makeTempFolder, runCli } from '../../../e2e/run-cli.js';
import { rejectionOf } from '../../../error-of.js';
import { syntheticReport } from './synthetic-report.js';
import { runOf } from '../../../cli/run-of.js';

const runCompare = runOf(runCompareCommand);

const temp = makeTempFolder();
const report = syntheticReport({ examples: 10, databases: 2, seeds: [0] });
afterAll(() => temp.remove());

/** Writes a report into a folder of its own. */
function write(name: string, content: unknown): string {
  mkdirSync(join(temp.path, name), { recursive: true });
  writeFileSync(join(temp.path, name, 'report.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return join(temp.path, name);
}

describe('loadAttackReport', () => {
  it('reads a run folder or the file in it', () => {
    const folder = write('good', report);
    expect(loadAttackReport(folder)).toEqual(report);
    expect(loadAttackReport(join(folder, 'report.json'))).toEqual(report);
  });

  it('reads the keys of version 0.1.0', () => {
    const old = JSON.stringify(report)
      .replaceAll('"dbId":', '"db_id":')
      .replaceAll('"newName":', '"new_name":')
      .replaceAll('"originalName":', '"original_name":')
      .replace('"linkedKeys":', '"linked_keys":')
      .replace('"addPosition":', '"add_position":');
    expect(old).toContain('"original_name":');
    expect(loadAttackReport(write('old', old))).toEqual(report);
  });

  it.each([
    ['nothing there', null, /there is no report/],
    ['no JSON', '{"format": "perturbql-attack",\n', /this is not JSON/],
    ['another command', { dataset: 'spider', examples: 4 }, /this is not the report of an attack/],
    ['another version', { ...report, version: 7 }, /format version 7, this perturbql reads version 1/],
    ['a wrong field', { ...report, cases: [{ ...report.cases[0], gold: 5 }] }, /field "cases\.0\.gold" is wrong/],
  ])('refuses %s', (name, content, message) => {
    const folder = content === null ? join(temp.path, 'nowhere') : write(name, content);
    expect(() => loadAttackReport(folder)).toThrow(message);
  });
});

describe('perturbql compare', () => {
  const compare = (...args: string[]): Promise<CliResult> => runCli(['compare', ...args], { cwd: temp.path });

  beforeAll(() => {
    write('a', report);
    write('b', syntheticReport({ examples: 10, databases: 2, seeds: [0], seed: 1 }));
    write('candidates', { dataset: 'spider' });
  });

  it('prints a table, and writes a page', async () => {
    const table = await compare('a', 'b', '--out', 'compared.html');
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/First: a\n/);
    expect(table.stdout).toMatch(/Second: b\n/);
    expect(table.stdout).toMatch(/Exact match, RPL +\d+\.\d% +\d+\.\d% +[−+]?\d+\.\d/);
  });

  it('refuses a page in a folder that is not there', async () => {
    const { code, stderr } = await compare('a', 'b', '--out', 'pages/compared.html');
    expect(code).toBe(2);
    expect(stderr).toMatch(/option --out: there is no folder pages\n {2}fix: Make it first/);
    expect(existsSync(join(temp.path, 'pages'))).toBe(false);
  });

  it.each(['report.json', 'report.html'])('refuses to put its page in place of the %s of a run', async (name) => {
    const out = join(temp.path, 'b', name);
    const error = await rejectionOf(ConfigError, () => runCompare({ out }, join(temp.path, 'a'), join(temp.path, 'b')));
    expect(error.message).toBe(`option --out: ${out} belongs to a run that is compared`);
    expect(loadAttackReport(join(temp.path, 'b')).format).toBe('perturbql-attack');
  });

  it('prints JSON', async () => {
    const json = await compare('a/report.json', 'b', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ first: { name: 'a/report.json' }, warnings: [] });
  });

  it('refuses a run that is none with exit code 2', async () => {
    const { code, stdout, stderr } = await compare('a', 'candidates');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/candidates\/report\.json: this is not the report of an attack\n {2}fix: /);
  });

  it('needs two runs', async () => {
    expect((await compare('a')).stderr).toContain("missing required argument 'second'");
  });
});
