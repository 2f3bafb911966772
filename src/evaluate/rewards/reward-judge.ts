import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { formatCount } from '../../counts.js';
import { ConfigError, type ErrorPlace, InputFormatError, PerturbqlError } from '../../errors.js';
import { cleanSql } from '../../chat/clean-answer.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../formats/dataset.js';
import { createStageContext, NOOP_HOST } from '../../run/run-host.js';
import { mustGet } from '../../present.js';
import { MAX_SQL_LENGTH } from '../../sql/execution/query-outcome.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { openSuite } from '../../testsuite/suite/open-suite.js';
import { exactCompat, type ExecutionChoices, executionRules } from '../compat.js';
import { EVALUATE_DEFAULTS } from '../evaluate-options.js';
import { ExactMatch } from '../exact/exact-match.js';
import { ExecutionMatch } from '../execution/execution-match.js';
import { requiredPath } from '../metric-kind.js';
import { SchemaUseMatch } from '../linking/schema-use.js';
import type { EvaluationPair, Metric, Outcome, Verdict } from '../metric.js';
import { PLUG_LIMIT } from '../plug-values.js';
import { SuiteMatch } from '../suite/suite-match.js';
import { openRewardInputs, type RewardInputs, type Variant } from './reward-inputs.js';
import { causeText } from '../../cause-text.js';
import type { MetricName } from '../metrics.js';

/** The metrics that a reward may count: those with a verdict on a pair of queries, 1 if it is correct, else 0. */
export const REWARD_PARTS = ['exact', 'execution', 'suite', 'columns'] as const satisfies readonly MetricName[];
export type RewardPart = (typeof REWARD_PARTS)[number];

/** A weight, of a part or by itself. */
interface RewardTerm {
  readonly weight: number;
  readonly part: RewardPart | null;
}

/** A weighted sum of parts. */
export interface RewardFormula {
  readonly terms: readonly RewardTerm[];
  /** The parts that it counts, the first of them first: that one's outcome is the prediction's. */
  readonly parts: readonly [RewardPart, ...RewardPart[]];
}

const TERM = /^\s*([+-]?)\s*(?:(\d+(?:\.\d+)?|\.\d+)(?:\s*\*\s*([a-z]+))?|([a-z]+)(?:\s*\*\s*(\d+(?:\.\d+)?|\.\d+))?)/;

function fault(text: string, message: string): ConfigError {
  return new ConfigError(`option --reward: ${message} in ${JSON.stringify(text)}`, {
    fix: `Write a sum of ${REWARD_PARTS.join(', ')}, each with a weight or without: "suite + 0.1*exact".`,
  });
}

function partNamed(name: string, text: string): RewardPart {
  const part = REWARD_PARTS.find((one) => one === name);
  if (part === undefined) throw fault(text, `there is no part "${name}"`);
  return part;
}

/** Reads `suite + 0.1*exact`. @throws ConfigError where the text is no such sum, or counts no part */
export function parseRewardFormula(text: string): RewardFormula {
  const terms: RewardTerm[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const match = TERM.exec(rest);
    const [whole = '', sign = '', first, firstName, name = firstName, factor] = match ?? [];
    if (match === null || (terms.length > 0 && sign === ''))
      throw fault(text, `${JSON.stringify(rest)} is not understood`);
    const weight = Number(first ?? factor ?? 1) * (sign === '-' ? -1 : 1);
    terms.push({ weight, part: name === undefined ? null : partNamed(name, text) });
    rest = rest.slice(whole.length);
  }
  const [part, ...others] = new Set(terms.flatMap((term) => term.part ?? []));
  if (part === undefined) throw fault(text, 'no part is counted');
  return { terms, parts: [part, ...others] };
}

/** The reward of a prediction whose correct parts are known. */
export function rewardOf({ terms }: RewardFormula, isCorrect: (part: RewardPart) => boolean): number {
  return terms.reduce((sum, { weight, part }) => sum + (part === null || isCorrect(part) ? weight : 0), 0);
}

const requestSchema = z.union([
  z.object({ db_id: z.string().min(1), gold: z.string().min(1), predictions: z.array(z.string()) }),
  z.object({ id: z.string().min(1), predictions: z.array(z.string()) }),
  z.object({ id: z.string().min(1), seed: z.int() }),
]);

/**
 * Predictions for one gold query: its text and database, or the id of its example or variant; or the wish for a variant
 * of an example.
 */
export type RewardRequest = z.infer<typeof requestSchema>;
/** A request that has predictions. */
export type Rollouts = Extract<RewardRequest, { predictions: unknown }>;

const FIX =
  'Write {"db_id": …, "gold": …, "predictions": […]} or {"id": …, "predictions": […]}; with --variants also {"id": …, "seed": …}.';

/** A request out of JSON, or why it is none. */
export function readRewardRequest(value: unknown, where: ErrorPlace): RewardRequest | RewardRefusal {
  const parsed = requestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return refusalOf(new InputFormatError('this is no request for rewards', { where, fix: FIX }));
}

