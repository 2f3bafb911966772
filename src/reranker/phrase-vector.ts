import { possibleBaseForms } from '../dictionary/morphology.js';
import type { VectorFile } from './vector-file.js';

/** Articles, prepositions, conjunctions and the like: they say little of what a column holds. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a an the of in on at by to for from with and or as per is was are be its their his her'.split(' '),
);

/** Words of a term looked up in one piece; longer ones are rare in any vocabulary. */
const LONGEST_NGRAM = 6;

const BASE_FORM_POS = ['noun', 'verb', 'adjective'] as const;

/** As ConceptNet does: when a number of two or more digits is in the text, every digit becomes `#`. */
function maskDigits(term: string): string {
  return /\d\d/.test(term) ? term.replace(/\d/g, '#') : term;
}

/** Where two words run together: "homeTown", "URLPath". */
function splitHumps(token: string): string[] {
  return token.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

function trimApostrophes(token: string): string {
  return token.replace(/^['’]+|['’]+$/gu, '').replace(/['’]s$/iu, '');
}

function indexOf(vectors: VectorFile, term: string): number {
  const index = vectors.indexOf(term);
  if (index >= 0) return index;
  const masked = maskDigits(term);
  return masked === term ? -1 : vectors.indexOf(masked);
}

function baseFormIndex(vectors: VectorFile, word: string): number {
  for (const pos of BASE_FORM_POS) {
    for (const form of possibleBaseForms(word, pos)) {
      const index = form.length > 1 ? indexOf(vectors, form) : -1;
      if (index >= 0) return index;
    }
  }
  return -1;
}

/** Words of a name as written, humps apart where the whole is no known word. */
function tokensOf(vectors: VectorFile, name: string): string[] {
  const raw = name.normalize('NFC').split(/[^\p{L}\p{N}\p{M}'’-]+/u);
  return raw
    .flatMap((token) => (indexOf(vectors, token.toLowerCase()) >= 0 ? [token] : splitHumps(token)))
    .map((token) => trimApostrophes(token).toLowerCase())
    .filter((token) => token !== '');
}

interface Match {
  readonly index: number;
  /** How many tokens the term covers. */
  readonly length: number;
}

/** The longest term of two words or more that starts at a token; its last word may be inflected. */
function longestTerm(vectors: VectorFile, tokens: readonly string[], start: number): Match | null {
  const longest = Math.min(LONGEST_NGRAM, vectors.header.longestTerm, tokens.length - start);
  for (let length = longest; length > 1; length--) {
    const words = tokens.slice(start, start + length);
    let index = indexOf(vectors, words.join('_'));
    const last = words.pop() as string;
    for (const form of index >= 0 ? [] : possibleBaseForms(last, 'noun')) {
      index = indexOf(vectors, [...words, form].join('_'));
      if (index >= 0) break;
    }
    if (index >= 0) return { index, length };
  }
  return null;
}

/** Terms for one word: itself, its base form, or the parts around its hyphens. */
function wordTerms(vectors: VectorFile, word: string): number[] {
  const exact = indexOf(vectors, word);
  if (exact >= 0) return [exact];
  if (!word.includes('-')) {
    const base = baseFormIndex(vectors, word);
    return base >= 0 ? [base] : [];
  }
  const joined = indexOf(vectors, word.replaceAll('-', '_'));
  if (joined >= 0) return [joined];
  return word.split('-').flatMap((part) => (part === '' ? [] : wordTerms(vectors, part)));
}

/** Positions of the terms that a name is made of, by greedy longest match from the left. */
function termsOf(vectors: VectorFile, tokens: readonly string[]): number[] {
  const content: number[] = [];
  const functional: number[] = [];
  for (let start = 0; start < tokens.length;) {
    const match = longestTerm(vectors, tokens, start);
    const word = tokens[start] as string;
    if (match !== null) content.push(match.index);
    else (FUNCTION_WORDS.has(word) ? functional : content).push(...wordTerms(vectors, word));
    start += match?.length ?? 1;
  }
  return content.length > 0 ? content : functional;
}

/**
 * The vector of a column name (ADVETA §4.2): words are matched greedily to the longest known n-gram, the unit vectors of
 * the parts averaged and normalized. Unknown parts are left out, and so are function words where other parts are known, so that
 * "date of birth" is near "birth date" (a deviation: the paper does not say).
 *
 * @returns Float `[dimension]` of unit length; null when no part is known, or the parts cancel out. Never NaN.
 */
export function phraseVector(vectors: VectorFile, name: string): Float32Array | null {
  const sum = new Float64Array(vectors.dimension);
  for (const index of termsOf(vectors, tokensOf(vectors, name))) vectors.addTo(sum, index);
  const norm = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0));
  return norm < 1e-9 ? null : Float32Array.from(sum, (value) => value / norm);
}

/** Cosine of two unit vectors of one dimension, held within -1 and 1 against rounding. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let at = 0; at < a.length; at++) dot += (a[at] as number) * (b[at] as number);
  return Math.max(-1, Math.min(1, dot));
}
