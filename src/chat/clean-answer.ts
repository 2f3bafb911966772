import { jsonIn } from '../json-in.js';
import { findStatement, scanStatement, skipTrivia, startsStatement } from './statement-scan.js';

// As in statement-scan.ts: no pattern repeats without a bound over text that another one can repeat over.

/** Names under which models put SQL into JSON. */
const SQL_KEYS = ['sql', 'query', 'sql_query', 'sqlquery', 'answer', 'final_sql', 'predicted_sql', 'response'];
const SQL_FIELD = new RegExp(String.raw`[{,]\s*"(?:${SQL_KEYS.join('|')})"\s*:\s*"`, 'i');

/** The SQL of a JSON value: the text itself, or a field of an object or of a list's first one. */
function sqlIn(value: unknown): string | null {
  const first = Array.isArray(value) ? (value as readonly unknown[])[0] : value;
  if (typeof first === 'string') return first;
  if (typeof first !== 'object' || first === null) return null;
  const fields = new Map(Object.entries(first).map(([name, field]) => [name.toLowerCase(), field as unknown]));
  for (const key of SQL_KEYS) {
    const field = fields.get(key);
    if (typeof field === 'string') return field;
  }
  return null;
}

/** The JSON string that begins behind an opening quote, raw line ends allowed; null where it has no end. */
function jsonString(text: string, from: number): string | null {
  let end = from;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return null;
  const escaped = text.slice(from, end).replaceAll('\r', '').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  const value = jsonIn(`"${escaped}"`);
  return typeof value === 'string' ? value : null;
}

/** The SQL of an answer that is JSON from end to end, or null. */
function jsonSql(text: string): string | null {
  const first = text.trimStart()[0];
  return first === '{' || first === '[' || first === '"' ? sqlIn(jsonIn(text)) : null;
}

/** The SQL of a field "sql" in what resembles JSON, prose around it or not, or null. */
function jsonFieldSql(text: string): string | null {
  if (!text.includes('{') || startsStatement(text)) return null;
  const field = SQL_FIELD.exec(text);
  return field === null ? null : jsonString(text, field.index + field[0].length);
}

