import { type PlainResult, plainValue } from '../../sql/execution/plain-value.js';
import type { Counterexample, ShownResult } from './counterexample.js';

/** `Counterexample` as JSON has it. */
export interface PlainCounterexample {
  readonly database: string;
  readonly tables: readonly ({ readonly name: string } & PlainResult)[];
  readonly gold: PlainResult;
  /** Where the gold's result is one of several. */
  readonly isGoldPartial?: true;
  readonly predictedSql: string;
  readonly predicted: PlainResult | { readonly failure: string };
}

function plainResult({ columns, rows, count }: ShownResult): PlainResult {
  return { columns, rows: rows.map((row) => row.map(plainValue)), count };
}

/** The note on a gold query's result that is one of several. */
export const ONE_OF_SEVERAL =
  'The order of rows decides some of the gold query’s result: this is one that it may have, and the prediction’s is none of them. The gold query may be at fault, where it leaves a tie open that the question does not; `perturbql audit` lists such ties.';

/** A counterexample that can be written as JSON. */
export function plainCounterexample(example: Counterexample): PlainCounterexample {
  const { database, tables, gold, isGoldPartial, predictedSql, predicted } = example;
  return {
    database,
    tables: tables.map(({ name, content }) => ({ name, ...plainResult(content) })),
    gold: plainResult(gold),
    ...(isGoldPartial === true && { isGoldPartial }),
    predictedSql,
    predicted: 'failure' in predicted ? predicted : plainResult(predicted),
  };
}
