import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { executionRules } from '../evaluate/compat.js';
import type { ExactMatch, ExactVerdict } from '../evaluate/exact/exact-match.js';
import { ExecutionMatch, type ExecutionVerdict } from '../evaluate/execution/execution-match.js';
import type { EvaluationPair } from '../evaluate/metric.js';
import { forEachConcurrent } from '../run/for-each-concurrent.js';
import { createStageContext, type RunHost } from '../run/run-host.js';
import type { QueryLimits, QueryOutcome } from '../sql/execution/query-outcome.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';
import { QueryRunner } from '../sql/execution/query-runner.js';
import { differenceOf, type ResultDifference, SHOWN_SIZE } from '../report/result-difference.js';
import type { ScoringOptions } from './scoring-options.js';

/** The metrics' verdicts on an answer; `execution` is null if nothing can be executed. */
export interface AnswerScore {
  readonly exact: ExactVerdict;
  readonly execution: ExecutionVerdict | null;
}

/** An answer with its gold; pair and source are asked for once for each id. */
export interface AnswerToScore {
  /** Equal for answers that get the same score. */
  readonly id: string;
  readonly pair: () => Omit<EvaluationPair, 'id'>;
  /** Returns the source for its queries; null if there are no rows; a text says why the database can't be made. */
  readonly source: () => QuerySource | string | null;
}

export interface AnswerScorerOptions extends ScoringOptions {
  readonly exact: ExactMatch;
  /** True if queries are executed. */
  readonly executes: boolean;
}

/** A pair with what its queries read. */
interface SourcedPair extends EvaluationPair {
  readonly source: QuerySource;
}

/** Answers that are compared by exact match between two looks at the signal. */
const AT_ONCE = 50;

/** Scores answers by all metrics, each distinct one once. */
export class AnswerScorer {
  /** Executes queries; null where none are executed. */
  readonly runner: QueryRunner | null;
  readonly #exact: ExactMatch;
  readonly #execution: ExecutionMatch | null;
  readonly #known = new Map<string, AnswerScore>();
  readonly #jobs: number;
  /** Of results whose rows are shown. */
  readonly #shownLimits: Partial<QueryLimits>;
  readonly #isAnyColumn: boolean;

  /** @throws ConfigError as `executionRules` */
  constructor({ exact, executes, timeoutMs, jobs, ...choices }: AnswerScorerOptions) {
    const rules = executionRules(choices);
    this.#exact = exact;
    this.#jobs = jobs ?? availableParallelism();
    // Scoring counts CPU time: with ten times of it on the clock, a busy machine shows the same rows.
    this.#shownLimits = { timeoutMs: 10 * timeoutMs, ...SHOWN_SIZE };
    this.#isAnyColumn = rules.mode === 'test-suite' || rules.mode.endsWith('-any-column-order');
    this.runner = executes ? new QueryRunner({ jobs, limits: { timeoutMs } }) : null;
    const databaseOf = (pair: EvaluationPair): QuerySource => (pair as SourcedPair).source;
    this.#execution = this.runner && new ExecutionMatch({ runner: this.runner, databaseOf, ...rules });
  }

  /** Name and version of each metric's mode. */
  get fingerprints(): { readonly exact: string; readonly execution?: string } {
    const exact = this.#exact.fingerprint;
    return this.#execution === null ? { exact } : { exact, execution: this.#execution.fingerprint };
  }

