import type { Table } from '../../../schema/schema.js';
import { comparedValues, type ReadQuery } from '../read-query.js';
import { renderString } from '../../../sql/dialect.js';
import type { AuditedGold } from '../audited-gold.js';
import { evidenceRun, type GoldFinding, plainFinding } from '../finding.js';

/** The tables of the schema that a query reads, each once. */
function bindingTables({ bound, database }: ReadQuery): readonly Table[] {
  const used = new Set(bound.tables.flatMap(({ kind, table }) => (kind === 'table' && table !== null ? [table] : [])));
  return [...used].flatMap((table) => database.tables[table] ?? []);
}

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

/** The values of equalities that their columns lack: "Reviewer.name = 'null'". */
async function absentValues(gold: AuditedGold): Promise<readonly string[]> {
  const { query } = gold;
  if (query === null) return [];
  const absent: string[] = [];
  for (const { column, operator, value } of comparedValues(query)) {
    if (column === null || typeof value !== 'string' || !/^==?$/.test(operator)) continue;
    const facts = await gold.factsOf(column);
    if (facts?.kind !== 'texts' || facts.distinct === null) continue;
    const isThere = facts.distinct.some((text) => text.toLowerCase() === value.toLowerCase());
    if (!isThere) absent.push(`${column.name} is ${renderString(value)}`);
  }
  return [...new Set(absent)];
}

/** Why a result is empty, so far as tables and values tell. */
async function reasonOf(gold: AuditedGold): Promise<string> {
  const empty = await emptyTables(gold);
  if (empty.length > 0)
    return `: ${empty.length === 1 ? 'table' : 'tables'} ${empty.join(', ')} ${empty.length === 1 ? 'has' : 'have'} no rows`;
  const absent = await absentValues(gold);
  return absent.length === 0 ? '' : `: no ${absent.join(', no ')}`;
}

/** Gold queries without a result. */
export async function checkEmpty(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const outcome = await gold.rows?.run(gold.executable);
  if (outcome?.kind !== 'rows') return [];
  const isNull = outcome.rows.length > 0 && outcome.rows.every((row) => row.every((value) => value === null));
  if (outcome.rows.length > 0 && !isNull) return [];
  const what = isNull ? 'The result is nothing but NULL' : 'The result has no rows';
  const evidence = [evidenceRun('on its database', gold.executable, outcome)];
  return [{ ...plainFinding('empty', `${what}${await reasonOf(gold)}.`), evidence }];
}
