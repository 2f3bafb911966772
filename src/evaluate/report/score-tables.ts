import type { Cell, Row, Section, TableSection } from '../../report/document/document.js';
import { headed, tableOf } from '../../report/document/sections.js';
import { formatCount, formatNoun } from '../../counts.js';
import { endsOf, formatPercent, formatRange } from '../../report/figures.js';
import type { EvaluationReport } from '../evaluation-report.js';
import { COMPONENT_NAMES, EXACT_COMPONENTS } from '../exact/components.js';
import { HARDNESS_LEVELS } from '../exact/hardness.js';
import type { ExactScores } from '../kinds/exact-kind.js';
import type { LinkingSummary } from '../linking/schema-linking.js';
import type { LevelScores } from '../metric-kind.js';
import { METRICS, PAIR_METRICS, type PairMetric } from '../metrics.js';
import { type ErrorRate, type ErrorRates, RIVAL_METRICS, type RivalMetric } from '../summary/accuracy.js';
import { type Outcome, OUTCOMES } from '../metric.js';

const GLOSSES: Readonly<Record<Outcome, string>> = {
  correct: 'right',
  wrong: 'other rows than the gold query; by exact match, another form',
  unparsable: 'no SQL that the metric can read',
  failing: 'refused by the database: a name that it lacks, or another error',
  'timed-out': 'stopped at its time limit',
  'too-large': 'more rows than the limit',
  empty: 'no SQL at all',
  refused: 'no single statement that reads',
  'bad-gold': 'the gold query itself has no answer',
};

/** How many answers came to each outcome; null where nothing was judged. */
interface OutcomeColumn {
  readonly heading: string;
  readonly outcomes: Readonly<Record<Outcome, number>> | null;
}

function cellOf(outcome: Outcome, { outcomes }: OutcomeColumn): Cell {
  const total = outcomes === null ? 0 : OUTCOMES.reduce((sum, name) => sum + outcomes[name], 0);
  const count = outcomes?.[outcome] ?? 0;
  return count === 0 ? { text: 0, tone: 'soft' } : { text: formatPercent(count / total), sub: formatCount(count) };
}

/** Returns a table of outcomes, as shares of each column; outcomes that no column has are left out. */
export function outcomeTable(caption: string, columns: readonly OutcomeColumn[]): TableSection {
  const shown = OUTCOMES.filter(
    (outcome) => outcome === 'correct' || columns.some(({ outcomes }) => (outcomes?.[outcome] ?? 0) > 0),
  );
  const rows = shown.map((outcome) => ({
    cells: [{ text: outcome, sub: GLOSSES[outcome] }, ...columns.map((column) => cellOf(outcome, column))],
  }));
  return tableOf(caption, headed('Outcome', ...columns.map(({ heading }) => heading)), rows);
}

/** The metrics that a report has, in the order in which they are shown. */
export function reportMetrics(report: EvaluationReport): readonly PairMetric[] {
  return PAIR_METRICS.filter((metric) => report[metric] !== undefined);
}

function scoreCell(scores: LevelScores | undefined): Cell {
  if (scores?.accuracy == null) return null;
  const { accuracy, interval } = scores;
  const text = formatPercent(accuracy);
  return interval === null || endsOf(interval) === null
    ? text
    : { text, sub: formatRange(interval, 'pairs', formatPercent) };
}

/** Checks whether the hardness of some gold query can't be told. */
export function hasUnknownHardness(report: EvaluationReport): boolean {
  return reportMetrics(report).some((metric) => report[metric]?.hardness.unknown !== undefined);
}

/** Accuracy of each metric with its interval, of all pairs and by hardness. */
export function scoreTable(report: EvaluationReport): TableSection {
  const metrics = reportMetrics(report);
  const levels = [...HARDNESS_LEVELS, ...(hasUnknownHardness(report) ? (['unknown'] as const) : [])];
  const row = (label: string, scoresOf: (metric: PairMetric) => LevelScores | undefined): Row => {
    const pairs = metrics[0] === undefined ? 0 : (scoresOf(metrics[0])?.pairs ?? 0);
    return {
      cells: [{ text: label, sub: formatNoun(pairs, 'pair') }, ...metrics.map((metric) => scoreCell(scoresOf(metric)))],
    };
  };
  return tableOf(
    'Percent of pairs that are correct, with 95% intervals, by the hardness of the gold query',
    headed('Hardness', ...metrics.map((metric) => METRICS[metric].title)),
    [
      row('all', (metric) => report[metric]),
      ...levels.map((level) => row(level, (metric) => report[metric]?.hardness[level])),
    ],
  );
}

function rateCells(rates: ErrorRate | undefined): readonly Cell[] {
  if (rates === undefined) return [null, null];
  const { falsePositiveRate, falsePositives, falseNegativeRate, falseNegatives } = rates;
  return [[falsePositiveRate, falsePositives] as const, [falseNegativeRate, falseNegatives] as const].map(
    ([rate, count]) => (rate === null ? null : { text: formatPercent(rate), sub: formatCount(count) }),
  );
}

/** How often exact match and execution say otherwise than the suite; null where neither ran next to it. */
export function errorTable({ suite }: EvaluationReport): TableSection | null {
  const shown = RIVAL_METRICS.flatMap((metric): (readonly [RivalMetric, ErrorRates])[] => {
    const rates = suite?.errors[metric];
    return rates === undefined ? [] : [[metric, rates]];
  });
  const [first] = shown;
  if (first === undefined) return null;
  const levels = [...HARDNESS_LEVELS, ...(first[1].hardness.unknown === undefined ? [] : (['unknown'] as const))];
  const rowsOf = ([metric, { all, hardness }]: readonly [RivalMetric, ErrorRates]): readonly Row[] => [
    { cells: [METRICS[metric].title], as: 'heading' },
    { cells: ['all', ...rateCells(all)] },
    ...levels.map((level) => ({ cells: [level, ...rateCells(hardness[level])] })),
  ];
  return tableOf(
    'Percent of all pairs that a metric counts as correct though the suite finds them wrong, and the reverse',
    headed('Hardness', 'Passes wrongly', 'Fails wrongly'),
    shown.flatMap(rowsOf),
  );
}

/** Exact match per component, of all pairs, in percent. */
export function componentTable({ components }: ExactScores): TableSection {
  const rows = EXACT_COMPONENTS.map((component) => {
    const { whole, parts } = components[component];
    const scores = [whole.precision, whole.recall, whole.f1, parts.f1];
    return {
      cells: [COMPONENT_NAMES[component], ...scores.map((score) => (score === null ? null : formatPercent(score)))],
    };
  });
  return tableOf(
    'Exact match by component, in percent; on the right the F1 of the columns, conditions and keywords in it',
    headed('Component', 'Precision', 'Recall', 'F1', 'F1 of parts'),
    rows,
  );
}

/** Precision, recall and F1 of the links between questions and schemas. */
export function linkTable({ columns, tables }: LinkingSummary): Section {
  const row = (label: string, { precision, recall, f1 }: LinkingSummary['columns']): Row => ({
    cells: [label, ...[precision, recall, f1].map((score) => (score === null ? null : formatPercent(score)))],
  });
  const rows = [row('columns', columns), row('tables', tables)];
  return tableOf('Schema links, in percent', headed('Links to', 'Precision', 'Recall', 'F1'), rows);
}
