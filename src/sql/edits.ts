import type { Span } from './tokenizer.js';

/** One replacement in a SQL text: offsets are into the text before any edit; an insertion has start = end. */
export interface SqlEdit {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** A query after a rewrite, with the edits that led to it in order of position. */
export interface RewrittenSql {
  readonly sql: string;
  readonly edits: readonly SqlEdit[];
}

/** A query after a rewrite that also counts the double-quoted strings it wrote in single quotes. */
export interface QuotedSql extends RewrittenSql {
  readonly literals: number;
}

/** Edits in order of position; of two insertions at one place the earlier recorded comes first. */
export function sortEdits(edits: readonly SqlEdit[]): SqlEdit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The text after edits that do not overlap, given in order of position. */
export function applyEdits(sql: string, edits: readonly SqlEdit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, after } of edits) {
    result += sql.slice(at, start) + after;
    at = end;
  }
  return result + sql.slice(at);
}

/** A part of a text after the edits in it, given in any order. */
export function editedPart(sql: string, edits: readonly SqlEdit[], { start, end }: Span): string {
  const inside = edits.filter((edit) => edit.start >= start && edit.end <= end);
  const shifted = inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(sql.slice(start, end), sortEdits(shifted));
}

const JOINS_WORDS = /[A-Za-z0-9_$"'`[\u0080-\uFFFF]/;

/** A replacement for [start, end), with a space added where it would run into the token next to it. */
export function spacedEdit(sql: string, start: number, end: number, text: string): SqlEdit {
  const before = JOINS_WORDS.test(sql[start - 1] ?? '') ? ' ' : '';
  const after = JOINS_WORDS.test(sql[end] ?? '') ? ' ' : '';
  return { start, end, before: sql.slice(start, end), after: before + text + after };
}

/** An insertion after the token that ends at an offset, set apart by spaces. */
export function insertion(sql: string, at: number, text: string): SqlEdit {
  return { start: at, end: at, before: '', after: ` ${text}${JOINS_WORDS.test(sql[at] ?? '') ? ' ' : ''}` };
}
