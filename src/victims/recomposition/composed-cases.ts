import { METRIC_TITLES } from '../../evaluate/metric.js';
import type { CaseQuery, CaseStatus, ReportCase } from '../../report/document/case.js';
import { ANSWER_METRICS } from '../answer-metrics.js';
import type { RecompositionReport, RecompositionSide } from './recomposition-report.js';

/** Of a composition whose parts are both answered right. */
export const COMPOSED_STATUS: CaseStatus = { id: 'composed', label: 'Right in parts, wrong composed', tone: 'bad' };

function answerOf(label: string, side: RecompositionSide, against: string | null): CaseQuery {
  const { predicted, failure } = side;
  const verdicts = ANSWER_METRICS.flatMap((metric) => {
    const outcome = side[metric];
    if (outcome === null) return [];
    return [
      outcome === 'correct'
        ? { label: `✓ ${METRIC_TITLES[metric]}`, tone: 'good' as const }
        : { label: `✗ ${METRIC_TITLES[metric]}: ${outcome}`, tone: 'bad' as const },
    ];
  });
  const none = `No SQL${failure === null ? '' : `: ${failure}`}.`;
  return { label, sql: predicted, against, note: predicted === null ? none : null, verdicts };
}

/** Compositions that are wrong though both parents are right, as cases: the right answers to the parts first. */
export function composedCases(report: RecompositionReport | undefined): readonly ReportCase[] {
  return (report?.failures ?? []).map(({ kind, dbId, hardness, child, parents: [base, element] }): ReportCase => ({
    id: child.id,
    question: child.question,
    gloss: `composed of “${base.question}” and “${element.question}”`,
    status: COMPOSED_STATUS.id,
    facets: { condition: `CG-${kind}`, database: dbId, ...(hardness !== null && { hardness }) },
    reason: 'The model answers both parts right, and the question composed of them wrong.',
    sides: [
      {
        label: 'composed',
        question: null,
        tables: [],
        marks: [],
        queries: [
          answerOf(`First part: “${base.question}”`, base, null),
          answerOf(`Second part: “${element.question}”`, element, null),
          { label: 'Composed, gold SQL', sql: child.gold, against: null, note: null, verdicts: [] },
          answerOf('Composed, answer', child, child.gold),
        ],
        results: [],
      },
    ],
    notes: [],
  }));
}
