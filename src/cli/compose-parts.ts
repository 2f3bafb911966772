import { isFile } from '../regular-file.js';
import { loadFinalSplits } from '../annotate/final-splits.js';
import { type AlignedSource, AnnotatedSource, DecidedSource } from '../compositional/compose/aligned-source.js';
import { AutomaticSource } from '../compositional/compose/automatic-source.js';
import type { ComposeParts } from '../compositional/compose/compose-job.js';
import { EnglishParser } from '../compositional/parser/english-parser.js';
import { whereReadable } from '../sql/sql-fault.js';
import { hardnessOf } from '../evaluate/exact/hardness.js';
import { FluencyModel } from '../fluency/fluency-model.js';
import { type FluencyChoice, FluencyJudge } from '../llm/fluency-judge.js';
import { isSqliteFile } from '../formats/sqlite-tables.js';
import type { Database } from '../schema/schema.js';
import { toSpiderSql } from '../sql/spider-sql.js';
import type { ComposeOptions } from '../compositional/compose/compose-options.js';
import { AUDIT_CLASSES, type AuditClassName } from '../evaluate/audit/audit-classes.js';
import { auditDataset } from '../evaluate/audit/audit-dataset.js';
import { DATASET_NEEDS } from '../formats/dataset-formats.js';
import { type RunHost, NOOP_HOST } from '../run/run-host.js';

/** Checks whether a query with such a finding may say something else than its question, whatever it gives. */
const isDistrusted = (name: AuditClassName): boolean => AUDIT_CLASSES[name].level === 'error' || name === 'bare-column';

/**
 * Ids of the examples whose gold query the audit distrusts, each with the first class that was found: errors, and
 * columns of which a group has several values. Gold queries are executed where the run executes them.
 */
async function distrustedGolds(
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

/** Spider's hardness of a gold; null where it is outside Spider's grammar. */
function goldHardness(sql: string, database: Database): string | null {
  return whereReadable(() => hardnessOf(toSpiderSql(sql, database)), null);
}

/** Sub-sentences by people: decisions of an annotation project, or a file of Spider-SS. */
function openAnnotations(file: string): AlignedSource {
  const isProject = isFile(file) && isSqliteFile(file);
  return isProject ? new DecidedSource(loadFinalSplits(file).splits) : new AnnotatedSource(file);
}

/** Opens the parts given to `compose`: hardness, the audit of gold queries, sub-sentences by people or our parser. */
export async function openComposeParts(
  annotations: string | null,
  askFluency: FluencyChoice | null = null,
): Promise<ComposeParts> {
  const asked = askFluency === null ? null : new FluencyJudge(askFluency);
  const source = annotations === null ? new AutomaticSource(await EnglishParser.open()) : openAnnotations(annotations);
  return { source, hardnessOf: goldHardness, fluency: FluencyModel.open(), asked, distrust: distrustedGolds };
}
