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
const NEGATING = /^(?:not|n't|n’t|no|never|none|neither|without|exactly|above|below|over|under|before|after)$/u;
const EXTREME = /^(?:max|min|maximum|minimum|most|least|fewest|more|less|fewer|first|last|top)$/u;
const AUXILIARY = /^(?:be|is|are|was|were|been|have|has|had|having|do|does|did|can)$/u;
const LETTER = /^[A-Z]$/u;
const COMPARED = /^(?:JJR|JJS|RBR|RBS)$/u;
const NAMING_TAG = /^(?:NNP|NNPS|CD|FW|\$)$/u;
const NOUN = /^(?:NN|NNS)$/u;

/** "an A": a letter that is a value. */
function isLetter(tree: DependencyTree, at: number): boolean {
  return at > 0 && LETTER.test(tree.at(at).text) && tree.at(at).tag !== 'DT';
}

/**
 * Checks whether a token says which rows are meant, or in which order: a value, a number, a comparison, a superlative.
 */
function selects({ tree, phrases, quoted }: SplitView, at: number): boolean {
  const { tag } = tree.at(at);
  const word = tree.word(at);
  if (quoted[at] === true || COMPARED.test(tag) || ORDERING.test(word) || LIMITING.test(word)) return true;
  if (phrases[at] !== -1) return false;
  return NAMING_TAG.test(tag) || (tag === 'JJ' && !EMPTY_ADJECTIVES.test(word));
}

/** A noun that is neither in the schema nor empty is likely a value: "in engineering". */
function isLikelyValue({ tree, phrases, constants }: SplitView, at: number): boolean {
  if (constants !== null) return constants[at] === true;
  return phrases[at] === -1 && NOUN.test(tree.at(at).tag) && !EMPTY_NOUNS.has(tree.word(at));
}

/** Checks whether a phrase says which rows are meant, or in which order. */
export function carriesClause(view: SplitView, index: number): boolean {
  const { tree } = view;
  const own = tree.subtree(index).filter((at) => at !== index);
  if (own.some((at) => selects(view, at))) return true;
  return !own.some((at) => /^(?:each|every|all)$/u.test(tree.word(at))) && own.some((at) => isLikelyValue(view, at));
}

/** Checks whether a run of tokens has a word that is likely a value. */
export function hasLikelyValue(view: SplitView, first: number, end: number): boolean {
  for (let at = first; at < end; at++) if (isLikelyValue(view, at)) return true;
  return false;
}

/** Checks whether a phrase has a word that says something and is no name of a table. */
export function hasOwnWord({ tree, tables }: SplitView, index: number): boolean {
  const isOwn = (at: number): boolean =>
    tables[at] !== true && /^(?:NN|VB|JJ|CD)/u.test(tree.at(at).tag) && !EMPTY_NOUNS.has(tree.word(at));
  return tree.subtree(index).some((at) => at !== index && isOwn(at));
}

/**
 * Checks whether a phrase, apart from what is nested in it, has no words but names of tables and such as say nothing.
 */
export function namesOnlyTables(view: SplitView, index: number, isNested: (at: number) => boolean): boolean {
  const { tree, tables } = view;
  const nested = tree.subtree(index).some((at) => at !== index && isNested(at));
  const own = tree.subtree(index, (at) => at !== index && isNested(at)).filter((at) => at !== index);
  return nested && own.every((at) => tables[at] === true || !/^(?:NN|VB|JJ|CD)/u.test(tree.at(at).tag));
}

/**
 * Checks whether a run of tokens has a noun, verb, adjective or number of its own: no auxiliary, no name of a table.
 */
export function hasContent({ tree, tables }: SplitView, first: number, end: number): boolean {
  for (let at = first; at < end; at++) {
    const isOpen = /^(?:NN|VB|JJ|CD|RBR|RBS)/u.test(tree.at(at).tag) && !AUXILIARY.test(tree.word(at));
    if (isOpen && tables[at] !== true) return true;
  }
  return false;
}

/** "(TG)": a name's short form, no value. */
function isShortForm(tree: DependencyTree, at: number): boolean {
  return tree.word(at - 1) === '(' && tree.word(at + 1) === ')' && /^\p{Lu}+$/u.test(tree.at(at).text);
}

/**
 * Checks whether a run of tokens says a condition or an order by itself: a value, a number, a comparison, a
 * superlative, a negation.
 */
export function saysCondition({ tree, quoted, constants }: SplitView, first: number, end: number): boolean {
  for (let at = first; at < end; at++) {
    if (isShortForm(tree, at)) continue;
    const { tag } = tree.at(at);
    const word = tree.word(at);
    if (constants?.[at] === true) return true;
    if (quoted[at] === true || COMPARED.test(tag) || NAMING_TAG.test(tag) || isLetter(tree, at)) return true;
    if (ORDERING.test(word) || NEGATING.test(word) || EXTREME.test(word)) return true;
  }
  return false;
}

/** Words of a run of tokens that are no marks. */
export function wordsOf(tree: DependencyTree, first: number, end: number): number {
  let count = 0;
  for (let at = first; at < end; at++) if (!tree.isPunctuation(at)) count++;
  return count;
}
