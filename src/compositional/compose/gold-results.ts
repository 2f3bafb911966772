import { hash } from 'node:crypto';
import type { RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { executableSql } from '../../sql/execution/executable-sql.js';
import type { QueryOutcome } from '../../sql/execution/query-outcome.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { rowKey } from '../../sql/execution/value-key.js';

/** What a gold gives on its database. */
export type GoldResult =
  | {
      readonly kind: 'rows';
      readonly rows: number;
      /** No row, or one of nothing but NULL and 0: what a count or a sum of no rows gives. */
      readonly isEmpty: boolean;
      /** Shared by results of the same rows, whatever their order. */
      readonly hash: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/** Who executes golds: on a database's rows, or on a suite's. */
export interface GoldResults {
  /** The result of a query on a database of the data set; the same query is executed once. */
  of(sql: string, database: Database): Promise<GoldResult>;
  close(): Promise<void>;
}

function resultOf(outcome: QueryOutcome): GoldResult {
  if (outcome.kind === 'failed') return { kind: 'failed', reason: outcome.message };
  if (outcome.kind !== 'rows') return { kind: 'failed', reason: outcome.kind };
  const { rows, columns } = outcome;
  const keys = rows.map((row) => rowKey(row, 'numeric')).sort();
  const nothing =
    rows.length <= 1 && rows.every((row) => row.every((value) => value === null || value === 0n || value === 0));
  return {
    kind: 'rows',
    rows: rows.length,
    isEmpty: nothing,
    hash: hash('sha256', `${columns.length};${keys.join(';')}`, 'base64').slice(0, 22),
  };
}

/** Executes golds in child processes, within the limits of queries nobody vouches for. */
export class ExecutedGolds implements GoldResults {
  readonly #runner: QueryRunner;
  readonly #fileOf: (dbId: string) => string | null;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<GoldResult>>();

  /** @param fileOf the SQLite file of a database; null where there are no rows, so that its golds all fail */
  constructor(fileOf: (dbId: string) => string | null, { signal }: Pick<RunHost, 'signal'>, jobs?: number) {
    this.#runner = new QueryRunner({ jobs, limits: { timeoutMs: 10_000, maxRows: 200_000 } });
    this.#fileOf = fileOf;
    this.#signal = signal;
  }

  of(sql: string, database: Database): Promise<GoldResult> {
    const key = `${database.id}\n${sql}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const file = this.#fileOf(database.id);
    const result =
      file === null
        ? Promise.resolve<GoldResult>({ kind: 'failed', reason: 'there are no rows' })
        : this.#runner.run({ sql: executableSql(sql, database), file }, this.#signal).then(resultOf);
    this.#known.set(key, result);
    return result;
  }

  /** Forgets the results of a database that is done with. */
  forget(): void {
    this.#known.clear();
  }

  close(): Promise<void> {
    return this.#runner.close();
  }
}

/** Whether two results have the same rows. */
export function sameRows(a: GoldResult, b: GoldResult): boolean {
  return a.kind === 'rows' && b.kind === 'rows' && a.hash === b.hash;
}
