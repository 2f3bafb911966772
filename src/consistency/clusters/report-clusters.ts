import type { FailureCluster } from '../consistency-report.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import { reportFailure } from '../../victims/mutants/report-failure.js';
import type { SubjectStore } from '../../victims/mutants/subject-store.js';
import type { ClusteredFailures } from './failure-clusters.js';
import { errorTypeOf } from './query-change.js';

/** A cluster as the report has it, with its smallest example, `shrunk` where that became smaller yet. */
export function reportCluster(
  { relation, changes, failures }: ClusteredFailures,
  shrunk: JudgedCase,
  world: SubjectStore,
): FailureCluster {
  const [smallest] = failures as readonly [JudgedCase, ...JudgedCase[]];
  return {
    relation,
    changes: [...changes],
    errorType: errorTypeOf(changes),
    failures: failures.length,
    seeds: new Set(failures.map(({ mutant }) => mutant.seed)).size,
    databases: new Set(failures.map(({ mutant }) => mutant.origin)).size,
    example: reportFailure(shrunk, shrunk === smallest ? null : smallest.mutant.id, world),
  };
}
