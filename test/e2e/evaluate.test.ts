import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EvaluationReport } from '../../src/evaluate/evaluation-report.js';
import { EXAMPLES } from './example-data.js';
import { type CliResult, hashFiles, makeTempFolder, runCli } from './run-cli.js';

const temp = makeTempFolder();
afterAll(() => temp.remove());

const at = (...parts: string[]): string => join(temp.path, ...parts);
const run = (...args: string[]): Promise<CliResult> => runCli(['evaluate', ...args], { cwd: temp.path });

const GOLD = join(EXAMPLES, 'gold.sql');
const PRED = join(EXAMPLES, 'pred.sql');
const TABLES = ['--tables', join(EXAMPLES, 'tables.json')];
const DATABASES = ['--databases', join(EXAMPLES, 'database')];
const GARDEN = 'community_garden';

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(at(name), content);
  return at(name);
}

async function report(...args: string[]): Promise<EvaluationReport> {
  const { code, stdout, stderr } = await run(...TABLES, ...args, '--json');
  expect([
    code,
    stderr.replace(/^(?:reading inputs|(?:gold queries|pairs) executed|predictions joined by position).*\n/gm, ''),
  ]).toEqual([0, '']);
  return JSON.parse(stdout) as EvaluationReport;
}

describe('perturbql evaluate', () => {
  it('prints one object with a key per metric, twice the same bytes', async () => {
    const files = [...TABLES, ...DATABASES, '--gold', GOLD, '--predictions', PRED, '--json'];
    const [{ stdout, code }, again] = await Promise.all([run(...files), run(...files)]);
    expect(code).toBe(0);
    const { exact, execution } = JSON.parse(stdout) as EvaluationReport;
    expect([exact?.accuracy, execution?.accuracy]).toEqual([19 / 30, 22 / 30]);
    expect(again.stdout).toBe(stdout);
  });

  it('ends with 2 where gold fails against itself, and prints nothing', async () => {
    const gold = write('bad-gold.sql', `SELECT nobody FROM gardener\t${GARDEN}\n`);
    const { code, stdout, stderr } = await run(
      ...TABLES,
      '--gold',
      gold,
      '--predictions',
      write('any.sql', 'SELECT 1\n'),
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^reading inputs: .*\nerror: .*bad-gold\.sql:1: 1 of 1 gold queries are not correct/);
    expect(stderr).toMatch(/\n {2}fix: /);
  });
});

describe('hostile predictions', () => {
  const written = (name: string): string => join(temp.path, name);
  const HOSTILE: readonly (readonly [outcome: string, sql: string])[] = [
    ['refused', 'DROP TABLE gardener'],
    ['refused', 'DELETE FROM gardener'],
    ['refused', 'UPDATE gardener SET annual_fee = 0'],
    ['refused', 'WITH x AS (SELECT 1) DELETE FROM gardener RETURNING 1'],
    ['refused', `ATTACH '${written('attached.db')}' AS other`],
    ['refused', `VACUUM INTO '${written('copy.db')}'`],
    ['refused', 'PRAGMA writable_schema = ON'],
    ['refused', 'SELECT count(*) FROM gardener; DROP TABLE gardener'],
    ['refused', 'SELECT count(*) FROM gardener; SELECT 1'],
    ['refused', 'CREATE TABLE t AS SELECT 1'],
    ['failing', "SELECT load_extension('x')"],
    ['failing', `SELECT writefile('${written('file.txt')}', 'x')`],
    ['timed-out', 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r'],
    [
      'timed-out',
      'SELECT count(*) FROM harvest a, harvest b, harvest c, harvest d, harvest e, harvest f, harvest g, harvest h',
    ],
    ['too-large', 'SELECT zeroblob(200000000)'],
    ['unparsable', '```sql SELECT count(*) FROM gardener ```'],
    ['correct', 'SELECT count(*) FROM gardener'],
  ];

  it('are refused or stopped one by one, and leave every byte as it was', async () => {
    const before = hashFiles(join(EXAMPLES, 'database'));
    const gold = write('hostile-gold.sql', HOSTILE.map(() => `SELECT count(*) FROM gardener\t${GARDEN}\n`).join(''));
    const pred = write('hostile.jsonl', HOSTILE.map(([, sql], id) => `${JSON.stringify({ id, sql })}\n`).join(''));
    const args = ['--gold', gold, '--pred', pred, ...DATABASES, '--metrics', 'execution', '--timeout', '2'];
    const { execution } = await report(...args);
    const expected: Record<string, number> = {};
    for (const [outcome] of HOSTILE) expected[outcome] = (expected[outcome] ?? 0) + 1;
    const found = Object.fromEntries(Object.entries(execution!.outcomes).filter(([, count]) => count > 0));
    expect(found).toEqual(expected);
    expect(hashFiles(join(EXAMPLES, 'database'))).toEqual(before);
    for (const name of ['attached.db', 'copy.db', 'file.txt']) expect(existsSync(written(name))).toBe(false);
  });
});
