import { alignColumns } from '../../../src/report/text-table.js';
import { formatTenths } from '../../../src/report/figures.js';
import { groupBy } from '../../../src/run/group-by.js';
import type {
  CorrelatedModel,
  CorrelationReport,
  ErrorSpread,
  Level,
  SecondSuite,
  Spread,
} from '../correlation-report.js';
import {
  PUBLISHED_FALSE_NEGATIVES,
  PUBLISHED_FALSE_POSITIVES,
  type PublishedErrors,
  type PublishedTau,
  publishedTauOf,
} from '../published-figures.js';
import { JUDGED_METRICS, type SurfaceMetric } from '../verdict-files.js';
import { comparedMetrics, figureOf, formatTau, levelsOf } from './correlation-titles.js';

type Row = readonly string[];

function accuracyRows({ name, accuracy }: CorrelatedModel, levels: readonly Level[]): readonly Row[] {
  return JUDGED_METRICS.flatMap((metric) => {
    const own = accuracy[metric];
    return own === undefined ? [] : [[name, metric, ...levels.map((level) => formatTenths(own[level]!))]];
  });
}

function spreadCell({ mean, std, max }: Spread): string {
  const deviation = std === null ? '' : ` ± ${formatTenths(std)}`;
  return `${formatTenths(mean)}${deviation}, ${formatTenths(max)}`;
}

/** What a row of the second suite is called. */
const SECOND = '  second suite';

/** A row of the paper's error rates; none where it has no such figures. */
function publishedSpreadRows(published: PublishedErrors | undefined, levels: readonly Level[]): readonly Row[] {
  if (published === undefined) return [];
  return [['', '', '  paper', ...levels.map((level) => (level === 'unknown' ? '–' : spreadCell(published[level])))]];
}

function errorRows(report: CorrelationReport, metric: SurfaceMetric, levels: readonly Level[]): readonly Row[] {
  const { secondSuite } = report;
  const rowsOf = (
    name: string,
    of: (spread: ErrorSpread) => Spread,
    published: PublishedErrors | undefined,
  ): readonly Row[] => {
    const cells = ({ errors }: Pick<CorrelationReport, 'errors'>): Row =>
      levels.map((level) => spreadCell(of(figureOf(errors, metric, level))));
    return [
      ['', metric, name, ...cells(report)],
      ...(secondSuite === undefined ? [] : [['', '', SECOND, ...cells(secondSuite)]]),
      ...publishedSpreadRows(published, levels),
    ];
  };
  return [
    ...rowsOf('false positives', ({ falsePositives }) => falsePositives, PUBLISHED_FALSE_POSITIVES[metric]),
    ...rowsOf('false negatives', ({ falseNegatives }) => falseNegatives, PUBLISHED_FALSE_NEGATIVES[metric]),
  ];
}

function publishedRow({ name, tau }: PublishedTau, levels: readonly Level[]): Row {
  return ['', `  paper, ${name}`, ...levels.map((level) => (level === 'unknown' ? '–' : formatTau(tau[level])))];
}

function tauRows(report: CorrelationReport, metric: SurfaceMetric, levels: readonly Level[]): readonly Row[] {
  const rowOf = (name: string, { correlations }: Pick<CorrelationReport, 'correlations'>): Row => [
    '',
    name,
    ...levels.map((level) => formatTau(correlations[metric]?.[level]?.tau)),
  ];
  return [
    rowOf(metric, report),
    ...(report.secondSuite === undefined ? [] : [rowOf(SECOND, report.secondSuite)]),
    ...publishedTauOf(metric, comparedMetrics(report)).map((published) => publishedRow(published, levels)),
  ];
}

/** Accuracy on the second suite, and on how many pairs the two disagree. */
function secondSuiteLines({ models, changes }: SecondSuite, levels: readonly Level[]): readonly string[] {
  const rows = models.map(({ name, accuracy }, i): Row => {
    const { onlyHere = [], onlyThere = [] } = changes[i] ?? {};
    const cells = levels.map((level) => formatTenths(accuracy.suite?.[level] ?? 0));
    return [name, ...cells, String(onlyHere.length), String(onlyThere.length)];
  });
  const heads = ['accuracy on the second suite', ...levels, 'correct only on the first', 'only on the second'];
  return ['', ...alignColumns([heads, ...rows])];
}

/** Why correlations are missing, each reason once with what it is said of: a metric, or some levels of it. */
function missingLines(report: CorrelationReport, levels: readonly Level[]): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const metric of comparedMetrics(report)) {
    const own = report.correlations[metric]!;
    for (const [why, without] of groupBy(levels, (level) => own[level]!.why)) {
      if (why === null) continue;
      const where = without.length === levels.length ? metric : `${metric} (${without.join(', ')})`;
      reasons.set(why, [...(reasons.get(why) ?? []), where]);
    }
  }
  return [...reasons].map(([why, of]) => `no τ of ${of.join(', ')}: ${why}`);
}

/** A report for a terminal, in percent: accuracies, error rates (the paper's Tables 1 and 2) and τ (its Table 3). */
export function renderCorrelationLines(report: CorrelationReport): readonly string[] {
  const { models, pairs, secondSuite, warnings } = report;
  const levels = levelsOf(report);
  const metrics = comparedMetrics(report);
  return [
    `${models.length} models, ${levels.map((level) => `${level} ${pairs[level]!}`).join(', ')} pairs`,
    '',
    ...alignColumns([['accuracy', '', ...levels], ...models.flatMap((model) => accuracyRows(model, levels))]),
    ...(secondSuite === undefined ? [] : secondSuiteLines(secondSuite, levels)),
    '',
    'errors against the suite, percent of all pairs: mean ± std, max over models',
    ...alignColumns([['', '', '', ...levels], ...metrics.flatMap((metric) => errorRows(report, metric, levels))]),
    '',
    'Kendall τ with the suite, percent',
    ...alignColumns([['', '', ...levels], ...metrics.flatMap((metric) => tauRows(report, metric, levels))]),
    ...missingLines(report, levels),
    'The paper’s figures are of 21 submissions on Spider’s development set.',
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
}
