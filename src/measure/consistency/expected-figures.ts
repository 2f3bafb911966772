import { EXPECTED_ANSWERS, type ExpectedAnswer } from '../../variants/relations/expected-answer.js';
import type { ConsistencyFigures, ConsistencyReport, ExpectedFigures } from './consistency-report.js';
import { compareText } from '../../report/column-tally.js';

/**
 * The figures of those mutants whose answer must stay, or be another, or be refused; null where there are none. Runs of
 * earlier versions do not say which are: all then count as those whose answer must stay.
 */
export function figuresExpecting(figures: ConsistencyFigures, expected: ExpectedAnswer): ExpectedFigures | null {
  if (figures.expected === undefined) return expected === 'kept' ? figures : null;
  return figures.expected[expected] ?? null;
}

/** The same by relation, without those that have no such mutants. */
function relationsExpecting(
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

/** A relation with what was found of its mutants that ask for one kind of answer. */
export interface RankedRelation {
  readonly relation: string;
  readonly figures: ExpectedFigures;
}

export interface RankedRelations {
  /** Those under which some answer is not as expected, the highest rate first. */
  readonly harmful: readonly RankedRelation[];
  /** Those under which every answer is as expected. */
  readonly calm: readonly RankedRelation[];
  /** Those of which nothing could be judged. */
  readonly untold: readonly RankedRelation[];
}

/** Relations by the harm that they do. */
export function rankRelations(report: ConsistencyReport, expected: ExpectedAnswer): RankedRelations {
  const all = relationsExpecting(report, expected).map(([relation, figures]) => ({ relation, figures }));
  const harm = ({ figures }: RankedRelation): number => figures.rate ?? 0;
  return {
    harmful: all
      .filter(({ figures }) => figures.inconsistent > 0)
      .sort(
        (a, b) =>
          harm(b) - harm(a) || b.figures.inconsistent - a.figures.inconsistent || compareText(a.relation, b.relation),
      ),
    calm: all.filter(({ figures }) => figures.judged > 0 && figures.inconsistent === 0),
    untold: all.filter(({ figures }) => figures.judged === 0),
  };
}
