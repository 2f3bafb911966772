import { compareText } from '../../../present.js';
import type { Outcome } from '../../../evaluate/metric.js';
import { renderTestSuites, type TestCase, type TestSuite } from '../../../report/junit-xml.js';
import {
  ATTACK_CONDITIONS,
  type AttackCase,
  type AttackCondition,
  type AttackReport,
  measuredMetrics,
} from '../attack-report.js';
import type { AttackMetric } from '../../../victims/scoring.js';
import { type FailBelowRule, nameRule, thresholdFailures } from './fail-below.js';

function ruleSuite(report: AttackReport, rules: readonly FailBelowRule[]): TestSuite {
  const messages = new Map(thresholdFailures(report, rules).map(({ rule, message }) => [rule, message]));
  const cases = rules.map((rule): TestCase => {
    const message = messages.get(rule);
    const fault = message === undefined ? null : { kind: 'failure' as const, type: 'below', message, body: message };
    return { classname: 'fail-below', name: `${nameRule(rule)} is at least ${rule.percent}%`, fault };
  });
  return { name: 'fail-below', cases };
}

/** One answer to an example under one condition. */
interface Answer {
  readonly seed: number | null;
  readonly gold: string;
  readonly predicted: string | null;
  readonly failure: string | null;
  readonly outcome: Outcome;
}

function answersOf(one: AttackCase, condition: AttackCondition, metric: AttackMetric): readonly Answer[] {
  const asked =
    condition === 'original'
      ? [{ ...one.original, seed: null, gold: one.gold }]
      : one.perturbed.filter(({ kind }) => kind === condition);
  return asked.flatMap(({ seed, gold, predicted, failure, ...rest }) => {
    const outcome = rest[metric] ?? null;
    return outcome === null ? [] : [{ seed, gold, predicted, failure, outcome }];
  });
}

function describeAnswer({ seed, gold, predicted, failure, outcome }: Answer): string {
  const head = seed === null ? outcome : `seed ${seed}: ${outcome}`;
  return `${head}\n  gold: ${gold}\n  predicted: ${predicted ?? `none (${failure ?? 'no answer'})`}`;
}

function toTestCase(one: AttackCase, suite: string, answers: readonly Answer[], ruled: boolean): TestCase {
  const test = { classname: `${suite}.${one.dbId}`, name: `${one.id}: ${one.question}` };
  const wrong = answers.filter(({ outcome }) => outcome !== 'correct');
  const [first] = wrong;
  if (first === undefined) return { ...test, fault: null };
  const type = first.failure ?? first.outcome;
  const message = answers.length === 1 ? type : `${type}; wrong with ${wrong.length} of ${answers.length} seeds`;
  const kind = ruled ? 'skipped' : first.predicted === null ? 'error' : 'failure';
  return { ...test, fault: { kind, type, message, body: wrong.map(describeAnswer).join('\n') } };
}

function caseSuite(report: AttackReport, metric: AttackMetric, condition: AttackCondition, ruled: boolean): TestSuite {
  const name = `${metric}.${condition}`;
  const cases = report.cases.flatMap((one) => {
    const answers = answersOf(one, condition, metric);
    return answers.length === 0 ? [] : [toTestCase(one, name, answers, ruled)];
  });
  return { name, cases: cases.sort((a, b) => compareText(a.classname, b.classname)) };
}

/**
 * A run as JUnit XML: a suite of the rules, and one per metric and condition with a test per example, which passes where
 * the answer is right with every seed. Where there are rules, they alone decide whether the build fails: a wrong answer
 * is `skipped` then, as pytest writes an expected failure; without rules it is a `failure`, and no answer an `error`.
 */
export function renderJUnit(report: AttackReport, rules: readonly FailBelowRule[]): string {
  const ruled = rules.length > 0;
  const suites = [
    ...(ruled ? [ruleSuite(report, rules)] : []),
    ...measuredMetrics(report.scores).flatMap((metric) =>
      ATTACK_CONDITIONS.map((condition) => caseSuite(report, metric, condition, ruled)),
    ),
  ];
  return renderTestSuites(`perturbql attack ${report.victim.id}`, suites);
}
