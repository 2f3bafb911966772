import { describe, expect, it } from 'vitest';
import { renderEvaluationJUnit } from '../../../src/evaluate/report/evaluation-cases.js';
import type { PairVerdicts } from '../../../src/evaluate/verdict-lines.js';

const pair = (id: string, verdicts: Partial<PairVerdicts>): PairVerdicts => ({
  id,
  db_id: 'shop',
  hardness: 'easy',
  gold: 'SELECT a < 1 FROM t',
  predicted: 'SELECT 1',
  ...verdicts,
});

const pairs = [
  pair('0', { exact: { outcome: 'correct' }, execution: { outcome: 'correct' } }),
  pair('1', { exact: { outcome: 'wrong' }, execution: { outcome: 'failing', reason: 'no such table: x' } }),
  pair('2', { exact: { outcome: 'empty' }, execution: { outcome: 'bad-gold' }, predicted: '' }),
];

describe('renderEvaluationJUnit', () => {
  const xml = renderEvaluationJUnit(pairs, ['exact', 'execution']);

  it('has a suite per metric and a test per pair, and counts them', () => {
    expect(xml).toContain('<testsuites name="perturbql evaluate" tests="6" failures="3" errors="1" skipped="0">');
    expect(xml).toContain('<testsuite name="exact" tests="3" failures="2" errors="0" skipped="0">');
    expect(xml).toContain('<testcase classname="exact.shop" name="0"/>');
  });

  it('says why a prediction is wrong, with both queries', () => {
    expect(xml).toContain(
      '<failure type="failing" message="no such table: x">no such table: x\n  gold: SELECT a &lt; 1 FROM t\n  predicted: SELECT 1</failure>',
    );
    expect(xml).toContain('predicted: nothing</failure>');
  });

  it('tells gold without an answer from a wrong prediction', () => {
    expect(xml).toMatch(/<error type="bad-gold"/);
  });

  it('leaves out metrics that judged nothing', () => {
    expect(renderEvaluationJUnit(pairs, ['suite', 'exact'])).not.toContain('suite name="suite"');
  });
});
