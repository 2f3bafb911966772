// Everything here reads text of up to megabytes that a model wrote: no pattern repeats without a bound.

const NAME = String.raw`(?:[\w$]{1,300}|"[^"]{1,300}"|\x60[^\x60]{1,300}\x60|\[[^\]]{1,300}\])`;
const READING = [
  String.raw`select(?![\w$])`,
  String.raw`values\s{0,9}\(`,
  String.raw`with\s{1,99}(?:recursive\s{1,99})?${NAME}\s{0,99}(?:\([^()]{0,5000}\)\s{0,99})?as\s{0,99}(?:not\s{1,99})?(?:materialized\s{0,99})?\(`,
];
/** Statements that are no queries, by two words each: "update" alone is English. They are found to be refused later. */
const OTHER = [
  String.raw`(?:insert|replace)\s{1,9}(?:or\s{1,9}\w{1,20}\s{1,9})?into\s`,
  String.raw`delete\s{1,9}from\s`,
  String.raw`update\s{1,9}${NAME}\s{1,9}set\s`,
  String.raw`(?:create|drop|alter)\s{1,9}(?:\w{1,20}\s{1,9}){0,3}(?:table|view|index|trigger|database|schema)\s`,
  String.raw`(?:attach|detach)\s{1,9}(?:database\s|['"])`,
  String.raw`pragma\s{1,9}\w`,
  String.raw`vacuum\s{0,9}(?:;|into\s|$)`,
  String.raw`explain\s{1,9}(?:query\s{1,9}plan\s{1,9})?(?:select|with)\s`,
];
const STATEMENT = new RegExp(`(?:${[...READING, ...OTHER].join('|')})`, 'iy');
const FIRST_WORD = /(?<![\w$])(?:select|values|with|insert|replace|delete|update|create|drop|alter|pragma|explain)\s/gi;

