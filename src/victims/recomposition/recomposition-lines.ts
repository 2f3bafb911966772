import { formatRange } from '../../report/figures.js';
import { alignColumns } from '../../report/text-table.js';
import type { JudgedQuestion, JudgedRecomposition } from './ask-recompositions.js';
import {
  type MeasuredRecomposition,
  type RecompositionFigures,
  type RecompositionReport,
} from './recomposition-report.js';
import { ANSWER_METRICS, type AnswerMetric } from '../answer-metrics.js';

/** A line of `recompositions.jsonl`: the verdicts on a composition; its answers are in `answers.jsonl`. */
export interface RecompositionLine {
  readonly id: string;
  readonly kind: string;
  readonly hardness: string | null;
  /** Question ids of the base and of the element's question. */
  readonly parents: readonly string[];
  /** Outcomes of base, element and composition. */
  readonly exact: readonly string[];
  readonly execution: readonly (string | null)[];
}

/** Says of one composition what was found. */
export function recompositionLine({ case: { composition }, child, parents }: JudgedRecomposition): RecompositionLine {
  const all: readonly JudgedQuestion[] = [...parents, child];
  return {
    id: composition.id,
    kind: composition.kind,
    hardness: composition.hardness,
    parents: parents.map(({ asked }) => asked.id),
    exact: all.map(({ score }) => score.exact.outcome),
    execution: all.map(({ score }) => score.execution?.outcome ?? null),
  };
}

const percent = (share: number): string => (100 * share).toFixed(1);

function renderDrop({ drop }: MeasuredRecomposition): string {
  return `${percent(drop.mean)} (${formatRange(drop, 'bases', percent)})`;
}

function renderBroken({ rate, broken, bothRight }: MeasuredRecomposition): string {
  if (rate === null) return '–';
  return `${broken} of ${bothRight}: ${percent(rate.mean)} (${formatRange(rate, 'bases', percent)})`;
}

const METRIC_NAMES = { exact: 'exact match', execution: 'execution' } as const;

function renderRow(name: string, metric: AnswerMetric, figures: RecompositionFigures): readonly string[] {
  const own = figures[metric];
  if (own === null) return [];
  const { cases, parents, children } = own;
  const accuracy = `${percent(parents)} → ${percent(children)}`;
  return [name, METRIC_NAMES[metric], String(cases), accuracy, renderDrop(own), renderBroken(own)];
}

const HEAD = ['', '', 'composed', 'parents → composed', 'drop', 'wrong where both parents are right'];

/** Accuracy on compositions against their parents, in percent, by rule and metric (Spider-SS Tables 5 and 7). */
export function renderRecompositionTable({ kinds, all }: RecompositionReport): readonly string[] {
  const named = [...Object.entries(kinds), ['all', all] as const];
  const rows = named.flatMap(([name, figures]) => ANSWER_METRICS.map((metric) => renderRow(name, metric, figures)));
  return [
    ...alignColumns([HEAD, ...rows.filter((row) => row.length > 0)]),
    'in parentheses: 95% intervals by bootstrap over bases, the compositions of one together',
  ];
}
