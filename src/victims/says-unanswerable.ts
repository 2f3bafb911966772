import { saysNoAnswer } from '../formats/no-answer.js';
import type { VictimAnswer } from './victim.js';

/** A word for no answer as a query of its own: `SELECT NULL`, `SELECT 'unanswerable'`. */
const CONSTANT = /^select\s+['"]?([^'"]*?)['"]?(?:\s+as\s+\w+)?$/i;

/**
 * Checks whether a victim says that a question has no answer on its schema: no SQL at all, where it was asked and
 * answered with nothing, a word for it (`null`, `unanswerable`, `not answerable` …), or a query that returns but that
 * word. A refusal by a service's filter, prose, and an answer that was never given are none.
 */
export function saysUnanswerable({ sql, raw, failure }: VictimAnswer): boolean {
  if (failure !== null && failure.kind !== 'no-sql') return failure.kind === 'empty';
  const text = (sql ?? raw).trim().replace(/[.;]$/, '').trim();
  const constant = CONSTANT.exec(text)?.[1];
  return saysNoAnswer(text) || (constant !== undefined && saysNoAnswer(constant));
}
