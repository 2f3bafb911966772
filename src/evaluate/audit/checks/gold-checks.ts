import type { AuditClassName } from '../audit-classes.js';
import type { AuditedGold } from '../audited-gold.js';
import type { GoldFinding } from '../finding.js';
import { checkAndOr } from './and-or-check.js';
import { checkConstant } from './constant-check.js';
import { checkDoubleQuotes } from './double-quote-check.js';
import { checkEmpty } from './empty-check.js';
import { checkFailure } from './failure-check.js';
import { checkNondeterminism } from './nondeterminism-check.js';
import { checkNullOrder } from './null-order-check.js';
import { checkNumberTexts } from './number-text-check.js';
import { checkRowOrder } from './row-order-check.js';
import { checkTimeTexts } from './time-text-check.js';
import { checkTextSums } from './text-sum-check.js';
import { checkUnjoinedTables } from './unjoined-table-check.js';

/** Looks for some classes in one gold query. It never throws for what the query is or does. */
type GoldCheck = (gold: AuditedGold) => Promise<readonly GoldFinding[]> | readonly GoldFinding[];

/** Every check of a gold query by itself but whether it runs; a new one is its file and a line here. */
const GOLD_CHECKS: readonly GoldCheck[] = [
  checkConstant,
  checkTimeTexts,
  checkEmpty,
  checkRowOrder,
  checkNullOrder,
  checkNumberTexts,
  checkTextSums,
  checkUnjoinedTables,
  checkAndOr,
  checkNondeterminism,
  checkDoubleQuotes,
];

/** Returns the faults of a gold query: one per class, one that rows show rather than one that is only possible. */
export async function checkAll(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const byClass = new Map<AuditClassName, GoldFinding>();
  const keep = (finding: GoldFinding): void => {
    const known = byClass.get(finding.class);
    if (known === undefined || (finding.isShown && !known.isShown)) byClass.set(finding.class, finding);
  };
  (await checkFailure(gold)).forEach(keep);
  const outcome = await gold.rows?.run(gold.executable);
  // Variants of a gold that does not end would not end either, each after its time.
  const checked = outcome === undefined || outcome.kind === 'rows' ? gold : gold.withoutRows();
  for (const check of GOLD_CHECKS) (await check(checked)).forEach(keep);
  return [...byClass.values()];
}
