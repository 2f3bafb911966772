import { z } from 'zod';
import type { ExactVerdict } from '../evaluate/exact/exact-match.js';
import type { ExecutionVerdict } from '../evaluate/execution/execution-match.js';
import { type Outcome, OUTCOMES } from '../evaluate/metric.js';
import type { ColumnsVerdict } from '../victims/answer-scorer.js';
import { isSettled, VICTIM_FAILURES, type VictimAnswer } from '../victims/victim.js';
import { type CaseQuery, type CaseRows, caseVerdict } from '../report/document/case.js';
import { ANSWER_METRICS, ATTACK_METRIC_TITLES, type AttackMetric } from '../victims/scoring.js';
import type { ResultDifference } from '../report/result-difference.js';

/** What the metrics say of an answer against the gold; null where there is no gold, or nothing to execute. */
export interface Judgement {
  readonly exact: ExactVerdict | null;
  readonly execution: ExecutionVerdict | null;
  /** Only of a victim that answers with columns. */
  readonly columns?: ColumnsVerdict | null;
}

/** An answer, and what the metrics say of it. */
export interface JudgedAnswer extends Judgement {
  readonly answer: VictimAnswer;
}

/**
 * A question under a condition: what was answered to it, and before to the question that it was made of, or to both that
 * it was composed of.
 */
export interface MeasuredCase<
  B extends JudgedAnswer | readonly JudgedAnswer[] = JudgedAnswer,
  A extends JudgedAnswer = JudgedAnswer,
> {
  readonly before: B;
  readonly after: A;
  /** True if one of these has no answer for a reason that may pass: then nothing is told. */
  readonly isOpen: boolean;
}

/** Checks whether one of some answers is missing for a reason that may pass. */
export function areOpen(answers: readonly JudgedAnswer[]): boolean {
  return answers.some(({ answer }) => !isSettled(answer));
}

/** Returns a metric's outcome for an answer, or null if it has none. */
export function outcomeOf(judged: Judgement, metric: keyof Judgement): Outcome | null {
  return judged[metric]?.outcome ?? null;
}

/** Outcomes of a case's answers, those before first, as a line of a file has them; null where there is none. */
export function outcomesOf({
  before,
  after,
}: Pick<MeasuredCase<JudgedAnswer | readonly JudgedAnswer[]>, 'before' | 'after'>) {
  const answers = [before, after].flat();
  return {
    exact: answers.map((judged) => outcomeOf(judged, 'exact')),
    execution: answers.map((judged) => outcomeOf(judged, 'execution')),
  };
}

/** Checks whether an answer is right by a metric. */
function isRight(judged: Judgement, metric: keyof Judgement): boolean {
  return outcomeOf(judged, metric) === 'correct';
}

/** 1 where an answer is right by a metric, else 0. */
export function pointOf(judged: Judgement, metric: keyof Judgement): number {
  return Number(isRight(judged, metric));
}

/** Checks whether an answer is right: by its columns, else by execution where there is one, else by exact match. */
export function isAllRight({ columns, execution, exact }: Judgement): boolean {
  return (columns ?? execution ?? exact)?.outcome === 'correct';
}

function hasVerdict(judged: Judgement, metric: keyof Judgement): boolean {
  const outcome = outcomeOf(judged, metric);
  return outcome !== null && outcome !== 'bad-gold';
}

/** Checks whether a metric says anything of all sides: gold that has no answer itself tells nothing. */
export function isMeasured(
  { isOpen, before, after }: MeasuredCase<JudgedAnswer | readonly JudgedAnswer[]>,
  metric: keyof Judgement,
): boolean {
  return !isOpen && [before, after].flat().every((judged) => hasVerdict(judged, metric));
}

/** Checks whether an answer is wrong though all before are right: by execution where it tells of all, else by exact match. */
export function isBroken(one: MeasuredCase<JudgedAnswer | readonly JudgedAnswer[]>): boolean {
  const metric = (['execution', 'exact'] as const).find((name) => isMeasured(one, name));
  if (metric === undefined) return false;
  return [one.before].flat().every((judged) => isRight(judged, metric)) && !isRight(one.after, metric);
}

/** The share of right answers, that to each question once; null where nothing was measured. */
export function accuracyOf(answers: Iterable<JudgedAnswer>, metric: keyof Judgement): number | null {
  const each = [...new Map(Array.from(answers, (judged) => [judged.answer.id, judged])).values()];
  const measured = each.filter((judged) => isSettled(judged.answer) && hasVerdict(judged, metric));
  return measured.length === 0 ? null : measured.filter((judged) => isRight(judged, metric)).length / measured.length;
}

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