  /** One score per answer, in their order; distinct answers are reported once each to the host as they are done. */
  async score(answers: readonly AnswerToScore[], host: RunHost): Promise<readonly AnswerScore[]> {
    const fresh = new Map(answers.filter(({ id }) => !this.#known.has(id)).map((answer) => [answer.id, answer]));
    const pairs = new Map([...fresh].map(([id, { pair }]) => [id, { id, ...pair() }]));
    const execution = new Map<string, ExecutionVerdict>();
    const exact = await this.#scoreExact([...pairs.values()], host);
    for (const verdict of await this.#scoreExecution(fresh, pairs, host)) execution.set(verdict.id, verdict);
    for (const verdict of exact) {
      this.#known.set(verdict.id, { exact: verdict, execution: execution.get(verdict.id) ?? null });
    }
    return answers.flatMap(({ id }) => this.#known.get(id) ?? []);
  }

  /**
   * Where the results of wrong answers differ from those of their gold queries, by id: of answers that were scored, and
   * whose queries both give rows. None where nothing is executed.
   */
  async differences(
    answers: readonly AnswerToScore[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ResultDifference>> {
    const found = new Map<string, ResultDifference>();
    const wrong = new Map(answers.filter(({ id }) => this.#isWrong(id)).map((answer) => [answer.id, answer]));
    const goldOutcomes = new Map<string, Promise<QueryOutcome>>();
    await forEachConcurrent(wrong.values(), this.#jobs, signal, async (answer, stopped) => {
      const difference = await this.#differenceOf(answer, goldOutcomes, stopped);
      if (difference !== null) found.set(answer.id, difference);
    });
    return found;
  }

  #isWrong(id: string): boolean {
    const { outcome, isUndecided = false } = this.#known.get(id)?.execution ?? {};
    return outcome === 'wrong' && !isUndecided;
  }

  async #differenceOf(
    { id, pair, source: sourceOf }: AnswerToScore,
    goldOutcomes: Map<string, Promise<QueryOutcome>>,
    signal: AbortSignal,
  ): Promise<ResultDifference | null> {
    const [execution, runner, source] = [this.#execution, this.runner, sourceOf()];
    if (execution === null || runner === null || source === null || typeof source === 'string') return null;
    const { gold, predicted } = execution.executedFor(pair(), this.#known.get(id)?.execution?.alternative ?? 0);
    if (predicted === null) return null;
    const run = (sql: string): Promise<QueryOutcome> => runner.run({ ...source, sql }, signal, this.#shownLimits);
    const key = JSON.stringify([source, gold]);
    const known = goldOutcomes.get(key) ?? run(gold);
    goldOutcomes.set(key, known);
    const [mine, theirs] = [await known, await run(predicted)];
    if (mine.kind !== 'rows' || theirs.kind !== 'rows') return null;
    return differenceOf(mine, theirs, this.#isAnyColumn);
  }

  async dispose(): Promise<void> {
    await this.runner?.close();
  }

  async #scoreExact(pairs: readonly EvaluationPair[], host: RunHost): Promise<readonly ExactVerdict[]> {
    const verdicts: ExactVerdict[] = [];
    const report = (): void => {
      if (pairs.length > AT_ONCE) host.progress('answers compared', verdicts.length, pairs.length);
    };
    for (const pair of pairs) {
      verdicts.push(this.#exact.judgePair(pair));
      if (verdicts.length % AT_ONCE !== 0) continue;
      await setImmediate();
      host.signal.throwIfAborted();
      report();
    }
    report();
    return verdicts;
  }

  async #scoreExecution(
    answers: ReadonlyMap<string, AnswerToScore>,
    pairs: ReadonlyMap<string, EvaluationPair>,
    host: RunHost,
  ): Promise<readonly ExecutionVerdict[]> {
    if (this.#execution === null) return [];
    const failed: ExecutionVerdict[] = [];
    const sourced: SourcedPair[] = [];
    for (const [id, pair] of pairs) {
      const source = answers.get(id)?.source() ?? null;
      if (typeof source === 'string') failed.push(withoutDatabase(id, source));
      else if (source !== null) sourced.push({ ...pair, source });
    }
    return [...failed, ...(await this.#execution.judge(sourced, executionContext(host, sourced.length)))];
  }
}

function executionContext(host: RunHost, count: number): ReturnType<typeof createStageContext> {
  const context = createStageContext(0, host);
  return {
    ...context,
    emit: (event) => {
      if (event.kind !== 'progress') context.emit(event);
      else if (count > AT_ONCE) host.progress('answers executed', event.done, event.total);
    },
  };
}

function withoutDatabase(id: string, reason: string): ExecutionVerdict {
  return { id, outcome: 'bad-gold', reason, goldRows: null, alternative: 0, isCut: false };
}
