import type { CaseStatus, ReportCase } from '../../report/document/case.js';
import { answerQuery } from '../answer-query.js';
import { differenceRows } from '../difference-case.js';
import type { RecompositionReport } from './recomposition-report.js';

/** Of a composition whose parts are both answered right. */
export const COMPOSED_STATUS: CaseStatus = { id: 'composed', label: 'Right in parts, wrong composed', tone: 'bad' };

/** Compositions that are wrong though both parents are right, as cases: the right answers to the parts first. */
export function composedCases(report: RecompositionReport | undefined): readonly ReportCase[] {
  return (report?.failures ?? []).map(
    ({ kind, dbId, hardness, child, parents: [base, element], rows }): ReportCase => ({
      id: child.id,
      question: child.question,
      gloss: `composed of “${base.question}” and “${element.question}”`,
      status: COMPOSED_STATUS.id,
      facets: { condition: `CG-${kind}`, database: dbId, ...(hardness !== null && { hardness }) },
      given: differenceRows(rows, 'on its database'),
      reason: 'The model answers both parts right, and the question composed of them wrong.',
      sides: [
        {
          label: 'composed',
          question: null,
          tables: [],
          marks: [],
          queries: [
            answerQuery(`First part: “${base.question}”`, base, null),
            answerQuery(`Second part: “${element.question}”`, element, null),
            { label: 'Composed, gold SQL', sql: child.gold, against: null, note: null, verdicts: [] },
            answerQuery('Composed, answer', child, child.gold),
          ],
          results: [],
        },
      ],
      notes: [],
    }),
  );
}
