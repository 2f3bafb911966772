import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correlateVerdicts } from '../../../bench/correlation/correlate-verdicts.js';
import { ConfigError, InputFormatError } from '../../../src/errors.js';
import { makeTempFolder } from '../../e2e/run-cli.js';
import { errorOf } from '../../error-of.js';
import { writeVerdicts } from './verdict-lines.js';

const temp = makeTempFolder();
const at = (name: string): string => join(temp.path, name);

function run(...args: readonly string[]): string {
  const lines: string[] = [];
  correlateVerdicts(args, (line) => void lines.push(line));
  return lines.join('\n');
}

beforeAll(() => {
  writeVerdicts(temp.path, 'first', { exact: '++------', execution: '+++-----', suite: '++------' });
  writeVerdicts(temp.path, 'second', { exact: '+++-----', execution: '+++++---', suite: '+++++---' });
  writeVerdicts(temp.path, 'third', { exact: '++++----', execution: '+++++++-', suite: '++++++--' });
  writeVerdicts(temp.path, 'short', { exact: '+', suite: '+' });
});
afterAll(() => temp.remove());

describe('correlateVerdicts', () => {
  const files = ['first', 'second', 'third'].map((name) => at(`${name}.jsonl`));

  it('prints tables, and writes a page and its data, twice the same', () => {
    expect(run(...files, '--out', at('C'))).toContain('Kendall τ with the suite, percent');
    expect(readFileSync(at('C/report.html'), 'utf8')).toContain('<h1>How far other metrics');
    const report = readFileSync(at('C/report.json'), 'utf8');
    run(...files, '--out', at('C'));
    expect(readFileSync(at('C/report.json'), 'utf8')).toBe(report);
    expect(readdirSync(at('C'))).toEqual(['report.html', 'report.json']);
  });

  it('refuses the folder of a run, whose report it would replace', () => {
    mkdirSync(at('attacked'));
    for (const name of ['report.json', 'run.json']) writeFileSync(join(at('attacked'), name), '{}');
    errorOf(ConfigError, () => run(...files, '--out', at('attacked')));
    expect(readFileSync(join(at('attacked'), 'report.json'), 'utf8')).toBe('{}');
  });

  it('names the models as it is told', () => {
    run(...files.slice(1), '--names', 'small, large', '--out', at('N'));
    const { models } = JSON.parse(readFileSync(at('N/report.json'), 'utf8')) as { models: { name: string }[] };
    expect(models.map(({ name }) => name)).toEqual(['small', 'large']);
    errorOf(ConfigError, () => run(...files, '--names', 'a,,b'));
  });

  it('refuses other golds, and writes nothing', () => {
    const { message } = errorOf(InputFormatError, () => run(files[0]!, at('short.jsonl'), '--out', at('D')));
    expect(message).toContain('the file has 1 pairs');
    expect(readdirSync(temp.path)).not.toContain('D');
  });
});
