import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { PerturbqlError } from '../errors.js';
import type { ExactMatch, ExactVerdict } from '../evaluate/exact/exact-match.js';
import { ExecutionMatch, type ExecutionVerdict } from '../evaluate/execution/execution-match.js';
import type { EvaluationPair } from '../evaluate/metric.js';
import type { DatasetExample } from '../formats/dataset.js';
import { createStageContext, type RunHost } from '../run/run-host.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';
import { QueryRunner } from '../sql/execution/query-runner.js';
import type { ScoringOptions } from './attack-options.js';
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

/** What the metrics say of an answer; `execution` is null where nothing can be executed. */
export interface Judgement {
  readonly exact: ExactVerdict;
  readonly execution: ExecutionVerdict | null;
}

export interface AnswerJudgeOptions extends ScoringOptions {
  readonly exact: ExactMatch;
  /** Null = nothing is executed. */
  readonly rows: PerturbedRows | null;
}

/** A pair with what its queries read. */
interface SourcedPair extends EvaluationPair {
  readonly source: QuerySource;
}

/** Answers that are compared by exact match between two looks at the signal. */
const AT_ONCE = 50;

function keyOf({ example, tables, predicted }: AnsweredCase): string {
  return JSON.stringify([example.id, tables.key, predicted]);
}

/** Scores answers on perturbed tables by all metrics, each distinct one once. */
export class AnswerJudge {
  readonly #exact: ExactMatch;
  readonly #rows: PerturbedRows | null;
  readonly #runner: QueryRunner | null;
  readonly #execution: ExecutionMatch | null;
  readonly #known = new Map<string, Judgement>();

  constructor({ exact, rows, mode, plugValues, timeoutMs, jobs }: AnswerJudgeOptions) {
    this.#exact = exact;
    this.#rows = rows;
    this.#runner = rows === null ? null : new QueryRunner({ jobs, limits: { timeoutMs } });
    this.#execution =
      this.#runner === null
        ? null
        : new ExecutionMatch({
            runner: this.#runner,
            databaseOf: (pair) => (pair as SourcedPair).source,
            mode,
            plug: plugValues,
          });
  }

  /** Name and version of each metric's mode. */
  get fingerprints(): { readonly exact: string; readonly execution?: string } {
    const exact = this.#exact.fingerprint;
    return this.#execution === null ? { exact } : { exact, execution: this.#execution.fingerprint };
  }

  /** One judgement per case, in their order; distinct cases are told once each to the host as they are done. */
  async judge(cases: readonly AnsweredCase[], host: RunHost): Promise<readonly Judgement[]> {
    const fresh = new Map(cases.map((one) => [keyOf(one), one] as const).filter(([key]) => !this.#known.has(key)));
    const exact = await this.#judgeExact(fresh, host);
    const execution = await this.#judgeExecution(fresh, host);
    for (const key of fresh.keys()) {
      this.#known.set(key, { exact: exact.get(key)!, execution: execution.get(key) ?? null });
    }
    return cases.map((one) => this.#known.get(keyOf(one))!);
  }

  async dispose(): Promise<void> {
    await this.#runner?.close();
  }

  async #judgeExact(cases: ReadonlyMap<string, AnsweredCase>, host: RunHost): Promise<Map<string, ExactVerdict>> {
    const verdicts = new Map<string, ExactVerdict>();
    for (const [key, one] of cases) {
      verdicts.set(key, this.#exact.judgePair(this.#pairOf(key, one)));
      if (verdicts.size % AT_ONCE !== 0) continue;
      await setImmediate();
      host.signal.throwIfAborted();
      if (cases.size > AT_ONCE) host.progress('answers compared', verdicts.size, cases.size);
    }
    if (cases.size > AT_ONCE) host.progress('answers compared', cases.size, cases.size);
    return verdicts;
  }

  #pairOf(key: string, { group, turn, tables, predicted }: AnsweredCase): EvaluationPair {
    // The metric keeps what it makes of a schema as long as there is the schema: perturbed ones come and go.
    const database = tables.changes.length === 0 ? tables.schema : { ...tables.schema };
    return { id: key, group: group.id, database, gold: tables.queries[turn]!.sql, predicted };
  }

  async #judgeExecution(
    cases: ReadonlyMap<string, AnsweredCase>,
    host: RunHost,
  ): Promise<Map<string, ExecutionVerdict>> {
    const verdicts = new Map<string, ExecutionVerdict>();
    if (this.#execution === null) return verdicts;
    const pairs: SourcedPair[] = [];
    for (const [key, one] of cases) {
      const source = this.#sourceOf(one);
      if (source === null) continue;
      if (typeof source === 'string') verdicts.set(key, unperturbable(key, source));
      else pairs.push({ ...this.#pairOf(key, one), source });
    }
    for (const verdict of await this.#execution.judge(pairs, this.#contextOf(host, pairs.length))) {
      verdicts.set(verdict.id, verdict);
    }
    return verdicts;
  }

  /** A text says why the database can't be perturbed so. */
  #sourceOf({ group, turn, tables, predicted }: AnsweredCase): QuerySource | string | null {
    try {
      return this.#rows!.sourceOf(group.database, tables, [tables.queries[turn]!.sql, predicted]);
    } catch (error) {
      if (error instanceof PerturbqlError || error instanceof Sqlite.SqliteError) return error.message;
      throw error;
    }
  }

  #contextOf(host: RunHost, count: number): ReturnType<typeof createStageContext> {
    const context = createStageContext(0, host);
    return {
      ...context,
      emit: (event) => {
        if (event.kind !== 'progress') context.emit(event);
        else if (count > AT_ONCE) host.progress('answers executed', event.done, event.total);
      },
    };
  }
}

function unperturbable(id: string, reason: string): ExecutionVerdict {
  return { id, outcome: 'bad-gold', reason, goldRows: null, alternative: 0, isCut: false };
}
