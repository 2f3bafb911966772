import { shuffled } from '../../../seeded-rng.js';
import type { Rng } from '../../../stage.js';
import type { Mutation, MutationCase, NotApplicable, Relation } from '../relation.js';

/** Another wording of a case's question. */
export interface Rewording {
  readonly question: string;
  /** The gold of a question that asks something else; left out where it stays. */
  readonly query?: string;
  /** For people: 'inserted "tell me"'. */
  readonly detail: string;
}

/** The parts of an utterance relation. */
export interface UtteranceRelationSpec {
  readonly id: string;
  /** Raised when other rewordings come out. */
  readonly version: number;
  /** As `Relation.readsGoldFor`. */
  readonly readsGoldFor?: string | null;
  /** Every rewording of a case, in a fixed order, or why there is none. */
  reword(one: MutationCase): readonly Rewording[] | NotApplicable;
}

/** At most `limit` of all, drawn so that each has the same chance, in their own order. */
function draw<T>(all: readonly T[], limit: number, rng: () => Rng): readonly T[] {
  if (all.length <= limit) return all;
  const chosen = new Set(shuffled([...all.keys()], rng()).slice(0, limit));
  return all.filter((_, i) => chosen.has(i));
}

/** A relation that changes the question's wording, and not the schema: the query must stay, or become what is given. */
export function utteranceRelation(spec: UtteranceRelationSpec): Relation {
  const { id, version, readsGoldFor } = spec;
  const toMutation = ({ example }: MutationCase, { question, query, detail }: Rewording): Mutation => ({
    question,
    query: query ?? example.query,
    expectation: query === undefined ? 'same-query' : 'other-query',
    mutated: null,
    detail,
  });
  return {
    id,
    fingerprint: `${id} ${version}`,
    ...(readsGoldFor !== undefined && { readsGoldFor }),
    async mutate(cases, limit, context) {
      return cases.map((one) => {
        const rewordings = spec.reword(one);
        if ('reason' in rewordings) return rewordings;
        const drawn = draw(rewordings, limit, () => context.rngFor(`${one.example.id}~${id}`));
        return drawn.map((rewording) => toMutation(one, rewording));
      });
    },
  };
}
