import { METRIC_TITLES } from '../../../evaluate/metric.js';
import {
  type Chapter,
  type FactsSection,
  hashSpan,
  nameSpan,
  type Row,
  type TableSection,
} from '../../../report/document/document.js';
import { headed, tableOf } from '../../../report/document/sections.js';
import { formatCount } from '../../../counts.js';
import { formatPoints, formatPercent } from '../../../report/figures.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../../victims/answer-metrics.js';
import { executionFacts } from '../../../victims/executions/execution-figures.js';
import type { ConsistencyReport, ReportedAccuracy } from '../consistency-report.js';

function accuracyRow(name: Row['cells'][number], { seeds, mutants, broken, mended }: ReportedAccuracy): Row {
  const after = { text: formatPercent(mutants), sub: formatPoints(mutants - seeds), sort: mutants };
  return { cells: [name, formatPercent(seeds), after, broken, mended] };
}

const ACCURACY_COLUMNS = headed(
  'Relation',
  ['Original', 'percent right on the questions that mutants were made of'],
  ['Mutants', 'percent right on the mutants'],
  ['Newly wrong', 'right on the original, wrong on the mutant'],
  ['Newly right', 'wrong on the original, right on the mutant'],
);

function accuracyTable(metric: AnswerMetric, { all, relations }: ConsistencyReport): readonly TableSection[] {
  const whole = all.accuracy[metric];
  if (whole === null) return [];
  const rows = Object.entries(relations).flatMap(([relation, { accuracy }]) =>
    accuracy[metric] === null ? [] : [accuracyRow([nameSpan(relation)], accuracy[metric])],
  );
  const total = { ...accuracyRow('All', whole), as: 'total' as const };
  return [tableOf(METRIC_TITLES[metric], ACCURACY_COLUMNS, [...rows, total])];
}

/**
 * Accuracy against the gold queries, on mutants and on their originals: apart from consistency, as both can be wrong
 * alike.
 */
export function accuracyChapters(report: ConsistencyReport): readonly Chapter[] {
  const sections = ANSWER_METRICS.flatMap((metric) => accuracyTable(metric, report));
  if (sections.length === 0) return [];
  return [
    {
      id: 'accuracy',
      heading: 'Accuracy on the originals and on the mutants',
      link: 'Accuracy',
      note: 'Right answers by the gold queries. An original counts once for each of its mutants, so its share differs from relation to relation. Where nothing answers a mutant, a refusal is right.',
      layout: 'folded',
      sections,
    },
  ];
}

function settingsFacts(report: ConsistencyReport): FactsSection {
  const { settings, victim, dataset, mutants, compositions, usage } = report;
  const { values, metrics, fold, seed, shrinkQuestions } = settings;
  const failed = Object.entries(usage.failures).map(([kind, count]) => `${kind} ${formatCount(count)}`);
  return {
    kind: 'facts',
    facts: [
      ['Victim', [nameSpan(victim.id)]],
      ['Victim’s fingerprint', [hashSpan(victim.fingerprint)]],
      ['Data set’s fingerprint', [hashSpan(dataset.fingerprint)]],
      ...(mutants === null ? [] : [['Mutants', [hashSpan(mutants.fingerprint)]] as const]),
      ...(compositions === undefined ? [] : [['Compositions', [hashSpan(compositions.fingerprint)]] as const]),
      ['Fold', fold === null ? 'all examples' : `${fold.index} of ${fold.of}, seed ${fold.seed}`],
      ['Values in exact match', values],
      ...Object.entries(metrics).map(
        ([metric, mode]) => [`Mode of ${metric}`, [{ text: mode, as: 'code' as const }]] as const,
      ),
      ['Seed of the intervals', String(seed)],
      ['Questions', formatCount(usage.questions)],
      ['Of them to shrink failures', `${formatCount(usage.shrinking)}, at most ${formatCount(shrinkQuestions)}`],
      ...(usage.calls === 0 ? [] : [['Calls', formatCount(usage.calls)] as const]),
      ...executionFacts(usage),
      ['Answers without SQL', failed.length === 0 ? 'none' : failed.join(', ')],
    ],
  };
}

/** Settings of the run, and its cost. */
export function settingsChapter(report: ConsistencyReport): Chapter {
  return { id: 'settings', heading: 'Settings', layout: 'folded', sections: [settingsFacts(report)] };
}
