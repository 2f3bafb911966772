import { memoize } from '../../schema/memoize.js';
import type { TokenizerRules } from './model-files.js';

/** A token as the parser's network sees it; white space of more than one blank is one. */
export interface RawToken {
  readonly text: string;
  /** Normal form that its exception gives; null where the word's usual one holds. */
  readonly norm: string | null;
  /** In UTF-16 units. */
  readonly start: number;
  /** True if a blank follows. */
  readonly isSpaced: boolean;
  readonly isWhite: boolean;
}

/** A part of a word between white space. */
interface Piece {
  readonly text: string;
  readonly norm: string | null;
}

/** Words whose pieces are kept; a text has few different ones. */
const MOST_KEPT = 100_000;
const RUNS = /\s+|\S+/gu;

const plain = (text: string): Piece => ({ text, norm: null });

/**
 * spaCy's English tokenizer (spacy/tokenizer.pyx): words between white space lose their prefixes and suffixes by
 * patterns, are broken at infixes, and exceptions ("don't", "a.m.") go before patterns.
 */
export class EnglishTokenizer {
  readonly #prefix: RegExp;
  readonly #suffix: RegExp;
  readonly #infix: RegExp;
  readonly #url: RegExp;
  readonly #exceptions: ReadonlyMap<string, readonly Piece[]>;
  /** Exceptions that the patterns cut, by text: found again in what they left. */
  readonly #cutExceptions = new Map<string, readonly Piece[]>();
  readonly #piecesOf = memoize(
    (word) => this.#withExceptions(this.#exceptions.get(word) ?? this.#byPatterns(word, true)),
    MOST_KEPT,
  );

  constructor({ prefix, suffix, infix, url, exceptions }: TokenizerRules) {
    this.#prefix = new RegExp(prefix, 'u');
    this.#suffix = new RegExp(suffix, 'u');
    this.#infix = new RegExp(infix, 'gu');
    this.#url = new RegExp(`^(?:${url})`, 'u');
    const entries = Object.entries(exceptions).map(
      ([text, parts]) => [text, parts.map(([part, norm]): Piece => ({ text: part, norm: norm ?? null }))] as const,
    );
    this.#exceptions = new Map(entries);
    for (const [text] of entries) if (this.#isCut(text)) this.#cutExceptions.set(text, this.#byPatterns(text, false));
  }

  /** The tokens of a text, white space included, in order. */
  tokenize(text: string): readonly RawToken[] {
    const tokens: RawToken[] = [];
    for (const { 0: run, index } of text.matchAll(RUNS)) {
      if (run.trim() === '') pushWhite(tokens, run, index);
      else this.#push(tokens, run, index);
    }
    return tokens;
  }

  #push(tokens: RawToken[], word: string, start: number): void {
    let at = start;
    for (const { text, norm } of this.#piecesOf(word)) {
      tokens.push({ text, norm, start: at, isSpaced: false, isWhite: false });
      at += text.length;
    }
  }

  #isCut(text: string): boolean {
    return this.#prefix.test(text) || this.#suffix.test(text) || text.search(this.#infix) !== -1;
  }

  /** Splits off a word's affixes by patterns, in order; exceptions in it stay whole where they may. */
  #byPatterns(word: string, withExceptions: boolean): readonly Piece[] {
    const prefixes: Piece[] = [];
    const suffixes: Piece[] = [];
    const isException = (text: string): boolean => withExceptions && text !== '' && this.#exceptions.has(text);
    let rest = word;
    for (let before = ''; rest !== '' && rest !== before && !isException(rest);) {
      before = rest;
      const prefix = this.#prefix.exec(rest)?.[0] ?? '';
      if (prefix !== '' && isException(rest.slice(prefix.length))) {
        prefixes.push(plain(prefix));
        rest = rest.slice(prefix.length);
        break;
      }
      const suffix = this.#suffix.exec(rest.slice(prefix.length))?.[0] ?? '';
      if (suffix !== '' && isException(rest.slice(0, -suffix.length))) {
        suffixes.push(plain(suffix));
        rest = rest.slice(0, -suffix.length);
        break;
      }
      if (prefix !== '') prefixes.push(plain(prefix));
      // A suffix was looked for behind the prefix, so both can go.
      if (suffix !== '') suffixes.push(plain(suffix));
      rest = rest.slice(prefix.length, rest.length - suffix.length);
    }
    return [...prefixes, ...this.#core(rest, withExceptions), ...suffixes.reverse()];
  }

  #core(text: string, withExceptions: boolean): readonly Piece[] {
    if (text === '') return [];
    const exception = withExceptions ? this.#exceptions.get(text) : undefined;
    if (exception !== undefined) return exception;
    return this.#url.test(text) ? [plain(text)] : this.#atInfixes(text);
  }

  #atInfixes(text: string): readonly Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (const { 0: infix, index } of text.matchAll(this.#infix)) {
      if (index === 0) continue;
      if (index !== start) pieces.push(plain(text.slice(start, index)));
      if (infix !== '') pieces.push(plain(infix));
      start = index + infix.length;
    }
    return start < text.length ? [...pieces, plain(text.slice(start))] : pieces;
  }

  /** Puts exceptions back that patterns cut: the longest first, of those as long the first. */
  #withExceptions(pieces: readonly Piece[]): readonly Piece[] {
    const taken = new Set<number>();
    const replaced = new Map<number, { readonly last: number; readonly by: readonly Piece[] }>();
    for (let length = pieces.length; length > 0; length--) {
      for (let first = 0; first + length <= pieces.length; first++) {
        const last = first + length - 1;
        if (taken.has(first) || taken.has(last)) continue;
        const by = this.#exceptionAt(pieces.slice(first, last + 1));
        if (by === undefined) continue;
        replaced.set(first, { last, by });
        for (let at = first; at <= last; at++) taken.add(at);
      }
    }
    if (replaced.size === 0) return pieces;
    const out: Piece[] = [];
    for (let at = 0; at < pieces.length; at++) {
      const found = replaced.get(at);
      out.push(...(found?.by ?? pieces.slice(at, at + 1)));
      at = found?.last ?? at;
    }
    return out;
  }

  #exceptionAt(pieces: readonly Piece[]): readonly Piece[] | undefined {
    const text = pieces.map((piece) => piece.text).join('');
    const cut = this.#cutExceptions.get(text);
    if (cut === undefined || cut.length !== pieces.length) return undefined;
    return cut.every((piece, at) => piece.text === pieces[at]?.text) ? this.#exceptions.get(text) : undefined;
  }
}

/** White space: the first blank belongs to the token before it, the rest is a token. */
function pushWhite(tokens: RawToken[], run: string, start: number): void {
  const last = tokens.at(-1);
  const hasBlank = last !== undefined && run.startsWith(' ');
  if (hasBlank) tokens[tokens.length - 1] = { ...last, isSpaced: true };
  const text = hasBlank ? run.slice(1) : run;
  if (text === '') return;
  tokens.push({ text, norm: null, start: start + run.length - text.length, isSpaced: false, isWhite: true });
}
