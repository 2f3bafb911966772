import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/evaluate/evaluate.js';
import type { EvaluationReport } from '../../src/evaluate/evaluation-report.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import { createFolder, TOWN } from '../formats/format-fixture.js';

const TABLES = { ...TOWN, column_types: ['text', 'integer', 'varchar(20)', 'real', 'integer'] };
const GOLDS = ['SELECT Home_Town FROM Singer', 'SELECT count(*) FROM Singer', 'SELECT Singer_ID FROM Singer'];
const MARK = '\t----- bird -----\ttown';

function birdFolder(ids: readonly (number | undefined)[] = [7, 5, 9]): string {
  const records = GOLDS.map((SQL, i) => ({ question_id: ids[i], db_id: 'town', question: 'Who?', evidence: '', SQL }));
  return createFolder({ 'tables.json': JSON.stringify([TABLES]), 'dev.json': JSON.stringify(records) });
}

function evaluateBird(folder: string, predictions: object | string): Promise<EvaluationReport> {
  const file = join(folder, 'pred.json');
  writeFileSync(file, typeof predictions === 'string' ? predictions : JSON.stringify(predictions, null, 4));
  const paths = { tables: join(folder, 'tables.json'), examples: join(folder, 'dev.json') };
  return evaluate({ dataset: 'bird', ...paths, predictions: file, metrics: ['exact'] });
}

describe('evaluate --synthetic-databases', () => {
  const gold = GOLDS.map((sql) => `${sql}\ttown\n`).join('');

  test('tells reading its inputs, and making rows where there are none, as a step before the others', async () => {
    const folder = createFolder({ 'tables.json': JSON.stringify([TABLES]), 'gold.sql': gold });
    const [tables, file] = [join(folder, 'tables.json'), join(folder, 'gold.sql')];
    const steps: string[] = [];
    const host = { ...NOOP_HOST, progress: (step: string) => void steps.push(step) };
    await evaluate({ tables, gold: file, predictions: file, syntheticDatabases: true }, host);
    expect(steps.slice(0, 2)).toEqual(['reading inputs', 'reading inputs']);
  });

  test('executes on rows that are made, where the data set has none', async () => {
    const folder = birdFolder();
    const predictions = join(folder, 'pred.sql');
    writeFileSync(predictions, [GOLDS[0], 'SELECT 1000 + count(*) FROM Singer', GOLDS[2]].join('\n'));
    const [tables, examples] = [join(folder, 'tables.json'), join(folder, 'dev.json')];
    const report = await evaluate({ dataset: 'bird', tables, examples, predictions, syntheticDatabases: true });
    expect(report.notes).toEqual([expect.stringMatching(/^1 database has no rows in the data set: synthetic/)]);
    expect(report.execution?.correct).toBe(2);
    expect(report.execution?.emptyGold.pairs).toBe(0);
  });

  test('does so with gold in a file of its own, and with the same rows for the same seed', async () => {
    const folder = createFolder({ 'tables.json': JSON.stringify([TABLES]), 'gold.sql': gold });
    const [tables, file] = [join(folder, 'tables.json'), join(folder, 'gold.sql')];
    const run = (seed: number): Promise<EvaluationReport> =>
      evaluate({ tables, gold: file, predictions: file, syntheticDatabases: true, seed });
    const [first, again, other] = [await run(1), await run(1), await run(2)];
    expect(first.execution?.accuracy).toBe(1);
    expect(again.execution?.databases).toEqual(first.execution?.databases);
    expect(other.execution?.databases).not.toEqual(first.execution?.databases);
  });
});

describe('evaluate --dataset bird', () => {
  test('takes gold from the data set, and joins predictions by key in any order', async () => {
    const predictions = { 9: GOLDS[2] + MARK, 7: GOLDS[0], 5: null };
    const report = await evaluateBird(birdFolder(), predictions);
    expect(report.gold?.queries).toBe(3);
    expect(report.exact?.accuracy).toBeCloseTo(2 / 3);
  });

  test('takes keys that count from 0 for positions where the ids are others', async () => {
    const keyed = Object.fromEntries(GOLDS.map((sql, i) => [i, sql + MARK]));
    expect((await evaluateBird(birdFolder(), keyed)).exact?.accuracy).toBe(1);
    expect((await evaluateBird(birdFolder([2, 0, 1]), { 2: GOLDS[0], 0: GOLDS[1], 1: GOLDS[2] })).exact?.accuracy).toBe(
      1,
    );
  });

  test('takes gold against gold in lines, and says which key is none', async () => {
    const folder = birdFolder();
    const lines = GOLDS.map((sql) => `${sql}\ttown\n`).join('');
    expect((await evaluateBird(folder, lines)).exact?.accuracy).toBe(1);
    await expect(evaluateBird(folder, { x: GOLDS[0] })).rejects.toThrow(/id "x" is none of the gold file's/);
    await expect(evaluateBird(folder, { 7: GOLDS[0] })).rejects.toThrow(/2 of 3 gold queries have no prediction/);
  });
});
