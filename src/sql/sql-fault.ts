import { SqlRewriteError } from '../errors.js';

const SNIPPET = 24;

function snippetAt(sql: string, offset: number): string {
  const start = Math.max(0, offset - SNIPPET);
  const end = Math.min(sql.length, offset + SNIPPET);
  const text = `${sql.slice(start, offset)}»${sql.slice(offset, end)}`.replace(/\s+/g, ' ');
  return `${start > 0 ? '…' : ''}${text}${end < sql.length ? '…' : ''}`;
}

/** Line and column of an offset, both counted from 1. */
function positionAt(sql: string, offset: number): { readonly line: number; readonly column: number } {
  const before = sql.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A SqlRewriteError with the offset, and in its message `line:column` and the text around it (`»` marks the place). */
export function sqlFault(sql: string, offset: number, reason: string, fix: string): SqlRewriteError {
  const { line, column } = positionAt(sql, offset);
  const text = `${offset} (${line}:${column}), near: ${snippetAt(sql, offset)}`;
  return new SqlRewriteError(reason, { fix, place: { offset, text } });
}

/** What `read` makes of a query, or `otherwise` where the query can't be parsed, resolved or rewritten. */
export function whereReadable<T, F>(read: () => T, otherwise: F): T | F {
  try {
    return read();
  } catch (error) {
    if (error instanceof SqlRewriteError) return otherwise;
    throw error;
  }
}
