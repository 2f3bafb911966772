import { METRIC_TITLES } from '../evaluate/metric.js';
import type { CaseQuery } from '../report/document/case.js';
import { caseVerdict } from '../report/document/case-verdict.js';
import { ANSWER_METRICS, type AnswerMetric } from '../victims/answer-metrics.js';

/** An answer in a report: its SQL or why there is none, and its outcome by metric; null where it was not judged. */
interface ReportedAnswer extends Readonly<Record<AnswerMetric, string | null>> {
  readonly predicted: string | null;
  readonly failure: string | null;
}

/** A model's answer as a case shows it, with its verdicts; `against`: the query that it is compared with. */
export function answerQuery(label: string, answer: ReportedAnswer, against: string | null): CaseQuery {
  const { predicted, failure } = answer;
  return {
    label,
    sql: predicted,
    against,
    note: predicted === null ? `No SQL${failure === null ? '' : `: ${failure}`}.` : null,
    verdicts: ANSWER_METRICS.flatMap((metric) => {
      const outcome = answer[metric];
      return outcome === null ? [] : [caseVerdict(METRIC_TITLES[metric], outcome)];
    }),
  };
}
