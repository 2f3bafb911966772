import type { ExactVerdict } from '../evaluate/exact/exact-match.js';
import type { ExecutionVerdict } from '../evaluate/execution/execution-match.js';
import type { Outcome } from '../evaluate/metric.js';
import type { ColumnsVerdict } from '../victims/column-scorer.js';
import { isSettled, type VictimAnswer } from '../victims/victim.js';

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
export interface CaseOutcomes {
  readonly exact: readonly (Outcome | null)[];
  readonly execution: readonly (Outcome | null)[];
}

export function outcomesOf({
  before,
  after,
}: Pick<MeasuredCase<JudgedAnswer | readonly JudgedAnswer[]>, 'before' | 'after'>): CaseOutcomes {
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
