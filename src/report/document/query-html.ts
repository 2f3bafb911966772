import { type Html, html } from '../html.js';
import { commonPositions, QUERY_TOKEN } from '../query-diff.js';
import type { NameMark } from './case.js';

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
