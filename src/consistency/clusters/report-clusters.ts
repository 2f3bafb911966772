import { elementAt } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { columnAt } from '../../schema/schema.js';
import type { FailureCluster, ReportedFailure, ReportedSide } from '../consistency-report.js';
import type { JudgedCase } from '../judge/consistency-judge.js';
import type { JudgedAnswer } from '../../victims/mutants/judge-subjects.js';
import type { Subject } from '../../victims/mutants/subject.js';
import type { SubjectWorld } from '../../victims/mutants/subject-world.js';
import type { ClusteredFailures } from './failure-clusters.js';
import { errorTypeOf } from './query-change.js';

/** A schema as lines: a table with its columns each, then primary and foreign keys. */
function schemaLines(database: Database): readonly string[] {
  const { tables, primaryKeys, foreignKeys } = database;
  const nameAt = (ref: (typeof primaryKeys)[number]): string =>
    `${elementAt(tables, ref.table).originalName}.${columnAt(database, ref).originalName}`;
  return [
    ...tables.map(
      ({ originalName, columns }) => `${originalName}(${columns.map((column) => column.originalName).join(', ')})`,
    ),
    ...primaryKeys.map((ref) => `primary key ${nameAt(ref)}`),
    ...foreignKeys.map(({ from, to }) => `foreign key ${nameAt(from)} → ${nameAt(to)}`),
  ];
}

/** The lines that only one of two schemas has; the names of the tables where only their order differs. */
function schemaDifference(before: Database, after: Database): ReportedFailure['schema'] {
  const [first, second] = [schemaLines(before), schemaLines(after)];
  const lines = {
    before: first.filter((line) => !second.includes(line)),
    after: second.filter((line) => !first.includes(line)),
  };
  if (lines.before.length + lines.after.length > 0 || first.join('\n') === second.join('\n')) return lines;
  const names = ({ tables }: Database): string[] => [tables.map(({ originalName }) => originalName).join(', ')];
  return { before: names(before), after: names(after) };
}

function sideOf({ question, query }: Subject, { answer, exact, execution }: JudgedAnswer): ReportedSide {
  return {
    ...{ question, gold: query, predicted: answer.sql, failure: answer.failure?.kind ?? null },
    ...{ exact: exact?.outcome ?? null, execution: execution?.outcome ?? null },
  };
}

function reportFailure(failure: JudgedCase, shrunkFrom: string | null, world: SubjectWorld): ReportedFailure {
  const { group, mutant, before, after } = failure;
  return {
    ...{ id: mutant.id, seed: mutant.seed, dbId: mutant.db_id, origin: mutant.origin },
    relations: [...mutant.relations],
    details: [...mutant.details],
    shrunkFrom,
    before: sideOf(group.seed, before),
    after: sideOf(mutant, after),
    schema: schemaDifference(world.schemaOf(group.seed), world.schemaOf(mutant)),
  };
}

/** A cluster as the report has it, with its smallest example, `shrunk` where that became smaller yet. */
export function reportCluster(
  { relation, changes, failures }: ClusteredFailures,
  shrunk: JudgedCase,
  world: SubjectWorld,
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
