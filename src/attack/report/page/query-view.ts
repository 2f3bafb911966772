import { make } from '../../../report/page/dom.js';
import { commonPositions, QUERY_TOKEN } from '../../../report/query-diff.js';

/** How a name in a query is marked, and why. */
export interface Mark {
  readonly class: string;
  readonly title: string;
}

/** Marks by bare name. */
export type Marks = ReadonlyMap<string, Mark>;

/** A query's tokens; joined they give it again. */
export function tokensOf(sql: string): readonly string[] {
  return sql.match(QUERY_TOKEN) ?? [];
}

/** A name without its quotes, in lower case. */
export function bareName(token: string): string {
  return token.replace(/^["`[']|["`\]']$/g, '').toLowerCase();
}

/** Positions of tokens that the gold does not have there; white space where both its neighbors are such. */
function differentFrom(gold: string, tokens: readonly string[]): ReadonlySet<number> {
  const lower = (list: readonly string[]): string[] => list.map((token) => token.toLowerCase());
  const [common] = commonPositions(lower(tokens), lower(tokensOf(gold)));
  const isOwn = (i: number): boolean => i >= 0 && i < tokens.length && !common.has(i);
  return new Set(
    tokens.flatMap((token, i) => ((token.trim() === '' ? isOwn(i - 1) && isOwn(i + 1) : isOwn(i)) ? [i] : [])),
  );
}

/**
 * A query with what the perturbation renamed or added marked, and, next to a `gold` that it should have been, with what
 * it has differently underlined.
 */
export function queryView(sql: string, marks: Marks, gold: string | null = null): HTMLElement {
  const tokens = tokensOf(sql);
  const underlined = gold === null ? new Set<number>() : differentFrom(gold, tokens);
  const pieces: (string | HTMLElement)[] = [];
  let [run, isUnder] = ['', false];
  const flush = (): void => {
    if (run !== '') pieces.push(isUnder ? make('u', {}, run) : run);
    run = '';
  };
  tokens.forEach((token, i) => {
    const mark = marks.get(bareName(token));
    if (underlined.has(i) !== isUnder || mark !== undefined) flush();
    isUnder = underlined.has(i);
    if (mark === undefined) run += token;
    else {
      const marked = make('mark', { class: mark.class, title: mark.title }, token);
      pieces.push(isUnder ? make('u', {}, marked) : marked);
    }
  });
  flush();
  return make('pre', {}, ...pieces);
}
