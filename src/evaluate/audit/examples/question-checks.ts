import type { GoldFinding } from '../finding.js';
import type { AuditedExample } from './audited-example.js';
import { findBoundMismatch } from './bound-mismatch.js';
import { findMissingCount } from './missing-count.js';
import { findSuperlative } from './superlative.js';
import { findTextExtreme } from './text-extreme.js';
import { findValueMismatch } from './value-mismatch.js';

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
export async function checkQuestion(one: AuditedExample): Promise<readonly GoldFinding[]> {
  const found: (GoldFinding | null)[] = [];
  for (const check of QUESTION_CHECKS) found.push(await check(one));
  return found.filter((finding) => finding !== null);
}
