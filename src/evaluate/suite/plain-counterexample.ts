import type { SqlValue } from '../../sql/execution/query-outcome.js';
import type { Counterexample, ShownResult } from './counterexample.js';

/** A value as JSON has it: integers beyond 2^53 as text, bytes in hex, real numbers that JSON lacks as text. */
export type PlainValue = string | number | null | { readonly blob: string };

export interface PlainResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly PlainValue[])[];
  /** Of all rows: `rows` are the first. */
  readonly count: number;
}

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

/** A value as JSON has it. */
export function plainValue(value: SqlValue): PlainValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? { blob: Buffer.from(value).toString('hex') } : value;
}

function plainResult({ columns, rows, count }: ShownResult): PlainResult {
  return { columns, rows: rows.map((row) => row.map(plainValue)), count };
}

/** The note on a gold query's result that is one of several. */
export const ONE_OF_SEVERAL =
  'The order of rows decides some of the gold’s result: this is one that it may have, and the prediction’s is none of them.';

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

/** A value as it is shown: NULL and bytes as SQL writes them. */
export function shownValue(value: PlainValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'object' ? `X'${value.blob}'` : String(value);
}
