import { whereReadable } from '../sql-fault.js';
import { foldName, renderString } from '../dialect.js';
import { applyEdits, spacedEdit, type SqlEdit } from '../edits.js';
import { meaningfulTokens, type Span, type Token, unquote } from '../tokenizer.js';
import { type ExpressionPart, readTableText, type TableText } from './table-text.js';

/** The tokens of a definition; none of one that can't be cut into tokens, which is left as it is. */
function tokensOf(sql: string): readonly Token[] {
  return whereReadable(() => meaningfulTokens(sql), []);
}

const wordOf = (token: Token | undefined): string => (token?.kind === 'word' ? token.text.toUpperCase() : '');

/** The tokens that name a collation which is not among those known (folded names). */
function unknownCollations(sql: string, known: ReadonlySet<string>): readonly Token[] {
  if (!/\bcollate\b/iu.test(sql)) return [];
  const tokens = tokensOf(sql);
  return tokens.filter((token, i) => wordOf(tokens[i - 1]) === 'COLLATE' && !known.has(foldName(unquote(token))));
}

/** Collations that a definition names and that are not among those known (folded names), each once. */
export function collationsMissingIn(sql: string, known: ReadonlySet<string>): readonly string[] {
  return [...new Set(unknownCollations(sql, known).map(unquote))];
}

/** A definition with BINARY, SQLite's own, for each collation that is not among those known (folded names). */
export function withKnownCollations(sql: string, known: ReadonlySet<string>): string {
  const tokens = unknownCollations(sql, known);
  return applyEdits(
    sql,
    tokens.map(({ start, end }) => spacedEdit(sql, start, end, 'BINARY')),
  );
}

/** Words before a name that is no value: of an object, a collation. */
const BEFORE_NAMES = new Set('TABLE EXISTS INDEX VIEW ON FROM JOIN REFERENCES CONSTRAINT COLLATE AS'.split(' '));

/** A definition with each `"text"` that stands where a value can in single quotes. */
export function withSingleQuoted(sql: string, text: string): string {
  const tokens = tokensOf(sql);
  const values = tokens.filter((token, i) => {
    if (token.quote !== 'double' || unquote(token) !== text) return false;
    const isPart = tokens[i - 1]?.text === '.' || tokens[i + 1]?.text === '.';
    return !isPart && !BEFORE_NAMES.has(wordOf(tokens[i - 1]));
  });
  return applyEdits(
    sql,
    values.map(({ start, end }) => spacedEdit(sql, start, end, renderString(text))),
  );
}

function calls(sql: string, { start, end }: Span, name: string): boolean {
  const tokens = tokensOf(sql.slice(start, end));
  return tokens.some((token, i) => tokens[i + 1]?.text === '(' && foldName(unquote(token)) === foldName(name));
}

/**
 * The words and parentheses of a generated column's clause around its expression, and whether its values are stored.
 */
function generatedClause(sql: string, { start, end }: Span): Span & { readonly isStored: boolean } {
  const tokens = tokensOf(sql);
  const open = tokens.findLastIndex((token) => token.text === '(' && token.end <= start);
  const close = tokens.findIndex((token) => token.text === ')' && token.start >= end);
  const isNamed = wordOf(tokens[open - 2]) === 'ALWAYS' && wordOf(tokens[open - 3]) === 'GENERATED';
  const kind = wordOf(tokens[close + 1]);
  const last = kind === 'STORED' || kind === 'VIRTUAL' ? close + 1 : close;
  return {
    start: tokens[isNamed ? open - 3 : open - 1]?.start ?? start,
    end: tokens[last]?.end ?? end,
    isStored: kind === 'STORED',
  };
}

/** Returns the edit that removes a column from its table's list, with the comma before or, for the first, after it. */
function columnEdit(sql: string, { columns }: TableText, at: number): SqlEdit {
  const start = columns[at - 1]?.end ?? columns[at]?.name.span.start ?? 0;
  const end = (at > 0 ? columns[at]?.end : columns[1]?.name.span.start) ?? start;
  return { start, end, before: sql.slice(start, end), after: '' };
}

function partEdit(sql: string, text: TableText, part: ExpressionPart): SqlEdit {
  const { start, end } = part.span;
  if (part.use === 'check') return spacedEdit(sql, start, end, '1');
  const clause = generatedClause(sql, part.span);
  if (clause.isStored) return spacedEdit(sql, clause.start, clause.end, '');
  const at = text.columns.findIndex((column) => column.name.span.start < start && start < column.end);
  return columnEdit(sql, text, at);
}

/**
 * A table's definition without what calls a function: a CHECK accepts everything, a stored generated column has the
 * values that it has, one that is generated when it is read is taken out. The rows fit this definition as they are.
 * @throws SqlRewriteError when it can't be read
 */
export function withoutCalls(sql: string, name: string): string {
  for (let repaired = sql; ;) {
    const text = readTableText(repaired);
    const part = text.parts.find((one) => one.kind === 'expression' && calls(repaired, one.span, name));
    if (part?.kind !== 'expression') return repaired;
    const next = applyEdits(repaired, [partEdit(repaired, text, part)]);
    if (next === repaired) return repaired;
    repaired = next;
  }
}
