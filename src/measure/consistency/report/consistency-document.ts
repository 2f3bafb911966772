import { nameSpan, type ReportDocument } from '../../../report/document/document.js';
import { pairedChapters } from '../../mutants/mutant-section.js';
import { composedChapters, COMPOSED_INTERVALS } from '../../compositions/recomposition-section.js';
import { EXPECTED_ANSWERS } from '../../../variants/relations/expected-answer.js';
import type { ConsistencyReport } from '../consistency-report.js';
import { consistencyCases } from './consistency-cases.js';
import { consistencyHeadline, consistencyLede, consistencyPlot } from './consistency-headline.js';
import { accuracyChapters, settingsChapter } from './detail-chapters.js';
import { capabilityChapters, failureChapters, featureChapters } from './failure-chapters.js';
import { relationChapter } from './relation-chapters.js';
import { documentLines } from '../../../report/document/document-lines.js';
import { countNoun, formatCount } from '../../../counts.js';
import { executionLines } from '../../../victims/executions/execution-figures.js';

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
      ...(cases.cases.length === 0 ? [] : [{ id: 'cases', heading: 'Cases', note, sections: [cases] }]),
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
      settingsChapter(report),
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
