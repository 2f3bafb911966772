import { readFileSync } from 'node:fs';
import type { CandidateDecision } from '../../src/formats/artifacts/candidates.js';

/** What both versions say of one candidate. */
export type Decision = Pick<CandidateDecision, 'db_id' | 'table' | 'column' | 'candidate' | 'bucket'>;

/** Decisions of the product's `candidates.jsonl` on names that the table does not have yet. */
export function readProductDecisions(file: string): readonly Decision[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as CandidateDecision).filter(({ reason }) => reason !== 'existing-name');
}

export interface Comparison {
  /** Candidates that both decided. */
  readonly compared: number;
  readonly counts: Readonly<Record<string, number>>;
  /** A line per candidate that only one has, or that is in another bucket. */
  readonly differences: readonly string[];
}

/** Buckets per column and candidate; columns of one natural name in one table are compared as a group. */
function bucketsByCandidate(decisions: readonly Decision[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { db_id, table, column, candidate, bucket } of decisions) {
    const key = `${db_id} / ${table} / ${column} / ${candidate}`;
    groups.set(key, [...(groups.get(key) ?? []), bucket].sort());
  }
  return groups;
}

/** Compares the bucket of every column and candidate. */
export function compareDecisions(ours: readonly Decision[], theirs: readonly Decision[]): Comparison {
  const [own, other] = [bucketsByCandidate(ours), bucketsByCandidate(theirs)];
  const counts: Record<string, number> = { RPL: 0, ADD: 0, rejected: 0 };
  for (const { bucket } of ours) counts[bucket]!++;
  const differences = [...new Set([...own.keys(), ...other.keys()])].flatMap((key) => {
    const [mine, yours] = [own.get(key)?.join(' ') ?? 'absent', other.get(key)?.join(' ') ?? 'absent'];
    return mine === yours ? [] : [`${key}: ${mine} here, ${yours} in Python`];
  });
  return { compared: ours.length, counts, differences };
}
