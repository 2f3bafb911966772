import { renderTestSuites, type TestCase } from '../../report/junit-xml.js';
import type { PairMetric } from '../metrics.js';
import type { PairVerdicts } from '../verdict-lines.js';

function toTestCase(metric: PairMetric, pair: PairVerdicts): readonly TestCase[] {
  const { id, db_id, gold, predicted } = pair;
  const verdict = pair[metric];
  if (verdict === undefined) return [];
  const test = { classname: `${metric}.${db_id}`, name: id };
  const { outcome, reason = outcome } = verdict;
  if (outcome === 'correct') return [{ ...test, fault: null }];
  const kind = outcome === 'bad-gold' ? 'error' : 'failure';
  const body = `${reason}\n  gold: ${gold}\n  predicted: ${predicted === '' ? 'nothing' : predicted}`;
  return [{ ...test, fault: { kind, type: outcome, message: reason, body } }];
}

/**
 * An evaluation as JUnit XML: a suite per metric with a test per pair, which passes where the prediction is correct. Gold
 * that has no answer is an `error`: no prediction could pass.
 */
export function renderEvaluationJUnit(pairs: readonly PairVerdicts[], metrics: readonly PairMetric[]): string {
  const suites = metrics.map((name) => ({ name, cases: pairs.flatMap((pair) => toTestCase(name, pair)) }));
  return renderTestSuites('perturbql evaluate', suites);
}
