import { expandAbbreviations } from '../schema/abbreviations.js';
import type { ColumnType } from '../schema/schema.js';
import type { EntailmentScorer, StageContext } from '../stage.js';

/** How far two statements entail each other: the lower of both directions, min(e1, e2) (ADVETA §4.4). */
export async function mutualEntailment(
  scorer: EntailmentScorer,
  a: string,
  b: string,
  context: StageContext,
): Promise<number> {
  const pairs = [
    { premise: a, hypothesis: b },
    { premise: b, hypothesis: a },
  ];
  const scores = await scorer.score(pairs, context);
  return Math.min(...scores.map(({ entailment }) => entailment));
}

/**
 * Renders a column in its table's context, premise and hypothesis alike: `"{TPE} {CN} ({CT})."` (ADVETA §4.4).
 * The type is the target column's on both sides: a candidate has no type of its own yet. Beyond the paper,
 * abbreviations are spelled out: a judge that can't read "num" or "ssn" takes them for anything.
 *
 * @example renderStatement('student', 'age', 'number') // "student age (number)."
 */
export function renderStatement(primaryEntity: string, columnName: string, type: ColumnType): string {
  const entity = primaryEntity === '' ? '' : `${primaryEntity} `;
  return `${entity}${expandAbbreviations(columnName)} (${type}).`;
}
