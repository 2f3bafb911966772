import { startsStatement } from './statement-scan.js';

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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON string that begins behind an opening quote, raw line ends allowed; null where it has no end. */
function jsonString(text: string, from: number): string | null {
  let end = from;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return null;
  const escaped = text.slice(from, end).replaceAll('\r', '').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  const value = parsed(`"${escaped}"`);
  return typeof value === 'string' ? value : null;
}

/** The SQL of an answer that is JSON from end to end, or null. */
export function jsonSql(text: string): string | null {
  const first = text.trimStart()[0];
  return first === '{' || first === '[' || first === '"' ? sqlIn(parsed(text)) : null;
}

/** The SQL of a field "sql" in what resembles JSON, prose around it or not, or null. */
export function jsonFieldSql(text: string): string | null {
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
export interface FencedSql {
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
export function fencedSql(text: string): FencedSql | null {
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
export function withoutLabel(text: string): string {
  return text.replace(LABEL, '');
}

/**
 * The code between single backticks that begins at `start`, up to the last backtick of its line; null where none does.
 */
export function inlineCode(text: string, start: number): string | null {
  if (start === 0 || text[start - 1] !== '`') return null;
  const line = text.indexOf('\n', start);
  const end = text.lastIndexOf('`', line < 0 ? text.length : line);
  return end < start ? null : text.slice(start, end);
}
