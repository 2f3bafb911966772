import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { executionRules } from '../evaluate/compat.js';
import type { ExactMatch, ExactVerdict } from '../evaluate/exact/exact-match.js';
import { ExecutionMatch, type ExecutionVerdict } from '../evaluate/execution/execution-match.js';
import type { EvaluationPair, Outcome, Verdict } from '../evaluate/metric.js';
import { forEachConcurrent } from '../run/concurrency.js';
import { createStageContext, type RunHost } from '../run/run-host.js';
import type { QueryLimits, QueryOutcome } from '../sql/execution/query-outcome.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';
import { QueryRunner } from '../sql/execution/query-runner.js';
import { differenceOf, type ResultDifference, SHOWN_SIZE } from '../report/result-difference.js';
import type { ScoringOptions } from './scoring.js';
import { SqlRewriteError } from '../errors.js';
import type { Hardness } from '../evaluate/exact/hardness.js';
import { readRepaired } from '../evaluate/linking/schema-use.js';
import { countSets, type SetCount } from '../evaluate/linking/schema-linking.js';
import { columnKey, type ColumnRef } from '../schema/schema.js';
import { askedColumns } from '../sql/resolver.js';
import type { SqlDialect } from '../sql/dialect.js';

/** A change of what counts as asked for is another version. */
const COLUMNS_MODE = 'asked-columns@2';

/** The verdict on an answer with columns: `correct` are all that the gold query asks for, and no others. */
export interface ColumnsVerdict extends Verdict {
  readonly outcome: Extract<Outcome, 'correct' | 'wrong' | 'empty' | 'bad-gold'>;
  /** Columns that the gold asks for and the answer names; null where the gold can't be read. */
  readonly counts: SetCount | null;
  readonly hardness: Hardness | null;
}

/** Scores of an answer with columns: nothing can be said of SQL. */
interface ColumnScore {
  readonly exact: null;
  readonly execution: null;
  readonly columns: ColumnsVerdict;
}

/**
 * How many columns an answer with SQL names of those that the gold asks for, both outside of join conditions; null
 * where the gold can't be read. An answer that can't be read on the schema names none.
 */
export function countSqlColumns(
  { gold, predicted, database }: Pick<EvaluationPair, 'gold' | 'predicted' | 'database'>,
  dialect: SqlDialect,
): SetCount | null {
  const [asked, named] = [gold, predicted].map((sql) =>
    readRepaired(sql, (text) => new Set(askedColumns(text, database, dialect).map(columnKey))),
  );
  return typeof asked === 'object' ? countSets(asked, typeof named === 'object' ? named : new Set()) : null;
}

/** An answer with its gold. */
export interface ColumnsToScore {
  /** Equal for answers that get the same score. */
  readonly id: string;
  readonly pair: () => Omit<EvaluationPair, 'id'>;
  /** Null where there is no answer. */
  readonly columns: readonly ColumnRef[] | null;
}

/**
 * Scores answers with columns against those that the gold uses outside of its join conditions, which no question speaks
 * of. Each distinct answer once.
 */
export class ColumnScorer {
  readonly fingerprints = { columns: COLUMNS_MODE };
  readonly #dialect: SqlDialect;
  readonly #exact: Pick<ExactMatch, 'hardnessOf'>;
  readonly #known = new Map<string, ColumnScore>();

  constructor(dialect: SqlDialect, exact: Pick<ExactMatch, 'hardnessOf'>) {
    this.#dialect = dialect;
    this.#exact = exact;
  }

  /** One score per answer, in their order. */
  async score(answers: readonly ColumnsToScore[]): Promise<readonly ColumnScore[]> {
    return answers.map((answer) => {
      const score = this.#known.get(answer.id) ?? { exact: null, execution: null, columns: this.#judge(answer) };
      this.#known.set(answer.id, score);
      return score;
    });
  }

  #judge({ id, pair, columns }: ColumnsToScore): ColumnsVerdict {
    const asked = { id, ...pair() };
    const hardness = this.#exact.hardnessOf(asked);
    let gold: readonly ColumnRef[];
    try {
      gold = askedColumns(asked.gold, asked.database, this.#dialect);
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      return { id, outcome: 'bad-gold', reason: error.message, counts: null, hardness };
    }
    const counts = countSets(new Set(gold.map(columnKey)), new Set((columns ?? []).map(columnKey)));
    if (columns === null) return { id, outcome: 'empty', counts, hardness };
    const isSame = counts.matched === counts.gold && counts.gold === counts.predicted;
    return { id, outcome: isSame ? 'correct' : 'wrong', counts, hardness };
  }
}

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
