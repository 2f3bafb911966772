import type { FailureCluster } from '../consistency-report.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import { type Differences, reportFailure } from '../../mutants/report-failure.js';
import type { SubjectStore } from '../../mutants/subject-store.js';
import type { ClusteredFailures } from './failure-clusters.js';
import { errorTypeOf } from './query-change.js';

/** Failures of a cluster that a report holds at most; `cases.jsonl` has the verdict on each mutant. */
const MOST_HELD = 20;

/** The failures of a cluster that a report holds, the smallest first. */
export function heldFailures({ failures }: Pick<ClusteredFailures, 'failures'>): readonly JudgedCase[] {
  return failures.slice(0, MOST_HELD);
}

/** A cluster as the report has it, with its smallest example, `shrunk` where that became smaller yet. */
export function reportCluster(
  { relation, changes, failures }: ClusteredFailures,
  shrunk: JudgedCase,
  store: SubjectStore,
  differences: Differences,
): FailureCluster {
  const [smallest] = failures as readonly [JudgedCase, ...JudgedCase[]];
  const others = heldFailures({ failures })
    .slice(1)
    .map((failure) => reportFailure(failure, null, store, differences));
  return {
    relation,
    changes: [...changes],
    errorType: errorTypeOf(changes),
    failures: failures.length,
    seeds: new Set(failures.map(({ mutant }) => mutant.seed)).size,
    databases: new Set(failures.map(({ mutant }) => mutant.origin)).size,
    example: reportFailure(shrunk, shrunk === smallest ? null : smallest.mutant.id, store, differences),
    ...(others.length > 0 && { others }),
  };
}
