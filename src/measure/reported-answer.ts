import { z } from 'zod';
import { type Outcome, OUTCOMES } from '../evaluate/metric.js';
import { type JudgedAnswer, outcomeOf } from './judged-answer.js';
import { VICTIM_FAILURES } from '../victims/victim.js';
import type { CaseQuery, CaseRows } from '../report/document/case.js';
import { caseVerdict } from '../report/document/case-verdict.js';
import { ANSWER_METRICS, ATTACK_METRIC_TITLES, type AttackMetric } from '../victims/answer-metrics.js';
import type { ResultDifference } from '../report/result-difference.js';

/** An answer in a report, and what the metrics say of it. */
export const reportedAnswer = z.object({
  /** SQL of the answer; null where there is none. */
  predicted: z.string().nullable(),
  failure: z.enum(VICTIM_FAILURES).nullable(),
  /** Against the gold. */
  exact: z.enum(OUTCOMES).nullable(),
  execution: z.enum(OUTCOMES).nullable(),
});

/** An answer with SQL as reports have it. */
export function reportAnswer(judged: JudgedAnswer): z.infer<typeof reportedAnswer> {
  const { sql, failure } = judged.answer;
  return {
    predicted: sql,
    failure: failure?.kind ?? null,
    exact: outcomeOf(judged, 'exact'),
    execution: outcomeOf(judged, 'execution'),
  };
}

/** An answer in a report: its SQL or why there is none, and its outcome by metric; null where it was not judged. */
type ShownAnswer = Readonly<Partial<Record<AttackMetric, string | null>>> & {
  readonly predicted: string | null;
  readonly failure: string | null;
};

/** A model's answer as a case shows it, with its verdicts; `against`: the query that it is compared with. */
export function answerQuery(
  label: string,
  answer: ShownAnswer,
  against: string | null,
  metrics: readonly AttackMetric[] = ANSWER_METRICS,
): CaseQuery {
  const { predicted, failure } = answer;
  return {
    label,
    sql: predicted,
    against,
    note: predicted === null ? `No SQL${failure === null ? '' : `: ${failure}`}.` : null,
    verdicts: metrics.flatMap((metric) => {
      const outcome = answer[metric] ?? null;
      return outcome === null ? [] : [caseVerdict(ATTACK_METRIC_TITLES[metric], outcome)];
    }),
  };
}

/** A gold query as a case shows it. */
export function goldQuery(label: string, sql: string, against: string | null = null): CaseQuery {
  return { label, sql, against, note: null, verdicts: [] };
}

/** What became of an answer under a change; `wrong` is wrong before and after. */
export type AnswerChange = 'broken' | 'survived' | 'fixed' | 'wrong';

/** What became of an answer by its outcomes before and after; null where one of them is not judged. */
export function changeOf(before: Outcome | null | undefined, after: Outcome | null | undefined): AnswerChange | null {
  if (before == null || after == null) return null;
  if (before === 'correct') return after === 'correct' ? 'survived' : 'broken';
  return after === 'correct' ? 'fixed' : 'wrong';
}

/** The rows of a wrong answer next to those of its gold query; `where`: "on the mutant". */
export function differenceRows(difference: ResultDifference | undefined, where: string): readonly CaseRows[] {
  if (difference === undefined) return [];
  const { gold, predicted } = difference;
  return [
    { label: `Rows of the gold query, ${where}`, ...gold },
    { label: `Rows of the answer, ${where}`, ...predicted },
  ];
}
