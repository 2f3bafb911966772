import { bindingTables } from '../query-tables.js';
import type { AuditedGold } from '../audited-gold.js';
import { evidenceRun } from '../evidence.js';
import type { GoldFinding } from '../finding.js';

/** The tables of a query that hold no rows. */
async function emptyTables({ query, rows }: AuditedGold): Promise<readonly string[]> {
  if (query === null || rows === null) return [];
  const empty: string[] = [];
  for (const { originalName, columns } of bindingTables(query)) {
    const facts = await rows.facts(originalName, columns[0]?.originalName ?? '');
    if (facts?.rows === 0) empty.push(originalName);
  }
  return empty;
}

/** Golds without a result. */
export async function checkEmpty(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const outcome = await gold.rows?.run(gold.executable);
  if (outcome?.kind !== 'rows') return [];
  const isNull = outcome.rows.length > 0 && outcome.rows.every((row) => row.every((value) => value === null));
  if (outcome.rows.length > 0 && !isNull) return [];
  const empty = await emptyTables(gold);
  const what = isNull ? 'The result is nothing but NULL' : 'The result has no rows';
  const why = empty.length === 0 ? '' : `: ${empty.length === 1 ? 'table' : 'tables'} ${empty.join(', ')} ${empty.length === 1 ? 'is' : 'are'} empty`;
  const evidence = [evidenceRun('on its database', gold.executable, outcome)];
  return [{ class: 'empty', isShown: true, sentence: `${what}${why}.`, evidence, repair: null }];
}
