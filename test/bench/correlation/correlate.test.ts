import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, InputFormatError, type PerturbqlError } from '../../../src/errors.js';
import { correlate } from '../../../bench/correlation/correlate.js';
import { renderCorrelationLines } from '../../../bench/correlation/report/correlation-lines.js';
import { verdictLine, writeVerdicts } from './verdict-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-correlate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Pairs 0 and 4 are easy, 1 and 5 medium, 2 and 6 hard, 3 and 7 extra. */
const FIRST = writeVerdicts(folder, 'first', { exact: '++------', execution: '+++-----', suite: '++------' });
const SECOND = writeVerdicts(folder, 'second', { exact: '+++-----', execution: '+++++---', suite: '+++++---' });
const THIRD = writeVerdicts(folder, 'third', { exact: '++++----', execution: '+++++++-', suite: '++++++--' });

function refused(run: () => unknown): PerturbqlError {
  try {
    run();
  } catch (error) {
    if (error instanceof InputFormatError || error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('correlate', () => {
  const report = correlate([FIRST, SECOND, THIRD], null);

  it('names models by their files, and tells accuracies over all and by hardness', () => {
    expect(report.models.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect(report.pairs).toEqual({ all: 8, easy: 2, medium: 2, hard: 2, extra: 2 });
    expect(report.models[1]!.accuracy.suite).toEqual({ all: 5 / 8, easy: 1, medium: 0.5, hard: 0.5, extra: 0.5 });
    expect(report.models[2]!.accuracy.exact!.all).toBe(0.5);
  });

  it('counts errors as shares of all pairs: mean, standard deviation and most over the models', () => {
    const rates = report.models.map(({ errors }) => errors.exact!.all!.falseNegativeRate);
    expect(rates).toEqual([0, 2 / 8, 2 / 8]);
    const { falsePositives, falseNegatives, models } = report.errors.exact!.all!;
    expect(models).toBe(3);
    expect(falsePositives).toEqual({ mean: 0, std: 0, max: 0 });
    expect(falseNegatives.mean).toBeCloseTo(1 / 6, 12);
    expect(falseNegatives.std).toBeCloseTo(Math.sqrt(1 / 48), 12);
    expect(falseNegatives.max).toBe(0.25);
    expect(report.errors.execution!.all!.falsePositives).toMatchObject({ mean: 1 / 12, max: 1 / 8 });
    expect(report.errors.execution!.all!.falsePositives.std).toBeCloseTo(Math.sqrt(1 / 192), 12);
    expect(report.models[2]!.errors.execution!.hard).toMatchObject({ pairs: 2, falsePositiveRate: 0.5 });
  });

  it('tells how far each metric ranks the models as the suite does, ties among them', () => {
    expect(report.correlations.exact!.all).toEqual({ models: 3, tau: 1, concordant: 3, discordant: 0, why: null });
    // Easy: exact 1/2, 1/2, 1/2 against the suite's 1/2, 1, 1.
    expect(report.correlations.exact!.easy).toMatchObject({
      tau: null,
      why: 'all models have the same accuracy by exact',
    });
    // Extra: exact 0, 0, 1/2 against the suite's 0, 1/2, 1/2: one pair of models in order, one tied on each side.
    expect(report.correlations.exact!.extra!.tau).toBe(0.5);
    expect(report.correlations.execution!.extra!.tau).toBe(1);
  });

  it('says that two models are too few', () => {
    const two = correlate([FIRST, SECOND], ['a', 'b']);
    expect(two.models.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(two.correlations.execution!.all).toMatchObject({
      tau: null,
      why: '2 models: a rank correlation needs 3 or more',
    });
    const lines = renderCorrelationLines(two).join('\n');
    expect(lines).toContain('no τ of exact, execution: 2 models: a rank correlation needs 3 or more');
    expect(correlate([FIRST], null).errors.exact!.all!.falsePositives.std).toBeNull();
  });

  it('says which file lacks a metric, and leaves its model out of those figures alone', () => {
    const bare = writeVerdicts(folder, 'bare', { exact: '++++++++' });
    const partial = correlate([FIRST, SECOND, THIRD, bare], null);
    expect(partial.warnings).toEqual([
      `${bare} has no verdicts of execution: the model is not in its figures`,
      `${bare} has no verdicts of suite: the model is not in its figures`,
    ]);
    expect(partial.models[3]).toMatchObject({ accuracy: { exact: { all: 1 } }, errors: {} });
    expect(partial.correlations).toEqual(report.correlations);
  });

  it('says that a second model of a file is not read', () => {
    const both = join(folder, 'both.jsonl');
    writeFileSync(
      both,
      readFileSync(FIRST, 'utf8').replaceAll('"predicted"', '"other":{"predicted":"SELECT 2"},"predicted"'),
    );
    expect(correlate([FIRST, both], null).warnings).toEqual([
      `${both} also has a second model's verdicts (--compare): they are not read`,
    ]);
  });

  it('gives a table for terminals with the paper’s figures below ours', () => {
    const lines = renderCorrelationLines(report);
    expect(lines[0]).toBe('3 models, all 8, easy 2, medium 2, hard 2, extra 2 pairs');
    const at = lines.findIndex((line) => line.startsWith('Kendall'));
    expect(lines[at + 2]!.trim().split(/\s+/)).toEqual(['exact', '100.0', '–', '–', '100.0', '50.0']);
    expect(lines[at + 3]!.trim()).toMatch(/^paper, Adapted +91\.0 +91\.0 +90\.0 +75\.0 +91\.0$/);
  });
});

describe('correlate refuses', () => {
  it.each([
    { what: 'another id', change: { id: 'dev:9' }, message: 'has the id dev:1, and dev:9 is there' },
    { what: 'another database', change: { db_id: 'city' }, message: 'is on town, here on city' },
    { what: 'another gold', change: { gold: 'SELECT 9' }, message: 'has another gold query' },
    { what: 'another hardness', change: { hardness: null }, message: 'is medium, here unknown' },
  ])('$what, with file and line', ({ change, message }) => {
    const file = join(folder, 'changed.jsonl');
    const rest = readFileSync(FIRST, 'utf8').trimEnd().split('\n');
    rest[1] = verdictLine(1, { exact: true, suite: true, execution: true }, change);
    writeFileSync(file, rest.join('\n'));
    const error = refused(() => correlate([FIRST, file], null));
    expect(error.message).toContain(`the pair at ${FIRST}:2 ${message}`);
    expect(error.where).toMatchObject({ file, line: 2 });
    expect(error.fix).toContain('one gold file');
  });

  it('other numbers of pairs', () => {
    const short = writeVerdicts(folder, 'short', { exact: '+', suite: '+' });
    expect(refused(() => correlate([FIRST, short], null)).message).toContain('the file has 1 pairs');
  });

  it.each([
    { what: 'no verdicts', text: '\n', message: 'the file has no verdicts' },
    { what: 'no JSON', text: 'dev:0 correct', message: 'this is not JSON' },
    { what: 'another file', text: '{"a": 1}', message: 'field "id" is missing' },
    {
      what: 'an unknown outcome',
      text: verdictLine(0, {}, { suite: { outcome: 'good' } }),
      message: 'field "suite.outcome" is wrong',
    },
    {
      what: 'an id twice',
      text: [verdictLine(0, {}), verdictLine(0, {})].join('\n'),
      message: 'the id occurs in line 1 already',
    },
    {
      what: 'a metric of some pairs',
      text: [verdictLine(0, { exact: true, suite: true }), verdictLine(1, { suite: true })].join('\n'),
      message: 'no verdict of the metric exact',
    },
    {
      what: 'no suite at all',
      text: verdictLine(0, { exact: true }),
      message: 'no file has verdicts of the metric suite',
    },
  ])('$what', ({ text, message }) => {
    const file = join(folder, 'bad.jsonl');
    writeFileSync(file, text);
    const error = refused(() => correlate([file], null));
    expect(error.message).toContain(message);
    expect(error.where.file).toBe(file);
  });

  it('names that do not fit', () => {
    expect(refused(() => correlate([FIRST, SECOND], ['a'])).message).toContain('1 names for 2 files');
    expect(refused(() => correlate([FIRST, SECOND], ['a', 'a'])).message).toContain('two models have the name "a"');
    expect(refused(() => correlate([FIRST, FIRST], null)).message).toContain('two models have the name');
  });
});
