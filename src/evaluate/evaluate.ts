import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDurably } from '../run/durable-file.js';
import { createStageContext, type RunHost, SILENT_HOST } from '../run/run-host.js';
import { sha256Of } from '../run/sha256.js';
import { VES_ROUNDS } from '../sql/execution/bird-scores.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';
import { QueryRunner } from '../sql/execution/query-runner.js';
import type { Rng, StageContext } from '../stage.js';
import { openSuite } from '../testsuite/suite/open-suite.js';
import { exactCompat, type ExecutionRules, executionRules } from './compat.js';
import { type EvaluateOptions, type Evaluation, withEvaluateDefaults } from './evaluate-options.js';
import type { BadGold, DatabaseHashes, EvaluationReport } from './evaluation-report.js';
import { ExactMatch, type ExactMatchOptions } from './exact/exact-match.js';
import { readPresentTables } from './exact/present-tables.js';
import { ExecutionMatch } from './execution/execution-match.js';
import { badGoldOf, findBadGold, refuseBadGold } from './gold-check.js';
import { withAlternatives } from './inputs/alternative-golds.js';
import { PairedFiles, requiredPath } from './inputs/paired-files.js';
import { readLinks, readPredictedLinks } from './linking/link-file.js';
import { summarizeLinking } from './linking/schema-linking.js';
import { SchemaUseMatch } from './linking/schema-use.js';
import type { Judged } from './judged.js';
import { bestVerdict, type EvaluationPair, type Metric, type Verdict } from './metric.js';
import { columnsScores, exactScores, executionScores, suiteScores } from './pair-scores.js';
import { PLUG_LIMIT } from './plug-values.js';
import { renderEvaluationPage } from './report/evaluation-page.js';
import { renderEvaluationJUnit } from './report/junit.js';
import { checkSuite } from './suite/suite-check.js';
import { SuiteMatch } from './suite/suite-match.js';
import { compareVerdicts } from './summary/paired-comparison.js';
import { type PairMetric, type PairVerdicts, VerdictLines } from './verdict-lines.js';

/** What a metric says of the predictions, and of a second model's. */
interface BothJudged<V extends Verdict> {
  readonly predictions: Judged<V>;
  readonly other: Judged<V> | null;
  readonly more: readonly Judged<V>[];
  /** Random streams of the metric. */
  readonly rngOf: (what: string) => Rng;
}

/** Judges one data set with the metrics over pairs of queries. */
class PairEvaluation {
  readonly #options: Evaluation;
  readonly #files: PairedFiles;
  readonly #rules: ExecutionRules;
  readonly #context: StageContext;
  readonly #exact: ExactMatch;
  readonly #badGold: BadGold[] = [];
  readonly verdicts = new VerdictLines();
  /** Of further models, in their order. */
  readonly more: readonly VerdictLines[];

