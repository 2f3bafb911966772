import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compareDecisions, type Decision, readProductDecisions } from '../../bench/cta/compare-decisions.js';
import { renderRuns } from '../../bench/cta/cta-report.js';
import { runMeasured } from '../../bench/cta/measured-process.js';
import { PAPER_SETTINGS } from '../../bench/cta/paper-settings.js';
import { runCtaBench } from '../../bench/cta/run-cta-bench.js';
import { createWordTables } from '../../bench/cta/word-tables.js';
import { possibleBaseForms } from '../../src/dictionary/morphology.js';
import { ConfigError } from '../../src/errors.js';
import { RECIPES } from '../../src/recipes/recipes.js';
import { rulesInForce, SCREEN_RULE_IDS } from '../../src/recipes/rules-in-force.js';
import { parseSettings } from '../../src/recipes/settings.js';
import { expandAbbreviations } from '../../src/schema/abbreviations.js';

const decision = (candidate: string, bucket: Decision['bucket']): Decision => ({
  db_id: 'pets_1',
  table: 'pets',
  column: 'pet age',
  candidate,
  bucket,
});

test('the paper’s settings leave no rule in force but that a table has a name once', () => {
  const on = rulesInForce(parseSettings(PAPER_SETTINGS), RECIPES.cta);
  expect(SCREEN_RULE_IDS.filter(on)).toEqual(['existing-name']);
});

test('compares buckets per column and candidate, and tells what one version lacks', () => {
  const ours = [decision('age', 'RPL'), decision('weight', 'ADD'), decision('height', 'ADD')];
  const theirs = [decision('height', 'ADD'), decision('weight', 'rejected'), decision('owner', 'ADD')];
  expect(compareDecisions(ours, ours).differences).toEqual([]);
  const { compared, counts, differences } = compareDecisions(ours, theirs);
  expect([compared, counts]).toEqual([3, { RPL: 1, ADD: 2, rejected: 0 }]);
  expect(differences).toEqual([
    'pets_1 / pets / pet age / age: RPL here, absent in Python',
    'pets_1 / pets / pet age / weight: ADD here, rejected in Python',
    'pets_1 / pets / pet age / owner: absent here, ADD in Python',
  ]);
});

test('leaves out names that the table has already, which no version judges', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-bench-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines = [
    { ...decision('pet weight', 'rejected'), reason: 'existing-name' },
    { ...decision('owner', 'ADD'), reason: 'no-equivalence' },
  ];
  writeFileSync(join(folder, 'c.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(readProductDecisions(join(folder, 'c.jsonl')).map(({ candidate }) => candidate)).toEqual(['owner']);
});

test('gives words with their singulars, base forms and readings', () => {
  const tables = createWordTables(['Dates_of birth', "school's num"], { possibleBaseForms, expandAbbreviations });
  expect(tables.singular).toMatchObject({ dates: 'date', schools: 'school' });
  expect(tables.nounForms['dates']).toContain('date');
  expect(tables.spelledOut).toEqual({ num: 'number' });
  expect(Object.keys(tables.baseForms)).toEqual(
    expect.arrayContaining(['dates', 'of', 'birth', "school's", 'schools']),
  );
});

test('measures a process with its children, and reports its failure', async () => {
  // Memory is looked at now and then: the process has to be there.
  const code = 'for (let i = 0; i < 1e8; i++); setTimeout(() => undefined, 2_000);';
  const { cpuSeconds, peakMegabytes } = await runMeasured(process.execPath, ['-e', code]);
  if (process.platform === 'linux') {
    expect(cpuSeconds).toBeGreaterThan(0);
    expect(peakMegabytes).toBeGreaterThan(10);
  }
  await expect(runMeasured(process.execPath, ['-e', 'console.error("no luck"); process.exit(3)'])).rejects.toThrow(
    /ended with 3:\nno luck/,
  );
});

test('renders costs as multiples of the first run’s', () => {
  const run = (name: string, cpuSeconds: number | null, pairs: number): Parameters<typeof renderRuns>[0][number] => ({
    name,
    pairs,
    cost: { cpuSeconds, wallSeconds: 10, peakMegabytes: 100 },
  });
  const lines = renderRuns([run('Python', 60, 1000), run('cold', 20, 400), run('warm', null, 0)]).split('\n');
  expect(lines[2]).toBe('| Python | 60.0 | 1.00 × | 1000 | 1.00 × | 60.00 | 10.0 | 100 |');
  expect(lines[3]).toBe('| cold | 20.0 | 3.00 × | 400 | 2.50 × | 50.00 | 10.0 | 100 |');
  expect(lines[4]).toBe('| warm | unknown | unknown | 0 |  |  | 10.0 | 100 |');
});

test('says what is missing before it starts anything', async () => {
  const run = (...args: readonly string[]): Promise<boolean> =>
    runCtaBench(args, process.cwd(), { print: () => undefined, tell: () => undefined, record: () => undefined });
  await expect(run('--colums', 'all')).rejects.toThrow(ConfigError);
  await expect(run('--python', './no/such/python')).rejects.toThrow(/no Python/);
});
