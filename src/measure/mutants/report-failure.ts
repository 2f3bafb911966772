import { itemAt } from '../../present.js';
import { columnAt, type Database } from '../../schema/schema.js';
import type { ReportedFailure, ReportedSide } from './mutant-report.js';
import type { PairedCase } from './judge-subjects.js';
import { type JudgedAnswer, reportAnswer } from '../judged-answer.js';
import type { ResultDifference } from '../../report/result-difference.js';
import type { Subject, SubjectStore } from './subject-store.js';

/** A schema as lines: a table with its columns each, then primary and foreign keys. */
function schemaLines(database: Database): readonly string[] {
  const { tables, primaryKeys, foreignKeys } = database;
  const nameAt = (ref: (typeof primaryKeys)[number]): string =>
    `${itemAt(tables, ref.table).originalName}.${columnAt(database, ref).originalName}`;
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

/** Where results differ, by the ids of seeds and mutants. */
export type Differences = ReadonlyMap<string, ResultDifference>;

function sideOf({ id, question, query }: Subject, judged: JudgedAnswer, differences: Differences): ReportedSide {
  const rows = differences.get(id);
  return {
    ...(rows !== undefined && { rows }),
    question,
    gold: query,
    ...reportAnswer(judged),
  };
}

/** A mutant next to its seed as reports have it; `shrunkFrom` is the id of the mutant that it was shrunk from. */
export function reportFailure(
  failure: PairedCase,
  shrunkFrom: string | null,
  store: SubjectStore,
  differences: Differences,
): ReportedFailure {
  const { group, mutant, before, after } = failure;
  const hardness = before.exact?.hardness ?? null;
  return {
    id: mutant.id,
    seed: mutant.seed,
    dbId: mutant.db_id,
    origin: mutant.origin,
    relations: [...mutant.relations],
    details: [...mutant.details],
    ...(hardness !== null && { hardness }),
    shrunkFrom,
    before: sideOf(group.seed, before, differences),
    after: sideOf(mutant, after, differences),
    schema: schemaDifference(store.schemaOf(group.seed), store.schemaOf(mutant)),
  };
}