  constructor(options: Evaluation, files: PairedFiles, context: StageContext) {
    const { databases } = options;
    const compat = exactCompat(options.compat);
    this.#options = options;
    this.#rules = executionRules(options);
    this.#files = files;
    this.#context = context;
    const tablesOf: Pick<ExactMatchOptions, 'tablesOf'> =
      compat === null || databases === null
        ? {}
        : { tablesOf: (dbId) => readPresentTables(this.#files.databaseFile(dbId)) };
    this.#exact = new ExactMatch({ compat, dialect: files.dialect, ...tablesOf });
    this.more = files.more.map(() => new VerdictLines());
  }

  async evaluate(runner: QueryRunner): Promise<Partial<EvaluationReport>> {
    const suite = this.#options.metrics.includes('suite') ? this.#suiteMatch() : null;
    try {
      return await this.#judgeAll(runner, suite);
    } finally {
      await suite?.close();
    }
  }

  async #judgeAll(runner: QueryRunner, suite: SuiteMatch | null): Promise<Partial<EvaluationReport>> {
    const { metrics } = this.#options;
    const columns = new SchemaUseMatch(this.#files.dialect);
    const execution = metrics.includes('execution') ? this.#executionMatch(runner) : null;
    if (metrics.includes('exact')) await this.#checkGold(this.#exact, 'exact');
    if (execution !== null) await this.#checkGold(execution, 'execution');
    if (metrics.includes('columns')) await this.#checkGold(columns, 'columns');
    this.#refuseBadGold();
    return {
      badGold: this.#badGold,
      ...(metrics.includes('exact') && { exact: await this.#exactSection() }),
      ...(execution !== null && { execution: await this.#executionSection(execution) }),
      ...(suite !== null && { suite: await this.#suiteSection(suite) }),
      ...(metrics.includes('columns') && {
        columns: this.#section('columns', columns.fingerprint, await this.#judge(columns), columnsScores),
      }),
    };
  }

  #executionMatch(runner: QueryRunner): ExecutionMatch {
    const databaseOf = ({ database }: EvaluationPair): QuerySource => ({ file: this.#files.databaseFile(database.id) });
    return new ExecutionMatch({
      runner,
      databaseOf,
      ...this.#rules,
      ...(this.#options.rVes && { rounds: VES_ROUNDS }),
    });
  }

  #suiteMatch(): SuiteMatch {
    const { verdicts, report, jobs } = this.#options;
    const { plug, ...settings } = this.#rules;
    const explained = this.#files.explained?.id;
    const areAllExplained = verdicts !== null || report !== null;
    const suite = openSuite(requiredPath(this.#options.suite, 'suite', ['suite']));
    checkSuite(suite, new Set(this.#files.pairs.map(({ database }) => database)));
    return new SuiteMatch({
      suite,
      settings: { ...settings, plugLimit: plug ? PLUG_LIMIT : 1 },
      jobs,
      explains: ({ id }) => areAllExplained || id === explained,
    });
  }

  async #checkGold(metric: Metric, name: BadGold['metric']): Promise<void> {
    const { pairs, gold, alternatives } = this.#files;
    const all = [...pairs, ...withAlternatives(pairs, alternatives)];
    this.#badGold.push(...(await findBadGold(metric, name, all, gold, this.#context)));
  }

  #refuseBadGold(): void {
    if (!this.#options.allowBadGold) refuseBadGold(this.#badGold, this.#files.gold.length, this.#files.goldFile);
  }

  async #exactSection(): Promise<NonNullable<EvaluationReport['exact']>> {
    const compat = exactCompat(this.#options.compat) === null ? null : 'spider';
    const judged = await this.#judge(this.#exact);
    return this.#section('exact', this.#exact.fingerprint, judged, (own) => exactScores(own, compat));
  }

  async #executionSection(metric: ExecutionMatch): Promise<NonNullable<EvaluationReport['execution']>> {
    const byId = await metric.databaseHashes(this.#files.pairs);
    const lines = Object.entries(byId).map(([id, hash]) => `${id} ${hash}\n`);
    const databases: DatabaseHashes = { sha256: sha256Of(lines.join('')), byId };
    const section = this.#section('execution', metric.mode, await this.#judge(metric), executionScores);
    return { databases, timeoutSeconds: this.#options.timeoutMs / 1000, ...section };
  }

  async #suiteSection(metric: SuiteMatch): Promise<NonNullable<EvaluationReport['suite']>> {
    const suite = metric.identity(this.#files.pairs.map(({ database }) => database));
    const judged = await this.#judge(metric);
    // Gold equals itself wherever it has a result, and where it has none each prediction's verdict says so: a pass of its
    // own would only open each database once more.
    const bad = judged.predictions.verdicts.filter(({ outcome }) => outcome === 'bad-gold');
    this.#badGold.push(...badGoldOf(bad, 'suite', this.#files.gold));
    this.#refuseBadGold();
    const section = this.#section('suite', metric.mode, judged, (own, side) =>
      suiteScores(own, this.verdicts.verdictsOf(side)),
    );
    return { suite, ...section };
  }

  /** Judges all models' predictions at once: what they share is opened and executed once. */
  async #judge<V extends Verdict>(metric: Metric<V>): Promise<BothJudged<V>> {
    const { pairs, others, more, alternatives } = this.#files;
    const every = [...pairs, ...(others ?? []), ...more.flat()];
    const all = await judgeByAnyGold(metric, every, alternatives, this.#context);
    const rngOf: BothJudged<V>['rngOf'] = (what) => this.#context.rngFor(`${metric.id}:${what}`);
    const judged = (some: readonly EvaluationPair[], verdicts: readonly V[], name: string): Judged<V> => ({
      pairs: some,
      verdicts,
      hardness: some.map((pair) => this.#exact.hardnessOf(pair)),
      rng: rngOf(name),
    });
    const verdictsAt = (place: number): readonly V[] => all.slice(place * pairs.length, (place + 1) * pairs.length);
    return {
      predictions: judged(pairs, verdictsAt(0), 'predictions'),
      other: others && judged(others, verdictsAt(1), 'other'),
      more: more.map((some, i) => judged(some, verdictsAt(i + (others === null ? 1 : 2)), 'more')),
      rngOf,
    };
  }

  #section<V extends Verdict, S>(
    key: PairMetric,
    mode: string,
    { predictions, other, more, rngOf }: BothJudged<V>,
    scoresOf: (judged: Judged<V>, side: 'predictions' | 'other') => S,
  ): { mode: string } & S & { other?: S; comparison?: ReturnType<typeof compareVerdicts> } {
    this.verdicts.add(key, predictions);
    for (const [i, judged] of more.entries()) this.more[i]?.add(key, judged);
    const scores = { mode, ...scoresOf(predictions, 'predictions') };
    if (other === null) return scores;
    this.verdicts.addOther(key, other);
    const comparison = compareVerdicts(predictions.pairs, predictions.verdicts, other.verdicts, rngOf);
    return { ...scores, other: scoresOf(other, 'other'), comparison };
  }
}

/**
 * What a metric says of pairs by the gold that suits each best: the first that it is correct by, else the first. Soft F1
 * is that of the gold which gives most.
 */
async function judgeByAnyGold<V extends Verdict>(
  metric: Metric<V>,
  pairs: readonly EvaluationPair[],
  alternatives: ReadonlyMap<string, readonly string[]>,
  context: StageContext,
): Promise<readonly V[]> {
  const others = pairs.map((pair) => withAlternatives([pair], alternatives));
  const verdicts = await metric.judge([...pairs, ...others.flat()], context);
  let next = pairs.length;
  return verdicts.slice(0, pairs.length).map((first, i) => {
    const further = verdicts.slice(next, (next += others[i]?.length ?? 0));
    return bestVerdict(first, further);
  });
}

/** What is told of the metrics that take time. */
const PROGRESS: Readonly<Record<string, string>> = {
  execution: 'pairs executed',
  suite: 'pairs executed on the suite',
};

/** Of the folder for databases that a data set holds otherwise. */
const SCRATCH_PREFIX = 'perturbql-evaluate-';

/** A context that also shows how far execution is. */
function contextOf(seed: number, host: RunHost): StageContext {
  const context = createStageContext(seed, host);
  return {
    ...context,
    emit: (event) => {
      if (event.kind === 'progress') host.progress(PROGRESS[event.stage] ?? event.stage, event.done, event.total);
      else context.emit(event);
    },
  };
}

function writeVerdicts(lines: VerdictLines, { verdicts, junit }: Evaluation, metrics: readonly PairMetric[]): void {
  if (verdicts !== null) writeDurably(verdicts, lines.lines());
  if (junit !== null) writeDurably(junit, renderEvaluationJUnit([...lines.pairs()], metrics));
}

/**
 * Scores predictions against gold with the metrics asked for. Nothing is written but `verdicts`, `junit` and `report`;
 * databases are only read.
 * @throws ConfigError where an option is missing that a metric needs; InputFormatError where a file is wrong, or where
 * gold is not correct against itself
 */
export async function evaluate(given: EvaluateOptions, host: RunHost = SILENT_HOST): Promise<EvaluationReport> {
  const options = withEvaluateDefaults(given);
  const { metrics, seed, timeoutMs, jobs } = options;
  const overPairs = metrics.filter((name) => name !== 'linking');
  const linking = metrics.includes('linking') ? evaluateLinks(options) : null;
  const scratch = mkdtempSync(join(tmpdir(), SCRATCH_PREFIX));
  const runner = new QueryRunner({ jobs, limits: { timeoutMs } });
  try {
    const files = overPairs.length === 0 ? null : await PairedFiles.open(options, overPairs, scratch);
    for (const note of files?.notes ?? []) host.note(`warning: ${note}`);
    const context = contextOf(seed, host);
    const evaluation = files === null ? null : new PairEvaluation(options, files, context);
    const sections = (await evaluation?.evaluate(runner)) ?? {};
    if (evaluation !== null) writeVerdicts(evaluation.verdicts, options, overPairs);
    const explained = files?.explained == null ? undefined : evaluation?.verdicts.pair(files.explained.id);
    const report: EvaluationReport = {
      seed,
      gold: files && { file: files.goldFile, queries: files.gold.length, interactions: files.interactions },
      ...(files === null || files.notes.length === 0 ? {} : { notes: files.notes }),
      predictions: files && { file: options.predictions ?? '', comparedWith: options.compare },
      badGold: [],
      ...sections,
      ...(linking === null ? {} : { linking }),
      ...(explained === undefined ? {} : { explained }),
    };
    if (options.report !== null) {
      writeDurably(options.report, renderEvaluationPage(report, [...(evaluation?.verdicts.pairs() ?? [])]));
    }
    return report;
  } finally {
    await runner.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Several models' predictions for the same gold, judged. */
export interface JudgedModels {
  /** Sections of the metrics, with the scores of the first model. */
  readonly report: Partial<EvaluationReport>;
  /** What the metrics say of each pair, model by model. */
  readonly models: readonly (readonly PairVerdicts[])[];
}

/**
 * Judges several models' predictions, a file each, as `evaluate` judges those of one; no file is written.
 * @throws as `evaluate`
 */
export async function judgeModels(
  given: EvaluateOptions,
  predictions: readonly string[],
  host: RunHost = SILENT_HOST,
): Promise<JudgedModels> {
  const [first = null, ...more] = predictions;
  const options = withEvaluateDefaults({ ...given, predictions: first });
  const scratch = mkdtempSync(join(tmpdir(), SCRATCH_PREFIX));
  const runner = new QueryRunner({ jobs: options.jobs, limits: { timeoutMs: options.timeoutMs } });
  try {
    const files = await PairedFiles.open(options, options.metrics, scratch, more);
    const evaluation = new PairEvaluation(options, files, contextOf(options.seed, host));
    const report = await evaluation.evaluate(runner);
    return { report, models: [evaluation.verdicts, ...evaluation.more].map((lines) => [...lines.pairs()]) };
  } finally {
    await runner.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function evaluateLinks({ links, predictedLinks }: Evaluation): NonNullable<EvaluationReport['linking']> {
  const gold = readLinks(requiredPath(links, 'links', ['linking']));
  return summarizeLinking(gold, readPredictedLinks(requiredPath(predictedLinks, 'predicted-links', ['linking']), gold));
}
