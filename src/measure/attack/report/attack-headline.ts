import type { PlotSection } from '../../../report/document/document.js';
import { shareLane, sharesPlot } from '../../../report/document/sections.js';
import { formatCount } from '../../../counts.js';
import { formatPercent, formatTenths } from '../../../report/figures.js';
import { describeRecomposition } from '../../compositions/recomposition-section.js';
import {
  answersWithColumns,
  type AttackReport,
  type AttackScore,
  CONDITION_WORDS,
  measuredMetrics,
} from '../attack-report.js';
import { ATTACK_METRIC_TITLES, type AttackMetric } from '../../../victims/scoring.js';
import { describeMutantDrop } from '../../mutants/mutant-section.js';
import { changeOf } from '../../judged-answer.js';
import { describeNothingRight } from '../../nothing-right.js';

/** "17", "3.3": points without their sign, whole ones without a decimal. */
function pointsOf(drop: number): string {
  return String(Number(formatTenths(Math.abs(drop))));
}

const DEEDS = { RPL: 'Renaming columns', ADD: 'Adding misleading columns' } as const;
type Kind = keyof typeof DEEDS;

/** The accuracy on the original tables by a metric. */
function originalOf({ scores }: AttackReport, metric: AttackMetric): AttackScore | undefined {
  return scores.find((score) => score.metric === metric && score.condition === 'original');
}

/** The first metric by which something is right on the original tables, and so can be lost; else the first of all. */
function toldMetric(report: AttackReport): AttackMetric | undefined {
  const metrics = measuredMetrics(report.scores);
  return metrics.find((metric) => (originalOf(report, metric)?.accuracy ?? 0) > 0) ?? metrics[0];
}

/** The headline where nothing is right on the original tables; null where something is. */
function describeNothing(report: AttackReport): string | null {
  const metric = toldMetric(report);
  const original = metric && originalOf(report, metric);
  const linked = report.linking?.some(({ condition, f1 }) => condition === 'original' && f1 > 0) === true;
  if (original === undefined || original.accuracy > 0 || (answersWithColumns(report) && linked)) return null;
  return describeNothingRight(report.cases.length, original.outcomes);
}

/** Returns the loss from each perturbation by the told metric, or in column F1; the most costly first. */
function lossesOf(report: AttackReport) {
  const { scores, linking = [] } = report;
  const metric = toldMetric(report);
  const rows = answersWithColumns(report) ? linking : scores.filter((score) => score.metric === metric);
  const of = answersWithColumns(report) || metric === undefined ? 'column F1' : lower(ATTACK_METRIC_TITLES[metric]);
  return rows
    .flatMap(({ condition, drop }) =>
      condition === 'original' || drop === null ? [] : [{ kind: condition, absolute: drop.absolute, of }],
    )
    .sort((a, b) => b.absolute - a.absolute);
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Questions that are right on the original tables and wrong on some that were perturbed in this way. */
function turnedWrong({ cases }: AttackReport, kind: Kind, metric: AttackMetric): number {
  return cases.filter((one) =>
    one.perturbed.some(
      (variant) => variant.kind === kind && changeOf(one.original[metric], variant[metric]) === 'broken',
    ),
  ).length;
}

/**
 * The result in a sentence: "Renaming columns costs the model 17 points of exact match; 13 of 30 questions turned
 * wrong".
 */
export function attackHeadline(report: AttackReport): string {
  const { scores, victim, compositions, mutants, cases } = report;
  const nothing = describeNothing(report);
  if (nothing !== null) return nothing;
  const metric = toldMetric(report);
  const [worst] = lossesOf(report);
  if (worst !== undefined && metric !== undefined) {
    const turned = turnedWrong(report, worst.kind, metric);
    const wrong = `${formatCount(turned)} of ${formatCount(cases.length)} questions turned wrong`;
    if (Number(pointsOf(worst.absolute)) === 0 || worst.absolute < 0)
      return `Perturbing tables costs the model no ${worst.of}; ${wrong}`;
    return `${DEEDS[worst.kind]} costs the model ${pointsOf(worst.absolute)} points of ${worst.of}; ${wrong}`;
  }
  const mutated = mutants === undefined ? null : describeMutantDrop(mutants);
  const composed = compositions === undefined ? null : describeRecomposition(compositions);
  const original = scores.find((score) => score.metric === metric && score.condition === 'original');
  const alone = original && `${ATTACK_METRIC_TITLES[original.metric]} of ${formatPercent(original.accuracy)}`;
  return mutated ?? composed ?? alone ?? `${victim.id} under attack`;
}

/** Describes the cost of the other perturbation as a further sentence; empty if there is none. */
export function describeOtherLoss(report: AttackReport): string {
  if (describeNothing(report) !== null) return '';
  const [, other] = lossesOf(report);
  if (other === undefined) return '';
  const [points, isGain] = [pointsOf(other.absolute), other.absolute < 0];
  if (Number(points) === 0) return `${DEEDS[other.kind]} costs nothing. `;
  return `${DEEDS[other.kind]} ${isGain ? 'gains' : 'costs'} ${points} points. `;
}

/** Accuracy by condition with its interval, a plot for each metric: the first is that of the headline. */
export function accuracyPlots({ scores }: AttackReport): readonly PlotSection[] {
  const laneOf = ({ condition, accuracy, interval, bySeed }: AttackScore) => {
    const tone = condition === 'original' ? 'original' : condition === 'RPL' ? 'rpl' : 'add';
    const lane = shareLane(CONDITION_WORDS[condition], accuracy, interval, tone);
    return { ...lane, points: bySeed.length > 1 ? bySeed : [] };
  };
  return measuredMetrics(scores).map((metric) => {
    const lanes = scores.filter((score) => score.metric === metric).map(laneOf);
    const title = ATTACK_METRIC_TITLES[metric];
    return sharesPlot(`${title} with intervals`, title, lanes, 'right, with 95% intervals');
  });
}
