import { renderString } from '../../../sql/dialect.js';
import type { SqlValue } from '../../../sql/execution/query-outcome.js';

/** `PRAGMA encoding` of a database: the bytes that CAST makes a text of. */
export type TextEncoding = 'UTF-8' | 'UTF-16le' | 'UTF-16be';

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return 'NULL';
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return /[.e]/u.test(text) ? text : `${text}.0`;
}

function bytesOf(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'UTF-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'UTF-16be' ? bytes.swap16() : bytes;
}

function renderBlob(bytes: Uint8Array): string {
  return `x'${Buffer.from(bytes).toString('hex')}'`;
}

/**
 * A value as a SQL literal that SQLite reads back as exactly that value and storage class. A text with NUL, which would
 * end the statement, goes by its bytes; NaN is NULL, as SQLite stores it.
 */
export function renderLiteral(value: SqlValue, encoding: TextEncoding): string {
  if (value === null) return 'NULL';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return renderNumber(value);
  if (typeof value !== 'string') return renderBlob(value);
  return value.includes('\0') ? `CAST(${renderBlob(bytesOf(value, encoding))} AS TEXT)` : renderString(value);
}
