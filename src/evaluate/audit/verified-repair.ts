import { compareResults } from '../../sql/execution/result-comparison.js';
import type { AuditedGold } from './audited-gold.js';
import type { GoldRepair } from './finding.js';

/** A repaired gold, executed and compared with the gold where there are rows; null where it gives no rows itself. */
export async function verifiedRepair(gold: AuditedGold, sql: string): Promise<GoldRepair | null> {
  if (gold.rows === null) return { sql, result: 'not-executed' };
  const [before, after] = [await gold.rows.run(gold.executable), await gold.rows.run(sql)];
  if (after.kind !== 'rows') return null;
  const isSame = before.kind === 'rows' && compareResults(before, after, 'ordered', 'numeric') === null;
  return { sql, result: isSame ? 'same' : 'changed' };
}
