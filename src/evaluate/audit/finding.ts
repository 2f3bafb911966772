import type { PlainResult } from '../../sql/execution/plain-value.js';
import type { AuditClassName } from './audit-classes.js';

/** A query that was run to show a finding, and what it came to. */
export interface EvidenceRun extends PlainResult {
  /** The variant that is run: "as stored", "rows reversed". */
  readonly label: string;
  readonly sql: string;
  /** The first rows; where two runs differ, those that the other lacks. */
  readonly rows: PlainResult['rows'];
  /** Why it gave no rows; null where it did. */
  readonly failure: string | null;
}

/** A gold after its repair. */
export interface GoldRepair {
  readonly sql: string;
  /** The repaired query's result on the data: the same rows, others (then the finding says why), or not executed. */
  readonly result: 'same' | 'changed' | 'not-executed';
}

/** A fault in a gold query, whichever examples have it. */
export interface GoldFinding {
  readonly class: AuditClassName;
  /** False where only the structure tells, and no rows at hand show it. */
  readonly isShown: boolean;
  readonly sentence: string;
  readonly evidence: readonly EvidenceRun[];
  readonly repair: GoldRepair | null;
}

/** A fault in an example of a data set. */
export interface AuditFinding extends GoldFinding {
  /** The example's id and the class: "dev:17/limit-tie". */
  readonly id: string;
  /** Null where it is about a whole file. */
  readonly example: string | null;
  readonly dbId: string | null;
  readonly question: string | null;
  readonly sql: string | null;
}

/** The findings about items, one item after another. */
export async function findEach<T>(
  items: Iterable<T>,
  find: (item: T) => Promise<GoldFinding | null> | GoldFinding | null,
): Promise<GoldFinding[]> {
  const found: GoldFinding[] = [];
  for (const item of items) {
    const finding = await find(item);
    if (finding !== null) found.push(finding);
  }
  return found;
}

/** A finding that needs no runs. */
export function plainFinding(name: AuditClassName, sentence: string, isShown = true): GoldFinding {
  return { class: name, isShown, sentence, evidence: [], repair: null };
}
