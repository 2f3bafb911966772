import { compareText } from '../../../report/column-tally.js';
import type { ExpectedAnswer } from '../../../variants/relations/expected-answer.js';
import type { ConsistencyReport, ExpectedFigures } from '../consistency-report.js';
import { relationsExpecting } from '../expected-figures.js';

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