const FENCE = '```';
const SQL_LANGUAGES = /^(?:sql|sqlite3?|mysql|mariadb|postgres|postgresql|psql|tsql|plsql|json)$/i;
const LANGUAGE = /([A-Za-z0-9+#.-]{0,20})[ \t\r]{0,9}\n|(sql|sqlite3?|mysql|postgres|postgresql|json)\s/iy;

interface FencedBlock {
  /** Where its fences begin and end. */
  readonly start: number;
  readonly end: number;
  readonly language: string;
  readonly content: string;
}

function blockBehind(text: string, open: number, close: number): Pick<FencedBlock, 'language' | 'content'> {
  LANGUAGE.lastIndex = open;
  const match = LANGUAGE.exec(text);
  if (match === null || LANGUAGE.lastIndex > close) return { language: '', content: text.slice(open, close) };
  return { language: match[1] ?? match[2] ?? '', content: text.slice(LANGUAGE.lastIndex, close) };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The code blocks of a text that hold something; the last one need not be closed. */
function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  for (let open = text.indexOf(FENCE); open >= 0;) {
    const close = text.indexOf(FENCE, open + FENCE.length);
    const end = close < 0 ? text.length : close;
    const block = isBlank(text.slice(open + FENCE.length, end)) ? null : blockBehind(text, open + FENCE.length, end);
    if (block !== null && !isBlank(block.content)) blocks.push({ ...block, start: open, end: end + FENCE.length });
    open = close < 0 ? -1 : text.indexOf(FENCE, end + FENCE.length);
  }
  return blocks;
}

/** The contents of an answer's fences. */
interface FencedSql {
  /** The first block of SQL. */
  readonly content: string;
  /** Contents of the blocks of SQL behind it. */
  readonly others: readonly string[];
  readonly before: boolean;
  readonly after: boolean;
}

function isSql({ language, content }: FencedBlock): boolean {
  return SQL_LANGUAGES.test(language) || startsStatement(content);
}

/** The SQL between code fences, or null. An answer that begins with SQL and then has a fence ends there. */
function fencedSql(text: string): FencedSql | null {
  const open = text.indexOf(FENCE);
  if (open < 0) return null;
  if (startsStatement(text)) {
    return {
      content: text.slice(0, open),
      others: [],
      before: false,
      after: !isBlank(text.slice(open + FENCE.length)),
    };
  }
  const blocks = fencedBlocks(text);
  const marked = blocks.filter(isSql);
  const [first, ...others] = marked.length === 0 && blocks.length === 1 ? blocks : marked;
  if (first === undefined) return null;
  return {
    content: first.content,
    others: others.map(({ content }) => content),
    before: !isBlank(text.slice(0, first.start)),
    after: !isBlank(text.slice(first.end)),
  };
}

const LABEL =
  /^[*_#>\s]{0,20}(?:(?:the )?(?:final |generated |predicted )?(?:sql(?:ite)?|mysql|postgresql)(?: (?:query|statement|code|answer))?|query|(?:final )?answer|output)(?: is)?[*_ \t]{0,9}:[*_]{0,4}\s{0,99}|^\s{0,99}sql(?:ite)?[ \t\r]{0,9}\n/i;

/** The text without a leading label, "SQL:", "**Query:**" or a line "sql". */
function withoutLabel(text: string): string {
  return text.replace(LABEL, '');
}

/**
 * The code between single backticks that begins at `start`, up to the last backtick of its line; null where none does.
 */
function inlineCode(text: string, start: number): string | null {
  if (start === 0 || text[start - 1] !== '`') return null;
  const line = text.indexOf('\n', start);
  const end = text.lastIndexOf('`', line < 0 ? text.length : line);
  return end < start ? null : text.slice(start, end);
}

// No pattern repeats without a bound over text that another one can repeat over.

const BYTE_ORDER_AND_CONTROL = /[\u0000-\u0008\u000B\u000E-\u001F\u007F\u200B\u2060\uFEFF]/g; // eslint-disable-line no-control-regex
/** Joiners mean something between letters of some scripts and in emoji, nothing besides ASCII. */
const STRAY_JOINERS = /(?<![\u0080-\uFFFF])[\u200C\u200D]|[\u200C\u200D](?![\u0080-\uFFFF])/g;
const NO_BREAK_SPACES = /[\u00A0\u202F\u2028\u2029]/g;

/** The text without byte order marks, NUL, other controls and characters of no width; special spaces become plain ones. */
export function withoutInvisible(text: string): string {
  return text.replace(BYTE_ORDER_AND_CONTROL, '').replace(STRAY_JOINERS, '').replace(NO_BREAK_SPACES, ' ');
}

const THINKING_TAG = /<(\/?)(?:think|thinking|reasoning|thought)>/gi;

/**
 * The text without `<think>…</think>`. Templates that put the first tag into the prompt leave only the second, and an
 * answer that ends while thinking only the first: what is before, or after, is thinking.
 */
export function withoutThinking(text: string): string {
  let [kept, from, depth] = ['', 0, 0];
  for (const { 0: tag, 1: slash, index } of text.matchAll(THINKING_TAG)) {
    if (slash === '') {
      if (depth++ === 0) kept += text.slice(from, index);
    } else {
      if (depth === 0) kept = '';
      depth = Math.max(0, depth - 1);
    }
    if (slash !== '' || depth > 0) from = index + tag.length;
  }
  if (depth === 0) return kept + text.slice(from);
  // Not closed: thinking if the answer begins with it, else the tag is in a string of the SQL.
  return kept.trim() === '' ? kept : kept + text.slice(kept.length);
}

const FINAL_CHANNEL = '<|channel|>final<|message|>';
const LEADING_TOKENS = /^(?:\s{0,99}(?:<\|[\w ]{1,40}\|>|<s>)){1,20}/;
const SPECIAL_TOKEN = /<\|[\w ]{1,40}\|>|<\/s>/;

/** The text without a model's special tokens and what follows the first one behind the answer. */
export function withoutSpecialTokens(text: string): string {
  const final = text.lastIndexOf(FINAL_CHANNEL);
  const answer = (final < 0 ? text : text.slice(final + FINAL_CHANNEL.length)).replace(LEADING_TOKENS, '');
  const end = answer.search(SPECIAL_TOKEN);
  return end < 0 ? answer : answer.slice(0, end);
}

/** The steps that clean away text around SQL; spaces at both ends go without a name. */
const CLEANING_STEPS = [
  'invisible-characters',
  'thinking',
  'special-tokens',
  'json',
  'code-fence',
  'inline-code',
  'label',
  'prose-before',
  'prose-after',
  'further-statements',
  'trailing-comment',
  'semicolon',
] as const;
export type CleaningStep = (typeof CLEANING_STEPS)[number];

/** The SQL found in a model's reply. */
export interface CleanedSql {
  /** The first statement, without a semicolon; null where there is none. */
  readonly sql: string | null;
  /** The cleaning steps that were needed, each once, in the order of `CLEANING_STEPS`. */
  readonly steps: readonly CleaningStep[];
  /** The statements behind the first. */
  readonly rest: readonly string[];
}

/** The text on its way to SQL. */
class Cleaner {
  readonly #steps = new Set<CleaningStep>();
  readonly #rest: string[] = [];
  #text: string;
  /** True if a fence, a field or a label says that this is SQL, even where it does not look like it. */
  #marked = false;

  constructor(raw: string) {
    this.#text = raw;
  }

  clean(): CleanedSql {
    this.#strip('invisible-characters', withoutInvisible);
    this.#strip('thinking', withoutThinking);
    this.#strip('special-tokens', withoutSpecialTokens);
    // JSON may be in a fence, and a fence in JSON.
    this.#unwrapJson(jsonSql(this.#text));
    this.#unwrapFence();
    this.#unwrapJson(jsonSql(this.#text) ?? jsonFieldSql(this.#text));
    const unlabelled = this.#text;
    this.#strip('label', withoutLabel);
    this.#marked ||= this.#text !== unlabelled;
    const sql = this.#cutProse() ? this.#takeStatements() : null;
    return { sql, steps: CLEANING_STEPS.filter((step) => this.#steps.has(step)), rest: this.#rest };
  }

  #strip(step: CleaningStep, change: (text: string) => string): void {
    const changed = change(this.#text);
    if (changed.length !== this.#text.length) this.#steps.add(step);
    this.#text = changed;
  }

  #unwrapJson(sql: string | null): void {
    if (sql === null) return;
    this.#steps.add('json');
    this.#text = sql;
    this.#marked = true;
  }

  #unwrapFence(): void {
    const fenced = fencedSql(this.#text);
    if (fenced === null) return;
    this.#steps.add('code-fence');
    if (fenced.before) this.#steps.add('prose-before');
    if (fenced.after) this.#steps.add('prose-after');
    this.#rest.push(...fenced.others.map((other) => other.trim()));
    this.#text = fenced.content;
    this.#marked = true;
  }

  /** Cuts what is before the statement; false where there is none. */
  #cutProse(): boolean {
    if (startsStatement(this.#text)) return true;
    const start = findStatement(this.#text);
    if (start < 0) return this.#marked && this.#text.trim() !== '';
    const code = inlineCode(this.#text, start);
    if (code !== null) this.#steps.add('inline-code');
    if (this.#text.slice(0, start).replaceAll('`', '').trim() !== '') this.#steps.add('prose-before');
    this.#text = code ?? this.#text.slice(start);
    return true;
  }

  /** The first statement; those behind it go to the rest. */
  #takeStatements(): string | null {
    let first: string | null = null;
    const others: string[] = [];
    for (let from = 0; from < this.#text.length;) {
      if (first !== null && !startsStatement(this.#text, from)) {
        if (skipTrivia(this.#text, from) < this.#text.length) this.#noteTail(from);
        break;
      }
      const { sql, next } = this.#takeStatement(from, first === null);
      if (first === null) first = sql;
      else if (sql !== '') others.push(sql);
      from = next;
    }
    this.#rest.unshift(...others);
    if (this.#rest.length > 0) this.#steps.add('further-statements');
    return first === '' ? null : first;
  }

  #takeStatement(from: number, isFirst: boolean): { readonly sql: string; readonly next: number } {
    const { end, next, stop } = scanStatement(this.#text, from);
    if (isFirst) {
      const behind = this.#text.slice(end, stop === 'semicolon' ? next - 1 : next);
      if (behind.trim() !== '') this.#steps.add('trailing-comment');
      if (stop === 'semicolon') this.#steps.add('semicolon');
    }
    return { sql: this.#text.slice(from, end).trim(), next };
  }

  /** Words behind the statements; lone semicolons are no words. */
  #noteTail(from: number): void {
    const tail = this.#text.slice(from).trim();
    if (tail.replaceAll(';', '').trim() !== '') this.#steps.add('prose-after');
  }
}

/**
 * Finds the SQL in what a chat model says: without thinking, code fences, JSON, labels, prose, comments and semicolons
 * around it. Of several statements the first is kept. The SQL itself is not changed, apart from characters that can't
 * be seen. Never throws; linear in the length.
 */
export function cleanSql(raw: string): CleanedSql {
  return new Cleaner(raw).clean();
}
