import { countNoun, endsOf } from '../report/figures.js';
import { LEAST_GROUPS } from '../report/statistics/bootstrap.js';
import { alignColumns } from '../report/text-table.js';
import { executionLines } from '../victims/executions/execution-figures.js';
import { renderPairedLines } from '../victims/mutants/paired-lines.js';
import { renderRecompositionTable } from '../victims/recomposition/recomposition-lines.js';
import type { ExpectedAnswer } from '../metamorphic/expected-answer.js';
import type { AnswerMetric } from '../victims/answer-metrics.js';
import type { ConsistencyRate, ConsistencyReport, ExpectedFigures } from './consistency-report.js';
import { expectedIn, FAILURE_WORDS, figuresExpecting, relationsExpecting } from './expected-figures.js';

const percent = (share: number | null): string => (share === null ? '–' : (100 * share).toFixed(1));

function renderRate({ rate, interval }: ExpectedFigures): string {
  const ends = endsOf(interval);
  return ends === null ? percent(rate) : `${percent(rate)} (${percent(ends.low)} to ${percent(ends.high)})`;
}

/** What the intervals of rates are, and why some rates have none. */
function aboutIntervals({ all, relations }: ConsistencyReport): readonly string[] {
  const intervals = [all, ...Object.values(relations)].flatMap(({ interval }) => interval ?? []);
  const few = intervals.filter((interval) => endsOf(interval) === null).length;
  return [
    ...(few < intervals.length
      ? ['in parentheses: 95% intervals by bootstrap over seeds, the mutants of one together']
      : []),
    ...(few > 0 ? [`a rate over fewer than ${LEAST_GROUPS} seeds has no interval`] : []),
  ];
}

function renderMetric({ judged, rate }: ConsistencyRate): string {
  return judged === 0 ? '–' : percent(rate);
}

function renderAccuracy({ accuracy }: ExpectedFigures, metric: AnswerMetric): string {
  const own = accuracy[metric];
  return own === null ? '–' : `${percent(own.seeds)} → ${percent(own.mutants)}`;
}

function renderRow(name: string, figures: ExpectedFigures): readonly string[] {
  const { cases, inconsistent, by } = figures;
  return [
    name,
    String(cases),
    String(inconsistent),
    renderRate(figures),
    renderMetric(by.exact),
    renderMetric(by.execution),
    renderAccuracy(figures, 'exact'),
    renderAccuracy(figures, 'execution'),
  ];
}

const HEAD_BEHIND = ['rate in %', 'exact', 'execution', 'right, exact', 'right, execution'];

/** Mutants that ask for one kind of answer, by relation and together. */
function renderExpected(report: ConsistencyReport, expected: ExpectedAnswer): readonly (readonly string[])[] {
  const together = figuresExpecting(report.all, expected);
  return [
    [TITLES[expected], 'mutants', FAILURE_WORDS[expected], ...HEAD_BEHIND],
    ...relationsExpecting(report, expected).map(([relation, figures]) => renderRow(relation, figures)),
    ...(together === null ? [] : [renderRow(expected, together)]),
  ];
}

/** What each part of the table is of. */
const TITLES: Readonly<Record<ExpectedAnswer, string>> = {
  kept: 'the answer must stay',
  'other-query': 'another answer is right',
  unanswerable: 'nothing answers',
};

/** The figures of a run by relation (MT-TEQL Table 7), in percent, with what to know of them. */
export function renderConsistencyTable(report: ConsistencyReport): readonly string[] {
  const { all, usage, warnings, clusters, mutants, compositions } = report;
  const failed = Object.entries(usage.failures).map(([kind, count]) => `${count} ${kind}`);
  const ofMutants = (): readonly string[] => [
    ...alignColumns([
      ...expectedIn(report).flatMap((expected) => renderExpected(report, expected)),
      ...(expectedIn(report).length > 1
        ? [['together', 'mutants', 'not as expected', ...HEAD_BEHIND], renderRow('all', all)]
        : []),
    ]),
    ...aboutIntervals(report),
    ...renderPairedLines(report.paired ?? []),
    `${countNoun(clusters.length, 'cluster')} of failures`,
  ];
  return [
    ...(mutants === null ? [] : ofMutants()),
    ...(compositions === undefined ? [] : renderRecompositionTable(compositions)),
    ...(failed.length === 0 ? [] : [`answers without SQL: ${failed.join(', ')}`]),
    ...executionLines(usage),
    ...warnings.map((warning) => `note: ${warning}`),
  ];
}
