import type { SqlEdit } from '../../sql/edits.js';
import { plainOperator } from '../../sql/operators.js';
import { meaningfulTokens, type Span, type Token } from '../../sql/tokenizer.js';

const WORD_END = /[A-Za-z0-9_$"'`\]\u0080-\uFFFF]/;
const WORD_START = /[A-Za-z0-9_$"'`[\u0080-\uFFFF]/;

function normalToken({ kind, text }: Token): string {
  if (kind === 'operator') return plainOperator(text);
  return kind === 'word' || kind === 'number' ? text.toLowerCase() : text;
}

function normalTokens(sql: string): string {
  const kept = meaningfulTokens(sql).filter((token) => token.text !== ';');
  return kept.map((token) => `${normalToken(token)} `).join('');
}

/** The meaningful tokens of a query, by position, and what its text comes to after one edit between them. */
export class TokenText {
  readonly #sql: string;
  readonly #tokens: readonly Token[];
  readonly #before: string[] = [''];
  readonly #after: string[];

  constructor(sql: string) {
    this.#sql = sql;
    this.#tokens = meaningfulTokens(sql).filter((token) => token.text !== ';');
    const normal = this.#tokens.map((token) => `${normalToken(token)} `);
    for (const text of normal) this.#before.push((this.#before.at(-1) ?? '') + text);
    const whole = this.#before.at(-1) ?? '';
    this.#after = this.#before.map((before) => whole.slice(before.length));
  }

  /** The query with spaces, comments and letter case outside of literals made equal. */
  get normal(): string {
    return this.#after[0] ?? '';
  }

  /** Place of the first token that starts at an offset or after it. */
  placeFrom(offset: number): number {
    let [low, high] = [0, this.#tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tokens[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The token at a place. @throws RangeError past the ends */
  at(place: number): Token {
    const token = this.#tokens[place];
    if (token === undefined) throw new RangeError(`no token ${place} in ${this.#sql}`);
    return token;
  }

  /** The normal form of the query after an edit, whose ends lie between tokens. */
  normalAfter({ start, end, after }: SqlEdit): string {
    return `${this.#before[this.placeFrom(start)] ?? ''}${normalTokens(after)}${this.#after[this.placeFrom(end)] ?? ''}`;
  }

  /** An edit that puts a text in the place of a span. */
  replace({ start, end }: Span, text: string): SqlEdit {
    const [left, right] = [this.#sql[start - 1] ?? '', this.#sql[end] ?? ''];
    const fuses = (WORD_END.test(left) && WORD_START.test(text.charAt(0))) || (left === '-' && text.startsWith('-'));
    const before = fuses ? ' ' : '';
    const after = WORD_END.test(text.slice(-1)) && WORD_START.test(right) ? ' ' : '';
    return { start, end, before: this.#sql.slice(start, end), after: before + text + after };
  }

  /** An edit that takes out the tokens of a span, with the white space after them, or before them at the end. */
  cut({ start, end }: Span): SqlEdit {
    const [first, next] = [this.placeFrom(start), this.placeFrom(end)];
    const last = next >= this.#tokens.length;
    const from = last && first > 0 ? this.at(first - 1).end : start;
    const to = last ? end : this.at(next).start;
    const fuses = WORD_END.test(this.#sql[from - 1] ?? '') && WORD_START.test(this.#sql[to] ?? '');
    return { start: from, end: to, before: this.#sql.slice(from, to), after: fuses ? ' ' : '' };
  }

  /** The span from the token `words` places before an offset to an end: a clause with the keywords before it. */
  withWords(words: number, { start, end }: Span): Span {
    return { start: this.at(this.placeFrom(start) - words).start, end };
  }

  /** The span of the tokens between two spans: an operator between its operands. */
  between(left: Span, right: Span): Span {
    const start = this.at(this.placeFrom(left.end)).start;
    return { start, end: this.at(this.placeFrom(right.start) - 1).end };
  }

  /** The text of a span. */
  textOf({ start, end }: Span): string {
    return this.#sql.slice(start, end);
  }
}
