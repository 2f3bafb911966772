import { itemAt } from '../../present.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import { RELATION_IDS, RELATIONS, type RelationId } from './relations.js';

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

/** Returns the facts about a relation, or undefined for one of the user's own. */
function factsOf(relation: string): (typeof RELATIONS)[RelationId] | undefined {
  return RELATIONS[relation as RelationId];
}

/** The paper's name of a relation; null of one that is not the paper's. */
export function nameOfRelation(relation: string): string | null {
  if (relation === COMPOSED) return 'several changes at once';
  return factsOf(relation)?.name ?? null;
}

/** The paper's error rate of a relation, in percent; null where it has none. */
export function publishedRateOf(relation: string): number | null {
  return factsOf(relation)?.publishedRate ?? null;
}

/** "SS, Synonym Substitution": a relation's code with its name. */
export function wordsOf(relation: string): string {
  return [relation, nameOfRelation(relation)].filter((part) => part !== null).join(', ');
}

/** Describes a relation as the subject of a sentence; one of the user's own by its name. */
export function deedOf(relation: string): string {
  if (relation === COMPOSED) return 'Making several changes at once';
  return factsOf(relation)?.deed ?? `Relation ${relation}`;
}
