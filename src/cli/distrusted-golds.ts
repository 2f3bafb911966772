import type { ComposeOptions } from '../compositional/compose/compose-options.js';
import { AUDIT_CLASSES, type AuditClassName } from '../evaluate/audit/audit-classes.js';
import { auditDataset } from '../evaluate/audit/audit-dataset.js';
import { DATASET_NEEDS } from '../formats/dataset-formats.js';
import { type RunHost, NOOP_HOST } from '../run/run-host.js';

/** Checks whether a query with such a finding may say something else than its question, whatever it gives. */
const isDistrusted = (name: AuditClassName): boolean => AUDIT_CLASSES[name].level === 'error' || name === 'bare-column';

/**
 * Ids of the examples whose gold query the audit distrusts, each with the first class that was found: errors, and
 * columns of which a group has several values. Golds are executed where the run executes them.
 */
export async function distrustedGolds(
  { verify, dataset, tables, examples, databases, connection, jobs }: ComposeOptions,
  { signal }: RunHost,
): Promise<ReadonlyMap<string, string>> {
  const needs: readonly string[] = DATASET_NEEDS[dataset];
  const rows = verify || needs.includes('databases') ? databases : null;
  const paths = { dataset, tables, examples, databases: rows, connection, jobs };
  const { findings } = await auditDataset(paths, { ...NOOP_HOST, signal });
  const found = new Map<string, string>();
  for (const { example, class: name } of findings) {
    if (example !== null && isDistrusted(name) && !found.has(example)) found.set(example, name);
  }
  return found;
}
