import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PerturbqlError } from '../../errors.js';
import type { DatasetPaths } from '../../formats/dataset.js';
import { createStageContext, SILENT_HOST } from '../../run/run-host.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { openSuite } from '../../testsuite/suite/open-suite.js';
import { executionRules, type ExecutionChoices, exactCompat } from '../compat.js';
import { ExactMatch } from '../exact/exact-match.js';
import { ExecutionMatch } from '../execution/execution-match.js';
import { requiredPath } from '../inputs/paired-files.js';
import { SchemaUseMatch } from '../linking/schema-use.js';
import type { EvaluationPair, Metric, Outcome, Verdict } from '../metric.js';
import { PLUG_LIMIT } from '../plug-values.js';
import { SuiteMatch } from '../suite/suite-match.js';
import { parseRewardFormula, type RewardFormula, type RewardPart, rewardOf } from './reward-formula.js';
import { openRewardInputs, type RewardInputs } from './reward-inputs.js';

/** Predictions for one gold query: its text and database, or the id of its example. */
export type RewardRequest = ({ readonly db_id: string; readonly gold: string } | { readonly id: string }) & {
  readonly predictions: readonly string[];
};

/** What a prediction gets. */
export interface Reward {
  readonly score: number;
  /** By the first part of the formula. */
  readonly outcome: Outcome;
  /** Why, where the outcome does not say it all; null where it does. */
  readonly reason: string | null;
  /** The outcome by each part. */
  readonly parts: Readonly<Partial<Record<RewardPart, Outcome>>>;
}

/** A reward per prediction in their order, or why there are none. */
export type RewardReply =
  | { readonly rewards: readonly Reward[] }
  | { readonly error: { readonly message: string; readonly cause: string | null; readonly fix: string } };

export interface RewardOptions extends DatasetPaths, ExecutionChoices {
  /** Folder of a distilled suite. */
  readonly suite: string | null;
  /** As `parseRewardFormula` reads it; null: the suite where there is one, else execution where there are rows, else exact match. */
  readonly reward: string | null;
  /** Longest time of one query in milliseconds. */
  readonly timeoutMs: number;
  /** Queries side by side; undefined: the number of cores. */
  readonly jobs: number | undefined;
}

type PairMetrics = readonly (readonly [RewardPart, Metric])[];

function defaultFormula({ suite, databases, dataset, examples }: RewardOptions): RewardPart {
  if (suite !== null) return 'suite';
  const hasRows = databases !== null || (examples !== null && dataset !== 'spider');
  return hasRows ? 'execution' : 'exact';
}

/** The error of a request as it is sent back. @throws what is no fault of the request */
export function refusalOf(error: unknown): Extract<RewardReply, { readonly error: unknown }> {
  if (!(error instanceof PerturbqlError)) throw error;
  const { fix, cause } = error;
  const [first = ''] = error.render().split('\n');
  return { error: { message: first, cause: cause instanceof Error ? cause.message : null, fix } };
}

/**
 * Judges predictions against gold queries as `evaluate` does, request after request, with connections, processes and
 * readings of queries kept in between. A prediction's reward does not depend on what else is asked.
 */
export class RewardJudge {
  readonly #formula: RewardFormula;
  readonly #inputs: RewardInputs;
  readonly #metrics: PairMetrics;
  readonly #close: () => Promise<void>;
  readonly #signal: AbortSignal;

  private constructor(
    formula: RewardFormula,
    inputs: RewardInputs,
    metrics: PairMetrics,
    signal: AbortSignal,
    close: () => Promise<void>,
  ) {
    this.#formula = formula;
    this.#inputs = inputs;
    this.#metrics = metrics;
    this.#signal = signal;
    this.#close = close;
  }

