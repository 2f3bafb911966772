import { alignColumns } from '../report/text-table.js';
import { executionLines } from '../victims/executions/execution-figures.js';
import { renderPairedLines } from '../victims/mutants/paired-lines.js';
import { renderRecompositionTable } from '../victims/recomposition/recomposition-lines.js';
import type { ConsistencyFigures, ConsistencyRate, ConsistencyReport } from './consistency-report.js';

const percent = (share: number | null): string => (share === null ? '–' : (100 * share).toFixed(1));

function renderRate({ rate, interval }: ConsistencyFigures): string {
  return interval === null ? percent(rate) : `${percent(rate)} (${percent(interval.low)} to ${percent(interval.high)})`;
}

function renderMetric({ judged, rate }: ConsistencyRate): string {
  return judged === 0 ? '–' : percent(rate);
}

function renderAccuracy({ accuracy }: ConsistencyFigures, metric: 'exact' | 'execution'): string {
  const own = accuracy[metric];
  return own === null ? '–' : `${percent(own.seeds)} → ${percent(own.mutants)}`;
}

function renderRow(name: string, figures: ConsistencyFigures): readonly string[] {
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

const HEAD = ['', 'mutants', 'changed', 'rate in %', 'exact', 'execution', 'right, exact', 'right, execution'];

/** The figures of a run by relation (MT-TEQL Table 7), in percent, with what to know of them. */
export function renderConsistencyTable(report: ConsistencyReport): readonly string[] {
  const { relations, all, usage, warnings, clusters, mutants, compositions } = report;
  const failed = Object.entries(usage.failures).map(([kind, count]) => `${count} ${kind}`);
  const ofMutants = (): readonly string[] => [
    ...alignColumns([
      HEAD,
      ...Object.entries(relations).map(([relation, figures]) => renderRow(relation, figures)),
      renderRow('all', all),
    ]),
    ...renderPairedLines(report.paired ?? []),
    `${clusters.length} clusters of failures`,
  ];
  return [
    ...(mutants === null ? [] : ofMutants()),
    ...(compositions === undefined ? [] : renderRecompositionTable(compositions)),
    ...(failed.length === 0 ? [] : [`answers without SQL: ${failed.join(', ')}`]),
    ...executionLines(usage),
    ...warnings.map((warning) => `note: ${warning}`),
  ];
}
