import { shuffled } from '../../../seeded-rng.js';
import type { Rng } from '../../../stage.js';
import type { Mutation, MutationCase, NotApplicable, Relation } from '../relation.js';
import type { Span } from '../../../sql/tokenizer.js';

/** Quoted values: an apostrophe within a word, or after one, opens none. */
const QUOTED = /"[^"]*"|“[^”]*”|‘[^’]*’|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;

/** Where a question quotes values: nothing is changed there. */
export function quotedSpans(text: string): readonly Span[] {
  return [...text.matchAll(QUOTED)].map(({ index, 0: quoted }) => ({ start: index, end: index + quoted.length }));
}

/** A question with its quoted values blanked out, letter for letter: what patterns may look at. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => '_'.repeat(quoted.length));
}

/** A question mark, or a full stop after a word that is no abbreviation, with a further sentence behind it. */
const BOUNDARY = /\?\s+\S|(?<=\p{Ll}{3})\.\s+\p{Lu}/u;

export function hasSeveralSentences(text: string): boolean {
  return BOUNDARY.test(withoutQuotes(text));
}

/** Ends a sentence with another mark; one that had none goes without. */
export function withMark(text: string, mark: '.' | '?'): string {
  return text.replace(/(\s*)[.?](\s*)$/, (_, before: string, after: string) => `${before}${mark}${after}`);
}

/** A sentence's first letter as it was in `like`: large or small. */
export function asStart(text: string, like: string): string {
  return /^\P{L}*\p{Lu}/u.test(like) ? text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : text;
}

/** A first word for the middle of a sentence: "What is" → "what is", "HOw many" → "how many"; the rest stays. */
export function withSmallFirstWord(text: string): string {
  return text.replace(/^\p{L}+/u, (word) => word.toLowerCase());
}

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