/** Why a request has no answer. */
export interface RewardRefusal {
  readonly error: { readonly message: string; readonly cause: string | null; readonly fix: string };
}

/** The error of a request as it is sent back. @throws what is no fault of the request */
export function refusalOf(error: unknown): RewardRefusal {
  if (!(error instanceof PerturbqlError)) throw error;
  const { fix, cause } = error;
  const [first = ''] = error.render().split('\n');
  return { error: { message: first, cause: cause instanceof Error ? causeText(cause) : null, fix } };
}

/** The reward of a prediction. */
export interface Reward {
  readonly score: number;
  /** By the first part of the formula. */
  readonly outcome: Outcome;
  /** Why, where the outcome does not say it all; null where it does. */
  readonly reason: string | null;
  /** The outcome by each part. */
  readonly parts: Readonly<Partial<Record<RewardPart, Outcome>>>;
}

/** A reward per prediction in their order, the variant that was asked for, or why there is neither. */
export type RewardReply = { readonly rewards: readonly Reward[] } | { readonly variant: Variant } | RewardRefusal;

export interface RewardOptions extends DatasetPaths, ExecutionChoices {
  /** Folder of a distilled suite. */
  readonly suite: string | null;
  /** Folder of a run whose variants may be asked for. */
  readonly variants: string | null;
  /**
   * As `parseRewardFormula` reads it; null: the suite where there is one, else execution where there are rows, else
   * exact match.
   */
  readonly reward: string | null;
  /** Longest time of one query in milliseconds. */
  readonly timeoutMs: number;
  /** Queries side by side; undefined: the number of cores. */
  readonly jobs: number | undefined;
  /**
   * True if predictions are what a model said, with words and code fences around the query; one without a query is
   * wrong.
   */
  readonly answers: boolean;
}

const { compat, mode, plugValues, dropDistinct, suite, timeoutMs } = EVALUATE_DEFAULTS;
const DEFAULTS = {
  ...PATH_DEFAULTS,
  compat,
  mode,
  plugValues,
  dropDistinct,
  suite,
  timeoutMs,
  variants: null,
  reward: null,
  jobs: undefined,
  answers: false,
} as const satisfies RewardOptions;

type PairMetrics = readonly (readonly [RewardPart, Metric])[];

function defaultFormula({ suite, databases, dataset, examples, tables, variants }: RewardOptions): RewardPart {
  if (suite !== null) return 'suite';
  const isRunAlone = variants !== null && examples === null && tables === null;
  const hasRows = databases !== null || isRunAlone || (examples !== null && dataset !== 'spider');
  return hasRows ? 'execution' : 'exact';
}

/** Of a prediction that is too long to be looked at: reading it would take the time of all others. */
const TOO_LONG = { outcome: 'refused', reason: 'too-long' } as const;

const isTooLong = (sql: string): boolean => sql.length > MAX_SQL_LENGTH;

/** A request that can be judged, or was refused. */
type Asked = { readonly pairs: readonly EvaluationPair[] } | RewardReply;

/**
 * Judges predictions against gold queries as `evaluate` does, request after request, with connections, processes and
 * readings of queries kept in between. A prediction's reward does not depend on what else is asked.
 */
export class RewardJudge {
  readonly #formula: RewardFormula;
  readonly #inputs: RewardInputs;
  /** The query of a prediction. */
  readonly #queryOf: (predicted: string) => string;
  readonly #metrics: PairMetrics;
  readonly #close: () => Promise<void>;

  private constructor(
    formula: RewardFormula,
    answers: boolean,
    inputs: RewardInputs,
    metrics: PairMetrics,
    close: () => Promise<void>,
  ) {
    this.#formula = formula;
    this.#queryOf = answers ? (said) => cleanSql(said).sql ?? '' : (sql) => sql;
    this.#inputs = inputs;
    this.#metrics = metrics;
    this.#close = close;
  }

