import { renderIdentifier, renderString } from '../../sql/dialect.js';
import type { SquallToken } from './squall-record.js';
import type { SquallPlace } from './squall-schema.js';
import { zip } from '../../present.js';

/** A query, or why SQUALL's tokens give none. */
export type SquallQuery = { readonly query: string } | { readonly reason: string };

/** SQUALL's evaluator reads this word as the number 2014, the year when the questions were asked. */
const PRESENT = ['present_ref', '2014'] as const;

/**
 * The SELECT that each token belongs to, by number; null outside of any. A parenthesis belongs to the SELECT around it,
 * and so does what is in it until another SELECT begins.
 */
function selectsOf(tokens: readonly SquallToken[]): readonly (number | null)[] {
  const outer: (number | null)[] = [];
  let [current, count]: [number | null, number] = [null, 0];
  return tokens.map(([type, text]) => {
    if (type === 'Keyword' && text === '(') outer.push(current);
    if (type === 'Keyword' && text === 'select') current = count++;
    const own = current;
    if (type === 'Keyword' && text === ')' && outer.length > 0) current = outer.pop() ?? null;
    return own;
  });
}

/** Undoes the quoting of a literal, in SQL's form or in Python's. */
function literalText(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || text.at(-1) !== quote) return text;
  return text
    .slice(1, -1)
    .replace(/\\(['"\\])/gu, '$1')
    .replaceAll(quote + quote, quote);
}

function renderNumber(text: string): string | null {
  const plain = text.replaceAll(',', '').trim();
  return /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(plain) ? plain : null;
}

/** A token as SQL; null where it is nothing that we know. */
function renderToken([type, text]: SquallToken, places: ReadonlyMap<string, SquallPlace>): string | null {
  if (type === 'Column') {
    const place = places.get(text);
    return place === undefined ? null : renderIdentifier(place.identifier);
  }
  if (type === 'Keyword') return text === PRESENT[0] ? PRESENT[1] : text;
  if (type === 'Literal.String') return renderString(literalText(text));
  return type === 'Literal.Number' ? renderNumber(text) : null;
}

/** Tables of list columns by the SELECT that uses them; SQUALL leaves their joins to its evaluator. */
function listTables(
  tokens: readonly SquallToken[],
  selects: readonly (number | null)[],
  places: ReadonlyMap<string, SquallPlace>,
): ReadonlyMap<number | null, ReadonlySet<string>> {
  const needed = new Map<number | null, Set<string>>();
  for (const [[type, text], select] of zip(tokens, selects)) {
    const table = type === 'Column' ? places.get(text)?.listTable : null;
    if (typeof table === 'string') needed.set(select, (needed.get(select) ?? new Set()).add(table));
  }
  return needed;
}

const isWord = (token: SquallToken | undefined, word: string): boolean =>
  token !== undefined && token[0] === 'Keyword' && token[1] === word;

/**
 * SQUALL's tokens as SQL on our names: columns by their headers, literals quoted, `present_ref` as 2014, and the joins
 * that list columns need, as SQUALL's evaluator adds them. Its conditions on `agg` and NULL are not added: the query
 * is the one that was annotated.
 */
export function renderSquallQuery(
  tokens: readonly SquallToken[],
  places: ReadonlyMap<string, SquallPlace>,
): SquallQuery {
  const selects = selectsOf(tokens);
  const needed = new Map(listTables(tokens, selects, places));
  const words: string[] = [];
  for (const [i, [token, select]] of zip(tokens, selects).entries()) {
    const text = renderToken(token, places);
    if (text === null)
      return { reason: `token ${i} of its SQL, ${JSON.stringify(token[1])}, is not known in the table` };
    words.push(text);
    const tables = needed.get(select);
    if (tables === undefined || !isWord(token, 'w') || !isWord(tokens[i - 1], 'from')) continue;
    for (const table of tables) words.push(`join ${table} on id = ${table}.m_id`);
    needed.delete(select);
  }
  return needed.size === 0
    ? { query: words.join(' ') }
    : { reason: 'a list column is used in a SELECT without "from w"' };
}
