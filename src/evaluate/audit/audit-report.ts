import type { DatasetFormat } from '../../formats/dataset-formats.js';
import { AUDIT_CLASS_NAMES, type AuditClassName } from './audit-classes.js';
import type { AuditFinding } from './finding.js';

/** How often a class was found. */
interface ClassCount {
  readonly findings: number;
  /** Findings by structure alone, which no rows show. */
  readonly possible: number;
}

/** What an audit found; `report.json`. */
export interface AuditReport {
  readonly dataset: DatasetFormat;
  readonly examples: number;
  /** Different golds, by text and database. */
  readonly golds: number;
  readonly databases: number;
  /** Of the databases, those with rows to execute on. */
  readonly databasesWithRows: number;
  /** Examples that the reader left out, with why. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  readonly notes: readonly string[];
  readonly classes: Readonly<Record<AuditClassName, ClassCount>>;
  /** Examples with findings of the level "error" or "warning". */
  readonly doubtful: number;
  readonly findings: readonly AuditFinding[];
  readonly possible: readonly AuditFinding[];
  /** Null where none was asked for. */
  readonly repair: { readonly folder: string; readonly repaired: number } | null;
}

/** Findings by class, every class among them. */
export function countClasses(findings: readonly AuditFinding[]): AuditReport['classes'] {
  const counts = new Map<AuditClassName, ClassCount>(
    AUDIT_CLASS_NAMES.map((name) => [name, { findings: 0, possible: 0 }]),
  );
  for (const { class: name, isShown } of findings) {
    const { findings: shown, possible } = counts.get(name) ?? { findings: 0, possible: 0 };
    counts.set(name, isShown ? { findings: shown + 1, possible } : { findings: shown, possible: possible + 1 });
  }
  return Object.fromEntries(counts) as AuditReport['classes'];
}