  /**
   * Opens a judge; missing options have the defaults of `perturbql serve rewards`. The caller closes it.
   * @throws ConfigError, InputFormatError or RunFolderError where an option or input is wrong
   */
  static async open(given: Partial<RewardOptions>): Promise<RewardJudge> {
    const options: RewardOptions = { ...DEFAULTS, ...given };
    const formula = parseRewardFormula(options.reward ?? defaultFormula(options));
    const scratch = mkdtempSync(join(tmpdir(), 'perturbql-rewards-'));
    const runner = new QueryRunner({ jobs: options.jobs, limits: { timeoutMs: options.timeoutMs } });
    const closing: (() => Promise<void>)[] = [() => runner.close()];
    const close = async (): Promise<void> => {
      for (const end of closing) await end();
      rmSync(scratch, { recursive: true, force: true });
    };
    try {
      const inputs = await openRewardInputs(options, options.variants, scratch);
      const metrics = formula.parts.map(
        (part) => [part, createMetric(part, options, inputs, runner, closing)] as const,
      );
      return new RewardJudge(formula, options.answers, inputs, metrics, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  /**
   * A reply per request, in their order; a request that can't be answered gets an error and takes no other with it, one
   * that was refused before keeps its own.
   * @throws the signal's reason on abort
   */
  async answer(
    requests: readonly (RewardRequest | RewardRefusal)[],
    signal: AbortSignal = NOOP_HOST.signal,
  ): Promise<readonly RewardReply[]> {
    const asked = requests.map((request) => this.#take(request));
    const judged = asked.flatMap((one) => ('pairs' in one ? [one] : []));
    const replies = (await this.#judge(judged, signal))[Symbol.iterator]();
    return asked.map((one) => ('pairs' in one ? mustGet(replies.next().value, 'reply') : one));
  }

  /** Ends its processes and threads. */
  close(): Promise<void> {
    return this.#close();
  }

  /** Together; where one of them is at fault, each by itself. */
  async #judge(
    asked: readonly Extract<Asked, { readonly pairs: unknown }>[],
    signal: AbortSignal,
  ): Promise<readonly RewardReply[]> {
    try {
      const rewards = await this.#judgePairs(
        asked.flatMap(({ pairs }) => pairs),
        signal,
      );
      let next = 0;
      return asked.map(({ pairs }) => ({ rewards: rewards.slice(next, (next += pairs.length)) }));
    } catch (error) {
      const refusal = refusalOf(error);
      if (asked.length <= 1) return [refusal];
      const replies: RewardReply[] = [];
      for (const one of asked) replies.push(...(await this.#judge([one], signal)));
      return replies;
    }
  }

  #take(request: RewardRequest | RewardRefusal): Asked {
    if ('error' in request) return request;
    try {
      return 'predictions' in request ? this.#pairUp(request) : { variant: this.#draw(request) };
    } catch (error) {
      return refusalOf(error);
    }
  }

  #draw({ id, seed }: Exclude<RewardRequest, Rollouts>): Variant {
    const { variants } = this.#inputs;
    if (variants !== null) return variants.draw(id, seed);
    const fix = 'Start the service with --variants RUN, a run of `perturbql augment`, `compose` or `mutate`.';
    throw new ConfigError('no variants are given', { fix });
  }

  #pairUp(rollouts: Rollouts): Asked {
    const { dbId, sql: gold } =
      'id' in rollouts ? this.#inputs.goldOf(rollouts.id) : { dbId: rollouts.db_id, sql: rollouts.gold };
    const database = this.#inputs.schemaOf(dbId);
    if (this.#formula.parts.includes('execution')) this.#inputs.fileOf(dbId);
    if (isTooLong(gold)) {
      const fix = `Send a gold query of at most ${formatCount(MAX_SQL_LENGTH)} characters.`;
      throw new InputFormatError('the gold query is too long', { where: { id: dbId }, fix });
    }
    const about = { id: '', group: '', database, gold };
    return { pairs: rollouts.predictions.map((said) => ({ ...about, predicted: this.#queryOf(said) })) };
  }

  async #judgePairs(pairs: readonly EvaluationPair[], signal: AbortSignal): Promise<readonly Reward[]> {
    const context = createStageContext(0, { ...NOOP_HOST, signal });
    const read = pairs.map((pair) => (isTooLong(pair.predicted) ? { ...pair, predicted: '' } : pair));
    const verdicts = new Map<RewardPart, readonly Verdict[]>();
    for (const [part, metric] of this.#metrics) verdicts.set(part, await metric.judge(read, context));
    return pairs.map(({ predicted }, i) => {
      const verdictOf = (part: RewardPart): Omit<Verdict, 'id'> =>
        isTooLong(predicted) ? TOO_LONG : mustGet(verdicts.get(part)?.[i], 'verdict');
      return this.#rewardOf(verdictOf);
    });
  }

  #rewardOf(verdictOf: (part: RewardPart) => Omit<Verdict, 'id'>): Reward {
    const { parts } = this.#formula;
    const main = verdictOf(parts[0]);
    return {
      score: rewardOf(this.#formula, (part) => verdictOf(part).outcome === 'correct'),
      outcome: main.outcome,
      reason: main.reason ?? null,
      parts: Object.fromEntries(parts.map((part) => [part, verdictOf(part).outcome])),
    };
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
    if (options.examples === null && options.variants === null)
      requiredPath(options.databases, 'databases', ['execution']);
    return new ExecutionMatch({
      runner,
      databaseOf: ({ database }) => ({ file: inputs.fileOf(database.id) }),
      ...rules,
      plug,
      endsEarly: true,
    });
  }
  const suite = openSuite(requiredPath(options.suite, 'suite', ['suite']));
  const settings = { ...rules, plugLimit: plug ? PLUG_LIMIT : 1 };
  const match = new SuiteMatch({ suite, settings, jobs: options.jobs, keepsOpen: true });
  closing.push(() => match.close());
  return match;
}
