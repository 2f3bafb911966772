import { METRIC_TITLES } from '../../../evaluate/metric.js';
import {
  type Chapter,
  type FactsSection,
  hashSpan,
  nameSpan,
  type Row,
  type TableSection,
  type ReportDocument,
} from '../../../report/document/document.js';
import { type Fact, factsOf, chapterOf, headed, tableOf } from '../../../report/document/sections.js';
import { formatCount, countNoun } from '../../../counts.js';
import { formatPoints, formatPercent } from '../../../report/figures.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../../victims/scoring.js';
import { executionFacts, executionLines } from '../../../victims/executions/execution-figures.js';
import type { ConsistencyReport, ReportedAccuracy } from '../consistency-report.js';
import { pairedChapters } from '../../mutants/mutant-section.js';
import { composedChapters, COMPOSED_INTERVALS } from '../../compositions/recomposition-section.js';
import { EXPECTED_ANSWERS } from '../../../variants/relations/relation.js';
import { consistencyCases } from './consistency-cases.js';
import { consistencyHeadline, consistencyLede, consistencyPlot } from './consistency-headline.js';
import { capabilityChapters, failureChapters, featureChapters } from './failure-chapters.js';
import { relationChapter } from './relation-chapters.js';
import { documentLines } from '../../../report/document/document-lines.js';

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
function accuracyChapters(report: ConsistencyReport): readonly Chapter[] {
  const sections = ANSWER_METRICS.flatMap((metric) => accuracyTable(metric, report));
  if (sections.length === 0) return [];
  return [
    chapterOf('accuracy', 'Accuracy on the originals and on the mutants', sections, {
      link: 'Accuracy',
      note: 'Right answers by the gold queries. An original counts once for each of its mutants, so its share differs from relation to relation. Where nothing answers a mutant, a refusal is right.',
      layout: 'folded',
    }),
  ];
}

/** Settings of the run, and its cost. */
function settingsFacts(report: ConsistencyReport): FactsSection {
  const { settings, victim, dataset, mutants, compositions, usage } = report;
  const { values, metrics, fold, seed, shrinkQuestions } = settings;
  const failed = Object.entries(usage.failures).map(([kind, count]) => `${kind} ${formatCount(count)}`);
  return factsOf([
    ['Victim', [nameSpan(victim.id)]],
    ['Victim’s fingerprint', [hashSpan(victim.fingerprint)]],
    ['Data set’s fingerprint', [hashSpan(dataset.fingerprint)]],
    mutants && ['Mutants', [hashSpan(mutants.fingerprint)]],
    compositions && ['Compositions', [hashSpan(compositions.fingerprint)]],
    ['Fold', fold === null ? 'all examples' : `${fold.index} of ${fold.of}, seed ${fold.seed}`],
    ['Values in exact match', values],
    ...Object.entries(metrics).map(([metric, mode]): Fact => [`Mode of ${metric}`, [{ text: mode, as: 'code' }]]),
    ['Seed of the intervals', String(seed)],
    ['Questions', formatCount(usage.questions)],
    ['Of them to shrink failures', `${formatCount(usage.shrinking)}, at most ${formatCount(shrinkQuestions)}`],
    usage.calls > 0 && ['Calls', formatCount(usage.calls)],
    ...executionFacts(usage),
    ['Answers without SQL', failed.length === 0 ? 'none' : failed.join(', ')],
  ]);
}

/** A consistency run as a document. */
export function consistencyDocument(report: ConsistencyReport): ReportDocument {
  const { victim, dataset, compositions, mutants, paired = [] } = report;
  const name = dataset.examplesName ?? dataset.format;
  const cases = consistencyCases(report);
  const note =
    'A question and a mutant of it whose answer is not as it must be: of each kind of failure the smallest ones; cases.jsonl has the verdict on every mutant. What differs between the two sides is marked.';
  return {
    title: `${victim.id} on ${name}: consistency`,
    command: 'consistency',
    subject: ['victim ', nameSpan(victim.id), ' · examples ', nameSpan(name)],
    headline: consistencyHeadline(report),
    lede: consistencyLede(report),
    plot: consistencyPlot(report),
    warnings: report.warnings,
    chapters: [
      ...(cases.cases.length === 0 ? [] : [chapterOf('cases', 'Cases', [cases], { note })]),
      ...(mutants === null ? [] : EXPECTED_ANSWERS.flatMap((expected) => relationChapter(report, expected))),
      ...composedChapters(compositions),
      ...(mutants === null
        ? []
        : [
            ...failureChapters(report),
            ...featureChapters(report),
            ...capabilityChapters(report),
            ...accuracyChapters(report),
            ...pairedChapters(paired),
          ]),
      chapterOf('settings', 'Settings', [settingsFacts(report)], { layout: 'folded' }),
    ],
    version: report.perturbql,
  };
}

/** The part of the document that a terminal shows. */
const SHOWN = ['relations', 'unanswerable', 'other-query', 'composed'];

/** A consistency run for a terminal: the answer, the relations by harm, and what to know of them. */
export function consistencyLines(report: ConsistencyReport): readonly string[] {
  const { usage, clusters, mutants } = report;
  const failed = Object.entries(usage.failures).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  return [
    ...documentLines(consistencyDocument(report), SHOWN),
    ...(report.compositions === undefined ? [] : [`composed questions: ${COMPOSED_INTERVALS}`]),
    '',
    ...(mutants === null
      ? []
      : [`${countNoun(clusters.length, 'kind of failure', 'kinds of failures')}: see report.html`]),
    ...(failed.length === 0 ? [] : [`answers without SQL: ${failed.join(', ')}`]),
    ...executionLines(usage),
  ];
}
