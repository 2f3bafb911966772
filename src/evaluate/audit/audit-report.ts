import { z } from 'zod';
import { loadRecord } from '../../formats/json-file.js';
import type { ExamplesNamed } from '../../formats/dataset.js';
import type { DatasetFormat } from '../../formats/dataset-formats.js';
import { AUDIT_CLASS_NAMES, type AuditClassName } from './audit-classes.js';
import type { AuditFinding } from './finding.js';

/** How often a class was found. */
interface ClassCount {
  readonly findings: number;
  /** Findings by structure alone, which no rows show. */
  readonly possible: number;
}

/** The findings of an audit; `report.json`. */
export interface AuditReport extends ExamplesNamed {
  readonly dataset: DatasetFormat;
  readonly examples: number;
  /** Different gold queries, by text and database. */
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

const fields = z.looseObject({
  examplesName: z.string().exactOptional(),
  dataset: z.string(),
  examples: z.int(),
  golds: z.int(),
  databases: z.int(),
  databasesWithRows: z.int(),
  classes: z.record(z.string(), z.object({ findings: z.int(), possible: z.int() })),
  doubtful: z.int(),
  findings: z.array(z.looseObject({ id: z.string(), class: z.enum(AUDIT_CLASS_NAMES) })),
  possible: z.array(z.looseObject({ id: z.string(), class: z.enum(AUDIT_CLASS_NAMES) })),
});
/** Reads the report of an audit that had finished. @throws InputFormatError where the file is none */
export function loadAuditReport(file: string): AuditReport {
  const schema = z.custom<AuditReport>((json) => fields.safeParse(json).success, 'it is no report of an audit');
  return loadRecord(schema, file, 'report', 'Audit again, with another --out.');
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
