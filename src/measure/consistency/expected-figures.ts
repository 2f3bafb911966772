import { EXPECTED_ANSWERS, type ExpectedAnswer } from '../../variants/relations/expected-answer.js';
import type { ConsistencyFigures, ConsistencyReport, ExpectedFigures } from './consistency-report.js';

/**
 * The figures of those mutants whose answer must stay, or be another, or be refused; null where there are none. Runs of
 * earlier versions do not say which are: all then count as those whose answer must stay.
 */
export function figuresExpecting(figures: ConsistencyFigures, expected: ExpectedAnswer): ExpectedFigures | null {
  if (figures.expected === undefined) return expected === 'kept' ? figures : null;
  return figures.expected[expected] ?? null;
}

/** The same by relation, without those that have no such mutants. */
export function relationsExpecting(
  { relations }: Pick<ConsistencyReport, 'relations'>,
  expected: ExpectedAnswer,
): readonly (readonly [relation: string, figures: ExpectedFigures])[] {
  return Object.entries(relations).flatMap(([relation, figures]) => {
    const own = figuresExpecting(figures, expected);
    return own === null ? [] : [[relation, own] as const];
  });
}

/** Lists the answers expected of some mutants of a run, in the order of its tables. */
export function expectedIn({ all }: Pick<ConsistencyReport, 'all'>): readonly ExpectedAnswer[] {
  return EXPECTED_ANSWERS.filter((expected) => figuresExpecting(all, expected) !== null);
}
