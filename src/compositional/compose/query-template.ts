import { sha256Of } from '../../run/sha256.js';
import type { ClauseQuery } from '../clauses/clause.js';

const TEMPLATE_DIGITS = 12;

/** Keys of a clause tree whose values name a column, a table or a value: what a template leaves open. */
const OPEN: ReadonlySet<string> = new Set(['table', 'column', 'copy', 'value', 'count', 'offset']);

/** The shape of a query, as a hash: its clauses with every column, table and literal left open (Finegan-Dollak et al. 2018). */
export function templateOf(query: ClauseQuery): string {
  const shape = JSON.stringify(query, (key, value: unknown) =>
    OPEN.has(key) && (typeof value === 'number' || typeof value === 'string' || value === null) ? '_' : value,
  );
  return sha256Of(shape).slice(0, TEMPLATE_DIGITS);
}
