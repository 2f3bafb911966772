import type { DependencyTree } from './dependency-tree.js';
import type { SplitView } from './split-rule.js';

/** Nouns that say where rows are, not which ones. */
const EMPTY_NOUNS: ReadonlySet<string> = new Set(
  'database table record records system list file files dataset detail details total common all general each it them they which that this these those whom what order case terms way number count sum average amount name names'.split(
    ' ',
  ),
);
const ORDERING =
  /^(?:ascending|descending|alphabetical|alphabetic|lexicographic|lexicographical|reverse|increasing|decreasing|chronological|asc|desc|ascendingly|descendingly)$/u;
const LIMITING =
  /^(?:most|least|fewest|more|less|fewer|at|no|any|exactly|only|not|n't|n’t|never|both|either|above|below|over|under|same)$/u;
/** Adjectives that say nothing of a row by itself. */
const EMPTY_ADJECTIVES =
  /^(?:different|distinct|various|many|much|several|other|own|such|total|corresponding|respective|average|possible|available|unique|full|complete|i)$/u;
const COMPARED = /^(?:JJR|JJS|RBR|RBS)$/u;
const NAMED = /^(?:NNP|NNPS|CD|FW|\$)$/u;
const NOUN = /^(?:NN|NNS)$/u;

/** Whether a token says which rows are meant, or in which order: a value, a number, a comparison, a superlative. */
function selects({ tree, phrases, quoted }: SplitView, at: number): boolean {
  const { tag } = tree.at(at);
  const word = tree.word(at);
  if (quoted[at] === true || COMPARED.test(tag) || ORDERING.test(word) || LIMITING.test(word)) return true;
  if (phrases[at] !== -1) return false;
  return NAMED.test(tag) || (tag === 'JJ' && !EMPTY_ADJECTIVES.test(word));
}

/** A noun that is neither in the schema nor empty is likely a value: "in engineering". */
function isLikelyValue({ tree, phrases }: SplitView, at: number): boolean {
  return phrases[at] === -1 && NOUN.test(tree.at(at).tag) && !EMPTY_NOUNS.has(tree.word(at));
}

/** Whether a phrase says itself which rows are meant, apart from the parts of it that are sub-sentences of their own. */
export function carriesClause(view: SplitView, index: number, ownParts: (at: number) => boolean): boolean {
  const { tree } = view;
  const own = tree.subtree(index, (at) => at !== index && ownParts(at)).filter((at) => at !== index);
  if (own.some((at) => selects(view, at))) return true;
  return !own.some((at) => /^(?:each|every|all)$/u.test(tree.word(at))) && own.some((at) => isLikelyValue(view, at));
}

/** Words of a run of tokens that are no marks. */
export function wordsOf(tree: DependencyTree, first: number, end: number): number {
  let count = 0;
  for (let at = first; at < end; at++) if (!tree.isPunctuation(at)) count++;
  return count;
}
