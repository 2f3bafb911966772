import { itemAt } from '../present.js';
/** A piece of a query; `changed` where the other query has something else in its place. */
export interface QueryPiece {
  readonly text: string;
  readonly changed: boolean;
}

/** Quoted strings and identifiers, words, white space, single marks; joined they give the query again. */
export const QUERY_TOKEN = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[\p{L}\p{N}_]+|\s+|[^\s]/gu;
/** Cells of the comparison table; beyond that, both queries count as wholly changed. Cost is tokens × tokens. */
const MOST_CELLS = 1_000_000;

/** Compares two queries token by token (longest common subsequence); tokens with one key are the same. */
export function diffQueries(
  before: string,
  after: string,
  keyOf: (token: string) => string = (token) => token,
): { readonly before: QueryPiece[]; readonly after: QueryPiece[] } {
  const [a, b] = [before.match(QUERY_TOKEN) ?? [], after.match(QUERY_TOKEN) ?? []];
  const [keptA, keptB] = commonPositions(a.map(keyOf), b.map(keyOf));
  return { before: toPieces(a, keptA), after: toPieces(b, keptB) };
}

/**
 * Positions of a longest common subsequence of two lists in each of them; none where the lists are too long to compare.
 */
export function commonPositions(a: readonly string[], b: readonly string[]): [Set<number>, Set<number>] {
  const [inA, inB] = [new Set<number>(), new Set<number>()];
  if (a.length * b.length > MOST_CELLS) return [inA, inB];
  const lengths = commonLengths(a, b);
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      inA.add(i++);
      inB.add(j++);
    } else if (lengths.of(i + 1, j) >= lengths.of(i, j + 1)) i++;
    else j++;
  }
  return [inA, inB];
}

/** Lengths of the longest common subsequence of `a` from `i` and `b` from `j`. */
function commonLengths(a: readonly string[], b: readonly string[]): { of(i: number, j: number): number } {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const of = (i: number, j: number): number => itemAt(lengths, i * width + j);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? of(i + 1, j + 1) + 1 : Math.max(of(i + 1, j), of(i, j + 1));
    }
  }
  return { of };
}

function toPieces(tokens: readonly string[], kept: ReadonlySet<number>): QueryPiece[] {
  const pieces: { text: string; changed: boolean }[] = [];
  tokens.forEach((text, i) => {
    const changed = !kept.has(i);
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += text;
    else pieces.push({ text, changed });
  });
  return pieces;
}