/** A line that can only be prose: after a blank line also one that begins like a sentence or a list. */
const SENTENCE = /(?:this|these|the|here|it|we|however|please|you|let|i)[ ’'][a-z’]|(?:note|explanation)(?::| that )/iy;
const SENTENCE_START = /(?:[#>*-]{1,6} |\*\*|\d{1,2}\. |[A-Z][a-z’']{0,30}(?:[,:]| [a-z]))/y;
const SQL_LINE =
  /(?:select|from|where|group|having|order|limit|offset|union|intersect|except|and|or|on|join|left|right|inner|outer|full|cross|natural|using|when|then|else|end|case|with|window|values|as|not|in|asc|desc)(?![\w$])/iy;

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f';
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** End of the comment that begins here, or null where none does. A block comment without an end goes to the text's. */
function commentEnd(text: string, at: number): number | null {
  if (text.startsWith('--', at)) return endOfLine(text, at);
  if (!text.startsWith('/*', at)) return null;
  const close = text.indexOf('*/', at + 2);
  return close < 0 ? text.length : close + 2;
}

/** Where the first character is that is neither space nor comment. */
export function skipTrivia(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (isSpace(text[at])) at++;
    const end = commentEnd(text, at);
    if (end === null) return at;
    at = end;
  }
}

/** Checks whether a statement begins here, behind spaces, comments and opening parentheses. */
export function startsStatement(text: string, from = 0): boolean {
  let at = skipTrivia(text, from);
  while (text[at] === '(') at = skipTrivia(text, at + 1);
  return matchesAt(STATEMENT, text, at);
}

/** Checks whether a word is written as SQL's keywords are: all in capitals, or in none. */
function isKeywordCase(word: string): boolean {
  return word === word.toUpperCase() || word === word.toLowerCase();
}

/** Checks whether only signs of lists, quotes and code are between a position and the beginning of its line. */
function beginsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 8), at);
  return /(?:^|\n)[ \t>*`(-]{0,8}$/.test(before) && (at <= 8 || before.includes('\n'));
}

/**
 * Where in prose the first statement begins: at the beginning of a line, else a word in capitals, else a `select` with
 * a `from` behind it; -1 where there is none.
 */
export function findStatement(text: string): number {
  const lastFrom = Math.max(text.lastIndexOf(' from '), text.lastIndexOf('\nfrom '), text.lastIndexOf(' FROM '));
  let [capital, other] = [-1, -1];
  for (const { 0: word, index } of text.matchAll(FIRST_WORD)) {
    if (!matchesAt(STATEMENT, text, index)) continue;
    if (isKeywordCase(word) && beginsLine(text, index)) return index;
    if (capital < 0 && word === word.toUpperCase()) capital = index;
    if (other < 0 && index < lastFrom) other = index;
  }
  return capital >= 0 ? capital : other;
}

const STATEMENT_END = /;[ \t\r]{0,9}\n/;

/**
 * The end of a quoted token; the quote doubled is part of it. -1 where it is not closed, or only behind what looks like
 * the statement's end.
 */
function quotedEnd(text: string, at: number): number {
  const quote = text.charAt(at);
  let end = at;
  do end = text.indexOf(quote, end + 1) + 1;
  while (end > 0 && text[end] === quote);
  return end > 0 && !STATEMENT_END.test(text.slice(at, end)) ? end : -1;
}

/** An end that no complete statement has. */
const OPEN_END =
  /(?:[,=<>+|/.]|(?<![\w$])(?:select|distinct|from|where|by|having|and|or|not|on|join|union|all|intersect|except|limit|then|else|when|case|in|like|between|as|set))$/i;

/** Where the first character of a line is that is no space. */
function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function isProse(text: string, at: number, afterBlank: boolean): boolean {
  const start = skipSpaces(text, at);
  if (matchesAt(SQL_LINE, text, start)) return false;
  return matchesAt(SENTENCE, text, start) || (afterBlank && matchesAt(SENTENCE_START, text, start));
}

function isComplete(text: string, end: number): boolean {
  return end > 0 && !OPEN_END.test(text.slice(Math.max(0, end - 12), end));
}

/** One statement's place in a text. */
export interface StatementPlace {
  /** Behind its last token: comments, spaces and the semicolon that follow are not in it. */
  readonly end: number;
  /** Where the text goes on behind it. */
  readonly next: number;
  /** The thing that ended it. */
  readonly stop: 'semicolon' | 'prose' | 'statement' | 'end';
}

const SELECT = /select(?![\w$])/iy;

/** Returns what ends a complete statement at a line's start: prose, or the next one after a query that stands alone. */
function lineStop(text: string, at: number, afterBlank: boolean, isSelect: boolean): 'prose' | 'statement' | null {
  if (isSelect && matchesAt(SELECT, text, skipSpaces(text, at))) return 'statement';
  return isProse(text, at, afterBlank) ? 'prose' : null;
}

/** An apostrophe without its counterpart: the quotes tell nothing, so the layout decides. */
function layoutEnd(text: string, from: number): StatementPlace {
  const found = /;[ \t\r]{0,9}\n|\n[ \t\r]{0,9}\n/.exec(text.slice(from));
  if (found === null) {
    const end = text.slice(from).trimEnd().replace(/;$/, '').length + from;
    return { end, next: text.length, stop: 'end' };
  }
  const end = from + found.index;
  return { end, next: end + 1, stop: text[end] === ';' ? 'semicolon' : 'prose' };
}

/**
 * Finds the end of the statement that begins at `from`: its semicolon, a line of prose, the next query, or the end.
 * Linear.
 */
export function scanStatement(text: string, from: number): StatementPlace {
  const isSelect = matchesAt(SELECT, text, skipTrivia(text, from));
  let [at, end, depth, lines] = [from, from, 0, 0];
  while (at < text.length) {
    const character = text.charAt(at);
    const comment = commentEnd(text, at);
    if (comment !== null) at = comment;
    else if (character === '\n') {
      at++;
      lines++;
      const stop = depth <= 0 && isComplete(text, end) ? lineStop(text, at, lines > 1, isSelect) : null;
      if (stop !== null) return { end, next: at, stop };
    } else if (isSpace(character)) at++;
    else if (character === ';') return { end, next: at + 1, stop: 'semicolon' };
    else {
      const isQuote = character === "'" || character === '"' || character === '`';
      at = isQuote ? quotedEnd(text, at) : at + 1;
      if (at < 0) return layoutEnd(text, from);
      if (character === '(') depth++;
      else if (character === ')') depth--;
      [end, lines] = [at, 0];
    }
  }
  return { end, next: text.length, stop: 'end' };
}