  /** The caller closes it. @throws ConfigError, InputFormatError or RunFolderError where an option or input is wrong */
  static async open(options: RewardOptions, signal: AbortSignal): Promise<RewardJudge> {
    const formula = parseRewardFormula(options.reward ?? defaultFormula(options));
    const scratch = mkdtempSync(join(tmpdir(), 'perturbql-rewards-'));
    const runner = new QueryRunner({ jobs: options.jobs, limits: { timeoutMs: options.timeoutMs } });
    const closing: (() => Promise<void>)[] = [() => runner.close()];
    const close = async (): Promise<void> => {
      for (const end of closing) await end();
      rmSync(scratch, { recursive: true, force: true });
    };
    try {
      const inputs = await openRewardInputs(options, scratch);
      const metrics = formula.parts.map(
        (part) => [part, createMetric(part, options, inputs, runner, closing)] as const,
      );
      return new RewardJudge(formula, inputs, metrics, signal, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  /**
   * A reply per request, in their order; a request that can't be judged gets an error and takes no other with it.
   * @throws the signal's reason on abort
   */
  async judge(requests: readonly RewardRequest[]): Promise<readonly RewardReply[]> {
    const asked = requests.map((request) => this.#pairsOf(request));
    const pairs = asked.flatMap((one) => ('pairs' in one ? one.pairs : []));
    let rewards: readonly Reward[];
    try {
      rewards = await this.#judgePairs(pairs);
    } catch (error) {
      const refusal = refusalOf(error);
      // One of them is at fault: each is judged by itself.
      if (requests.length === 1) return [refusal];
      const replies: RewardReply[] = [];
      for (const request of requests) replies.push(...(await this.judge([request])));
      return replies;
    }
    let next = 0;
    return asked.map((one) => {
      if (!('pairs' in one)) return one;
      return { rewards: rewards.slice(next, (next += one.pairs.length)) };
    });
  }

  /** Ends its processes and threads. */
  close(): Promise<void> {
    return this.#close();
  }

  #pairsOf(request: RewardRequest): { readonly pairs: readonly EvaluationPair[] } | RewardReply {
    try {
      const gold = 'id' in request ? this.#inputs.goldOf(request.id) : { dbId: request.db_id, sql: request.gold };
      const database = this.#inputs.schemaOf(gold.dbId);
      if (this.#formula.parts.includes('execution')) this.#inputs.fileOf(gold.dbId);
      return {
        pairs: request.predictions.map((predicted) => ({ id: '', group: '', database, gold: gold.sql, predicted })),
      };
    } catch (error) {
      return refusalOf(error);
    }
  }

  async #judgePairs(pairs: readonly EvaluationPair[]): Promise<readonly Reward[]> {
    const context = createStageContext(0, { ...SILENT_HOST, signal: this.#signal });
    const verdicts = new Map<RewardPart, readonly Verdict[]>();
    for (const [part, metric] of this.#metrics) verdicts.set(part, await metric.judge(pairs, context));
    const [main] = this.#formula.parts;
    return pairs.map((_, i): Reward => {
      const outcomeOf = (part: RewardPart): Outcome => verdicts.get(part)?.[i]?.outcome ?? 'bad-gold';
      return {
        score: rewardOf(this.#formula, (part) => outcomeOf(part) === 'correct'),
        outcome: outcomeOf(main),
        reason: verdicts.get(main)?.[i]?.reason ?? null,
        parts: Object.fromEntries(this.#formula.parts.map((part) => [part, outcomeOf(part)])),
      };
    });
  }
}

function createMetric(
  part: RewardPart,
  options: RewardOptions,
  inputs: RewardInputs,
  runner: QueryRunner,
  closing: (() => Promise<void>)[],
): Metric {
  const { dialect } = inputs;
  const { plug, ...rules } = executionRules(options);
  if (part === 'exact') return new ExactMatch({ compat: exactCompat(options.compat), dialect });
  if (part === 'columns') return new SchemaUseMatch(dialect);
  if (part === 'execution') {
    if (options.examples === null) requiredPath(options.databases, 'databases', ['execution']);
    return new ExecutionMatch({
      runner,
      databaseOf: ({ database }) => ({ file: inputs.fileOf(database.id) }),
      ...rules,
      plug,
      endsEarly: true,
    });
  }
  const suite = openSuite(requiredPath(options.suite, 'suite', ['suite']));
  const match = new SuiteMatch({ suite, settings: { ...rules, plugLimit: plug ? PLUG_LIMIT : 1 }, jobs: options.jobs });
  closing.push(() => match.close());
  return match;
}
