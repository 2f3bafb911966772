import { groupBy } from '../../run/group-by.js';
/** A token of a parsed text; `text` is the text from `start` up to `end`, in UTF-16 units. */
export interface DependencyToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Normal form, where it is not the text in lower case ("n't" is "not", "What's" is "what" and "'s"). */
  readonly norm?: string;
  /** Fine-grained part of speech, Penn Treebank style. */
  readonly tag: string;
  /** Index of the token it depends on; its own index at the root of a sentence. */
  readonly head: number;
  /** How it depends on its head, in ClearNLP style: "nsubj", "prep"; "ROOT" at the root. */
  readonly label: string;
}

/** The positions of what depends on each token, in their order, by the head's position; a root depends on none. */
export function childrenByHead(tokens: readonly { readonly head: number }[]): ReadonlyMap<number, readonly number[]> {
  const below = tokens.flatMap(({ head }, at) => (head === at ? [] : [{ head, at }]));
  return new Map([...groupBy(below, ({ head }) => head)].map(([head, all]) => [head, all.map(({ at }) => at)]));
}
