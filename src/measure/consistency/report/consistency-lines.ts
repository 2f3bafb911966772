import { documentLines } from '../../../report/document/document-lines.js';
import { countNoun, formatCount } from '../../../counts.js';
import { COMPOSED_INTERVALS } from '../../compositions/recomposition-section.js';
import { executionLines } from '../../../victims/executions/execution-figures.js';
import type { ConsistencyReport } from '../consistency-report.js';
import { consistencyDocument } from './consistency-document.js';

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
