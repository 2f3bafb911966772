import { nameSpan, type ReportDocument } from '../../../report/document/document.js';
import { pairedChapters } from '../../mutants/paired-section.js';
import { composedChapters } from '../../compositions/recomposition-section.js';
import { EXPECTED_ANSWERS } from '../../../variants/relations/expected-answer.js';
import type { ConsistencyReport } from '../consistency-report.js';
import { consistencyCases } from './consistency-cases.js';
import { consistencyHeadline, consistencyLede, consistencyPlot } from './consistency-headline.js';
import { accuracyChapters, settingsChapter } from './detail-chapters.js';
import { capabilityChapters, failureChapters, featureChapters } from './failure-chapters.js';
import { relationChapter } from './relation-chapters.js';

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
