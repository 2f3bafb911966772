import { isSqliteError } from '../sql/execution/open-connection.js';
import { PerturbqlError } from '../errors.js';
import type { DatasetExample } from '../formats/dataset.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';
import type { AnswerToScore } from '../victims/answer-scorer.js';
import type { PerturbedRows } from './perturbed-rows.js';
import type { AttackGroup, TableSet } from './table-set.js';

/** An answer to an example on some tables. */
export interface AnsweredCase {
  readonly example: DatasetExample;
  readonly group: AttackGroup;
  readonly turn: number;
  readonly tables: TableSet;
  /** Empty where there is no SQL. */
  readonly predicted: string;
}

/** An answer as the metrics see it: the same SQL for an example on the same tables has one score. */
export function toScore(answered: AnsweredCase, rows: PerturbedRows): AnswerToScore {
  const { example, group, turn, tables, predicted } = answered;
  const gold = tables.queries[turn]?.sql ?? example.query;
  return {
    id: JSON.stringify([example.id, tables.key, predicted]),
    pair: () => {
      // The metric keeps what it makes of a schema as long as there is the schema: perturbed ones come and go.
      const database = tables.changes.length === 0 ? tables.schema : { ...tables.schema };
      return { group: group.id, database, gold, predicted };
    },
    source: () => sourceOf(answered, gold, rows),
  };
}

/** A text says why the database can't be perturbed so. */
function sourceOf(
  { group, tables, predicted }: AnsweredCase,
  gold: string,
  rows: PerturbedRows,
): QuerySource | string | null {
  try {
    return rows.sourceOf(group.database, tables, [gold, predicted]);
  } catch (error) {
    if (error instanceof PerturbqlError || isSqliteError(error)) return error.message;
    throw error;
  }
}
