import { itemAt } from '../../present.js';
import { type Html, html } from '../html.js';
import type { NameMark } from './case.js';

/** A piece of a query; `changed` where the other query has something else in its place. */
export interface QueryPiece {
  readonly text: string;
  readonly changed: boolean;
}

/** Quoted strings and identifiers, words, white space, single marks; joined they give the query again. */
const QUERY_TOKEN = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[\p{L}\p{N}_]+|\s+|[^\s]/gu;
/** Cells of the comparison table; beyond that, both queries count as wholly changed. Cost is tokens × tokens. */
const MOST_CELLS = 1_000_000;

/** Compares two queries token by token (longest common subsequence). */
export function diffQueries(
  before: string,
  after: string,
): { readonly before: QueryPiece[]; readonly after: QueryPiece[] } {
  const [a, b] = [before.match(QUERY_TOKEN) ?? [], after.match(QUERY_TOKEN) ?? []];
  const [keptA, keptB] = commonPositions(a, b);
  return { before: toPieces(a, keptA), after: toPieces(b, keptB) };
}

/**
 * Positions of a longest common subsequence of two lists in each of them; none where the lists are too long to compare.
 */
function commonPositions(a: readonly string[], b: readonly string[]): [Set<number>, Set<number>] {
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

/** A query's tokens; joined they give it again. */
export function tokensOf(sql: string): readonly string[] {
  return sql.match(QUERY_TOKEN) ?? [];
}

/** A name without its quotes, in lower case. */
export function bareName(token: string): string {
  return token.replace(/^["`[']|["`\]']$/g, '').toLowerCase();
}

/** Positions of tokens that the other query does not have there; white space where both its neighbors are such. */
function differentFrom(other: string, tokens: readonly string[]): ReadonlySet<number> {
  const lower = (list: readonly string[]): string[] => list.map((token) => token.toLowerCase());
  const [common] = commonPositions(lower(tokens), lower(tokensOf(other)));
  const isOwn = (i: number): boolean => i >= 0 && i < tokens.length && !common.has(i);
  return new Set(
    tokens.flatMap((token, i) => ((token.trim() === '' ? isOwn(i - 1) && isOwn(i + 1) : isOwn(i)) ? [i] : [])),
  );
}

/** A text with what another one does not have there underlined. */
export function renderDifference(text: string, other: string): Html {
  const tokens = tokensOf(text);
  const own = differentFrom(other, tokens);
  return html`${tokens.map((token, i) => (own.has(i) && token.trim() !== '' ? html`<u>${token}</u>` : token))}`;
}

/** Clauses that begin a line, so that queries next to each other can be read side by side. */
const CLAUSES = new Set(['from', 'where', 'group', 'order', 'having', 'limit', 'union', 'intersect', 'except']);

/** A query with marked names, and with what it has differently than `against` underlined. */
export function renderQuery(sql: string, marks: readonly NameMark[], against: string | null): Html {
  const byName = new Map(marks.map((mark) => [bareName(mark.name), mark]));
  const tokens = tokensOf(sql);
  const underlined = against === null ? new Set<number>() : differentFrom(against, tokens);
  let depth = 0;
  const pieces = tokens.map((token, i) => {
    depth += token === '(' ? 1 : token === ')' ? -1 : 0;
    const isBreak =
      depth === 0 && token.trim() === '' && !token.includes('\n') && CLAUSES.has(tokens[i + 1]?.toLowerCase() ?? '');
    // A string may read like a name.
    const mark = token.startsWith("'") ? undefined : byName.get(bareName(token));
    const text = isBreak ? '\n' : token;
    const inner =
      mark === undefined ? html`${text}` : html`<mark class="${mark.as}" title="${mark.title}">${text}</mark>`;
    return underlined.has(i) && text.trim() !== '' ? html`<u>${inner}</u>` : inner;
  });
  return html`<pre>${pieces}</pre>`;
}
