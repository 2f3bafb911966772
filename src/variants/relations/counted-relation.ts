import { itemAt } from '../../present.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import { RELATION_IDS } from './relations.js';

/** The name of a mutant's relation, "CRm"; of a composed one's together, "CRm+PI". */
export function relationOf({ relations }: Pick<MutantRecord, 'relations'>): string {
  return relations.join('+');
}

/** The name that composed mutants are counted under. */
export const COMPOSED = 'composed';

/** The relation that a mutant is counted under; composed ones are too many to count each order by itself. */
export function countedRelation({ relations }: Pick<MutantRecord, 'relations'>): string {
  return relations.length === 1 ? itemAt(relations, 0) : COMPOSED;
}

/** Where figures of a relation stand: the papers' first and in their order, then the user's own, then composed ones. */
export function rankOfRelation(relation: string): number {
  const rank = RELATION_IDS.findIndex((id) => id === relation);
  return rank >= 0 ? rank : RELATION_IDS.length + Number(relation === COMPOSED);
}
