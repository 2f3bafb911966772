import { RELATION_IDS } from '../../../variants/relations/relations.js';
import { isOnOwnSchema } from '../../../variants/mutate/mutant-set.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import type { MutantSubject, SeedGroup } from '../../mutants/subject.js';

/** The relations that change the question (MT-TEQL Table 1); the others change the schema. */
const ON_UTTERANCE: ReadonlySet<string> = new Set(['PI', 'PR', 'PS', 'SS']);
const KNOWN: ReadonlySet<string> = new Set(RELATION_IDS);

/** Asks a shrunk mutant and judges the answer. */
export type Trial = (group: SeedGroup, mutant: MutantSubject) => Promise<JudgedCase>;

function keepRelations(mutant: MutantSubject, isKept: (relation: string) => boolean): MutantSubject {
  const kept = mutant.relations.map(isKept);
  return {
    ...mutant,
    relations: mutant.relations.filter((_, i) => kept[i]),
    details: mutant.details.filter((_, i) => kept[i]),
  };
}

/**
 * A composed mutant without its changes of the schema, and one without those of the question; none where it has only one
 * of both, where a relation of the user's own is among them, as nothing tells what that one changes, or where it asks
 * something else: neither part would have a gold.
 */
function droppedMutants({ group, mutant }: Pick<JudgedCase, 'group' | 'mutant'>): readonly MutantSubject[] {
  const { seed } = group;
  const isMixed = isOnOwnSchema(mutant) && mutant.question !== seed.question;
  if (!isMixed || mutant.expectation === 'other-query' || !mutant.relations.every((relation) => KNOWN.has(relation)))
    return [];
  return [
    {
      ...keepRelations(mutant, (relation) => ON_UTTERANCE.has(relation)),
      id: `${mutant.id}~question`,
      db_id: seed.db_id,
      query: seed.query,
      expectation: 'same-query',
    },
    {
      ...keepRelations(mutant, (relation) => !ON_UTTERANCE.has(relation)),
      id: `${mutant.id}~schema`,
      question: seed.question,
    },
  ];
}

/**
 * Drops perturbations of a failure while it still fails, by at most so many trials; itself where it fails only with all
 * of them.
 */
export async function shrinkFailure(failure: JudgedCase, trial: Trial, trials: number): Promise<JudgedCase> {
  for (const dropped of droppedMutants(failure).slice(0, Math.max(0, trials))) {
    const judged = await trial(failure.group, dropped);
    if (judged.isSame === false) return judged;
  }
  return failure;
}
