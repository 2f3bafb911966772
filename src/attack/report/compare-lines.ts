import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import { DRAWN } from './case-status.js';
import type { ComparedScore, RunComparison, RunSummary } from './compare-runs.js';
import { countNoun, formatPointRange, formatPoints, formatProbability, formatTenths } from '../../report/figures.js';

const NAME = 26;

function describeRun(label: string, { name, victim, dataset }: RunSummary): string {
  return `${label} ${name}: ${victim.id} on ${dataset.format}, ${countNoun(dataset.examples, 'example')}`;
}

function cells(...values: readonly string[]): string {
  return values.map((value) => value.padStart(10)).join('');
}

function describeScore(label: string, { first, second, difference, mcNemar }: ComparedScore): string {
  const accuracies = [first, second].map(formatTenths);
  const change = difference === null ? '–' : formatPoints(difference.mean);
  const range = difference === null ? '' : `(${formatPointRange(difference)})`;
  const { onlyFirst, onlySecond, p } = mcNemar;
  return `  ${label.padEnd(NAME)}${cells(...accuracies, change)}  ${range.padEnd(16)}${cells(String(onlyFirst), String(onlySecond), formatProbability(p))}`;
}

const HEAD = `  ${''.padEnd(NAME)}${cells('first', 'second', 'change')}  ${'(95% interval)'.padEnd(16)}${cells('only 1st', 'only 2nd', 'p')}`;

function describeDrop({ metric, condition, first, second, difference }: RunComparison['drops'][number]): string {
  const label = `${ATTACK_METRIC_TITLES[metric]}, ${condition}`;
  const change = difference === null ? '–' : formatPoints(difference.mean);
  const range = difference === null ? '' : `(${formatPointRange(difference)})`;
  return `  ${label.padEnd(NAME)}${cells(formatTenths(first), formatTenths(second), change)}  ${range}`;
}

/** A comparison for a terminal: the runs, what differs, accuracy per metric and condition, drops, hardness, warnings. */
export function renderComparisonLines(comparison: RunComparison): readonly string[] {
  const { first, second, differences, scores, drops, byHardness, warnings } = comparison;
  return [
    describeRun('first: ', first),
    describeRun('second:', second),
    ...differences.map(({ what, first, second }) => `  ${what}: ${first} | ${second}`),
    ...(scores.length === 0 ? [] : ['', 'accuracy in percent', HEAD]),
    ...scores.map((score) => describeScore(`${ATTACK_METRIC_TITLES[score.metric]}, ${score.condition}`, score)),
    ...(drops.length === 0 ? [] : ['', 'points lost to the perturbation']),
    ...drops.map(describeDrop),
    ...(byHardness.length === 0 ? [] : ['', 'by hardness', HEAD]),
    ...byHardness.map((score) => describeScore(`${score.metric} ${score.condition}, ${score.hardness ?? ''}`, score)),
    ...(scores.length === 0 ? [] : ['', `intervals by bootstrap over ${DRAWN}`]),
    ...(warnings.length === 0 ? [] : ['']),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
}
