import type { Expression } from '../../../sql/ast.js';
import { columnKey, keyColumns } from '../../../schema/schema.js';
import { bareExpression } from '../../../sql/ast-walk.js';
import { findEach, type GoldFinding, plainFinding } from '../finding.js';
import type { ReadQuery } from '../read-query.js';
import type { AuditedExample } from '../audited-gold.js';
import { findBoundMismatch } from './bound-mismatch.js';
import { findSuperlative, findTextExtreme } from './superlative.js';
import { findValueMismatch } from './value-mismatch.js';

/** Names of columns that hold a number of things. */
const AMOUNT = /count|number|num|total|amount|quantity|qty|population|capacity|times|_of_|size/i;

/** Checks whether a result column can't be a number of things: text, or a key. */
function isNoAmount(query: ReadQuery, expression: Expression): boolean {
  const bare = bareExpression(expression);
  if (bare.kind !== 'column') return false;
  const named = query.column(bare);
  if (named === null || AMOUNT.test(named.column)) return false;
  return keyColumns(query.database).has(columnKey(named.ref)) || named.type === 'text';
}

/** Gold queries of "how many" that show names or keys, and count nothing. */
function findMissingCount({ example: { question }, gold }: AuditedExample): GoldFinding | null {
  const query = gold.written;
  if (query === null || !/^\W*(?:\p{L}+,? ){0,3}?how many\b/iu.test(question)) return null;
  if (/\b(?:count|sum|total|avg|max|min)\s*\(/i.test(query.sql)) return null;
  const results = query.sites.cores.filter(({ select }) => select.use === 'result');
  const isWithout = results.every(({ node }) =>
    node.columns.every((column) => column.kind === 'star' || isNoAmount(query, column.expression)),
  );
  if (results.length === 0 || !isWithout) return null;
  return plainFinding('missing-count', 'The question asks how many, and the query counts nothing.', false);
}

/** Looks for one class in a gold query next to its question. */
type QuestionCheck = (one: AuditedExample) => Promise<GoldFinding | null> | GoldFinding | null;

/** Every check of a gold query next to its question; a new one is its file and a line here. */
const QUESTION_CHECKS: readonly QuestionCheck[] = [
  findValueMismatch,
  findSuperlative,
  findBoundMismatch,
  findMissingCount,
  findTextExtreme,
];

/** Returns faults, or possible faults, of a gold query that its question shows. */
export function checkQuestion(one: AuditedExample): Promise<readonly GoldFinding[]> {
  return findEach(QUESTION_CHECKS, (check) => check(one));
}
