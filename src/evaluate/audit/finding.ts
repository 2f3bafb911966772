import {
  type PlainResult,
  plainResult,
  type PlainValue,
  type QueryOutcome,
  type QueryRows,
  type ResultValue,
  type SqlRow,
} from '../../sql/execution/query-outcome.js';
import type { AuditClassName } from './audit-classes.js';
import { compareResults, type ComparisonMode } from '../../sql/execution/result-comparison.js';

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

/** Rows of a run that are kept. */
const SHOWN_ROWS = 3;
/** Characters of a text that are kept. */
const SHOWN_TEXT = 200;

function cut(value: PlainValue): PlainValue {
  if (typeof value === 'string' && value.length > SHOWN_TEXT) return `${value.slice(0, SHOWN_TEXT)}…`;
  return typeof value === 'object' && value !== null ? { blob: value.blob.slice(0, 2 * SHOWN_TEXT) } : value;
}

/** Why a query gave no rows, in words. */
export function failureWords(outcome: Exclude<QueryOutcome, QueryRows>): string {
  switch (outcome.kind) {
    case 'failed':
      return outcome.message;
    case 'timed-out':
      return 'it did not end in time';
    case 'too-large':
      return `its result has too many ${outcome.limit === 'rows' ? 'rows' : 'bytes'}`;
    case 'refused':
      return `it is not executed: ${outcome.reason}`;
  }
}

/** A run as evidence, with its first rows or those given. */
export function evidenceRun(label: string, sql: string, outcome: QueryOutcome, rows?: readonly SqlRow[]): EvidenceRun {
  if (outcome.kind !== 'rows') {
    return { label, sql, columns: [], rows: [], count: 0, failure: failureWords(outcome) };
  }
  const shown = plainResult({ ...outcome, rows: rows ?? outcome.rows }, SHOWN_ROWS).rows.map((row) => row.map(cut));
  return { label, sql, columns: outcome.columns, rows: shown, count: outcome.rows.length, failure: null };
}

/** One of two runs that are compared. */
interface ComparedRun {
  readonly label: string;
  readonly sql: string;
  readonly outcome: QueryOutcome;
}

/** Both runs with the rows in which they differ; null where either has no rows or they are equal. */
export function differingRuns(
  left: ComparedRun,
  right: ComparedRun,
  mode: ComparisonMode = 'bag',
): readonly EvidenceRun[] | null {
  if (left.outcome.kind !== 'rows' || right.outcome.kind !== 'rows') return null;
  const difference = compareResults(left.outcome, right.outcome, mode, 'numeric');
  if (difference === null) return null;
  const at = difference.kind === 'order' ? difference.at : 0;
  const [ours, theirs] =
    difference.kind === 'rows'
      ? [difference.leftRows, difference.rightRows]
      : [left.outcome.rows.slice(at), right.outcome.rows.slice(at)];
  return [
    evidenceRun(left.label, left.sql, left.outcome, ours),
    evidenceRun(right.label, right.sql, right.outcome, theirs),
  ];
}

const NUMBER = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

/** Checks whether a text reads as a number. */
export const isNumberText = (text: string): boolean => NUMBER.test(text);

/** An outcome whose texts that read as numbers are numbers: '10' and 10.0 are one. */
export function withNumbers(outcome: QueryOutcome): QueryOutcome {
  if (outcome.kind !== 'rows') return outcome;
  const read = (value: ResultValue): ResultValue =>
    typeof value === 'string' && isNumberText(value) ? Number(value) : value;
  return { ...outcome, rows: outcome.rows.map((row) => row.map(read)) };
}
