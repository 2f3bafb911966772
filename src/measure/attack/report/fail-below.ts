import { ConfigError } from '../../../errors.js';
import { exactPercent } from '../../../report/figures.js';
import { COMPOSED } from '../../../variants/relations/counted-relation.js';
import { RELATION_IDS } from '../../../variants/relations/relations.js';
import { ATTACK_CONDITIONS, type AttackReport } from '../attack-report.js';
import type { AttackMetric } from '../../../victims/scoring.js';

/** An accuracy below which a run counts as failed. */
export interface FailBelowRule {
  /** As given: "rpl=30". */
  readonly text: string;
  readonly metric: AttackMetric;
  /** Or a relation of `mutate`; `all` and `composed` are those of mutants. */
  readonly condition: string;
  /** Lowest accuracy that passes, 0 to 100. */
  readonly percent: number;
}

const RULE = /^(?:(exact|execution|columns)\.)?([a-z]+)=(\d+(?:\.\d+)?)%?$/;
const CONDITIONS: ReadonlyMap<string, string> = new Map(
  [...ATTACK_CONDITIONS, 'all', ...RELATION_IDS, COMPOSED].map((name) => [name.toLowerCase(), name]),
);
const FIX = 'Write for instance --fail-below rpl=30 or --fail-below execution.original=60.5, in percent.';

function parseRule(text: string): FailBelowRule {
  const [, metric = 'exact', name = '', number] = RULE.exec(text.trim().toLowerCase()) ?? [];
  const condition = CONDITIONS.get(name);
  if (condition === undefined) {
    throw new ConfigError(`--fail-below ${text} is not of the form [metric.]condition=percent`, { fix: FIX });
  }
  const percent = Number(number);
  if (percent > 100) throw new ConfigError(`--fail-below ${text} asks for more than 100%`, { fix: FIX });
  return { text, metric: metric as AttackMetric, condition, percent };
}

/**
 * Reads the rules of `--fail-below`: `rpl=30`, `original=60`, `execution.add=25`, `TRn=40`; exact match unless a metric
 * is named.
 * @throws ConfigError where one can't be read, or two are of the same accuracy
 */
export function parseFailBelow(texts: readonly string[]): readonly FailBelowRule[] {
  const rules = texts.map(parseRule);
  const keys = rules.map(({ metric, condition }) => `${metric}.${condition}`);
  const twice = rules.find((_, i) => keys.indexOf(keys[i]!) < i);
  if (twice !== undefined) {
    throw new ConfigError(`--fail-below ${twice.text} sets a second limit for the same accuracy`, {
      fix: 'Give one rule for each metric and condition.',
    });
  }
  return rules;
}

const METRIC_NAMES: Readonly<Record<AttackMetric, string>> = {
  exact: 'exact match',
  execution: 'execution accuracy',
  columns: 'all columns',
};

/** Returns the subject of a rule: "exact match under RPL", "execution accuracy on the original tables". */
export function nameRule({ metric, condition }: Pick<FailBelowRule, 'metric' | 'condition'>): string {
  const where = new Map([
    ['original', 'on the original tables'],
    ['all', 'on all mutants'],
    [COMPOSED, 'on composed mutants'],
  ]).get(condition);
  return `${METRIC_NAMES[metric]} ${where ?? `under ${condition}`}`;
}

/** As few decimals as tell the value from the limit: 29.996 is not written as 30.00. */
function telling(value: number, limit: number): string {
  const digits = [1, 2, 3, 4, 5, 6].find((count) => Number(value.toFixed(count)) !== limit) ?? 9;
  return value.toFixed(digits);
}

/** The failure of a run to keep a rule; one that it did not measure is a failure too: a check must not pass unseen. */
function failureOf(report: AttackReport, rule: FailBelowRule) {
  const score =
    report.scores.find(({ metric, condition }) => metric === rule.metric && condition === rule.condition) ??
    report.mutants?.scores.find(
      ({ metric, relation, level }) => metric === rule.metric && relation === rule.condition && level === null,
    );
  if (score === undefined) {
    return { rule, accuracy: null, message: `${nameRule(rule)} was not measured, ${rule.percent}% are asked for` };
  }
  const percent = exactPercent(score.accuracy);
  if (percent >= rule.percent) return null;
  const message = `${nameRule(rule)} is ${telling(percent, rule.percent)}%, below ${rule.percent}%`;
  return { rule, accuracy: score.accuracy, message };
}

/** The rules that a run does not keep, in their order; an accuracy equal to its limit passes. */
export function thresholdFailures(report: AttackReport, rules: readonly FailBelowRule[]) {
  return rules.flatMap((rule) => failureOf(report, rule) ?? []);
}
