import { groupBy } from '../../run/group-by.js';
import type { EvaluationPair, Outcome, Verdict } from '../metric.js';
import { OUTCOMES } from '../metric.js';

/** How many pairs came to each outcome, and the share that is correct of all. */
export interface OutcomeSummary {
  readonly pairs: number;
  readonly correct: number;
  /** 0 to 1; what has bad gold counts as not correct; null where there are no pairs. */
  readonly accuracy: number | null;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

/** Interactions whose turns are all correct (CoSQL, SParC: interaction match). */
export interface InteractionSummary {
  readonly interactions: number;
  readonly correct: number;
  readonly accuracy: number | null;
  /** Of the first turns, the second ones and so on: pairs and correct ones. */
  readonly byTurn: readonly OutcomeSummary[];
}

/** A share, or null of nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Counts the outcomes of pairs. */
export function summarizeOutcomes(verdicts: readonly Verdict[]): OutcomeSummary {
  const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome } of verdicts) outcomes[outcome] += 1;
  const { correct } = outcomes;
  return { pairs: verdicts.length, correct, accuracy: share(correct, verdicts.length), outcomes };
}

/** The interactions of pairs, by their group; `verdicts` in the order of `pairs`. Null where no pair has company. */
export function summarizeInteractions(
  pairs: readonly EvaluationPair[],
  verdicts: readonly Verdict[],
): InteractionSummary | null {
  const groups = [...groupBy(verdicts, (_, i) => pairs[i]?.group ?? '').values()];
  if (groups.length === verdicts.length) return null;
  const correct = groups.filter((turns) => turns.every(({ outcome }) => outcome === 'correct')).length;
  const longest = Math.max(...groups.map((turns) => turns.length));
  const byTurn = Array.from({ length: longest }, (_, turn) =>
    summarizeOutcomes(groups.flatMap((turns) => turns.slice(turn, turn + 1))),
  );
  return { interactions: groups.length, correct, accuracy: share(correct, groups.length), byTurn };
}
