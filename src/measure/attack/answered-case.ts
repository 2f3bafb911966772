import { isSqliteError } from '../../sql/execution/open-connection.js';
import { PerturbqlError } from '../../errors.js';
import type { DatasetExample } from '../../formats/dataset.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import type { SetCount } from '../../evaluate/linking/set-scores.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { AnswerToScore } from '../../victims/answer-scorer.js';
import { type ColumnsToScore, countSqlColumns } from '../../victims/column-scorer.js';
import type { VictimAnswer } from '../../victims/victim.js';
import type { PerturbedRows } from './perturbed-rows.js';
import type { AttackGroup, TableSet } from './table-set.js';

/** An answer to an example on some tables. */
export interface AnsweredCase {
  readonly example: DatasetExample;
  readonly group: AttackGroup;
  readonly turn: number;
  readonly tables: TableSet;
  readonly answer: Pick<VictimAnswer, 'sql' | 'columns'>;
}

type Pair = ReturnType<AnswerToScore['pair']>;

function pairOf({ example, group, turn, tables, answer }: AnsweredCase): Pair {
  // The metric keeps what it makes of a schema as long as there is the schema: perturbed ones come and go.
  const database = tables.changes.length === 0 ? tables.schema : { ...tables.schema };
  const gold = tables.queries[turn]?.sql ?? example.query;
  return { group: group.id, database, gold, predicted: answer.sql ?? '' };
}

/** An answer as the metrics see it: the same SQL for an example on the same tables has one score. */
export function toScore(answered: AnsweredCase, rows: PerturbedRows): AnswerToScore {
  const { example, tables, answer } = answered;
  return {
    id: JSON.stringify([example.id, tables.key, answer.sql ?? '']),
    pair: () => pairOf(answered),
    source: () => sourceOf(answered, rows),
  };
}

/** How many columns an answer with SQL names of those asked for; null where the gold can't be read. */
export function columnsOfSql(answered: AnsweredCase, dialect: SqlDialect): SetCount | null {
  return countSqlColumns(pairOf(answered), dialect);
}

/** An answer with columns as its metric sees it. */
export function toColumns(answered: AnsweredCase): ColumnsToScore {
  const { example, tables, answer } = answered;
  const columns = answer.columns ?? null;
  return { id: JSON.stringify([example.id, tables.key, columns]), pair: () => pairOf(answered), columns };
}

/** A text says why the database can't be perturbed so. */
function sourceOf(answered: AnsweredCase, rows: PerturbedRows): QuerySource | string | null {
  const { gold, predicted } = pairOf(answered);
  try {
    return rows.sourceOf(answered.group.database, answered.tables, [gold, predicted]);
  } catch (error) {
    if (error instanceof PerturbqlError || isSqliteError(error)) return error.message;
    throw error;
  }
}
