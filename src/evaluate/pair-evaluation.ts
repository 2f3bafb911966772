import { elementAt, present } from '../present.js';
import { groupBy } from '../run/group-by.js';
import { RunItems } from '../run/reported-run.js';
import { sha256Of } from '../run/sha256.js';
import { VES_ROUNDS } from '../sql/execution/bird-scores.js';
import type { QuerySource } from '../sql/execution/query-protocol.js';
import { QueryRunner } from '../sql/execution/query-runner.js';
import type { Rng, StageContext } from '../stage.js';
import { openSuite } from '../testsuite/suite/open-suite.js';
import { exactCompat, type ExecutionRules, executionRules } from './compat.js';
import { type Evaluation } from './evaluate-options.js';
import type { BadGold, DatabaseHashes, EvaluationReport } from './evaluation-report.js';
import { ExactMatch, type ExactMatchOptions } from './exact/exact-match.js';
import { readPresentTables } from './exact/present-tables.js';
import { ExecutionMatch } from './execution/execution-match.js';
import { badGoldOf, refuseBadGold } from './gold-check.js';
import { withAlternatives } from './inputs/alternative-golds.js';
import { PairedFiles, requiredPath } from './inputs/paired-files.js';
import { SchemaUseMatch } from './linking/schema-use.js';
import type { Judged } from './judged.js';
import { bestVerdict, checkGold, type EvaluationPair, type Metric, type Verdict } from './metric.js';
import { columnsScores, exactScores, executionScores, suiteScores } from './pair-scores.js';
import { PLUG_LIMIT } from './plug-values.js';
import { checkSuite } from './suite/suite-check.js';
import { SuiteMatch } from './suite/suite-match.js';
import { compareVerdicts } from './summary/paired-comparison.js';
import { type PairMetric, VerdictLines } from './verdict-lines.js';

/** What a metric says of the predictions, and of a second model's. */
interface BothJudged<V extends Verdict> {
  readonly predictions: Judged<V>;
  readonly other: Judged<V> | null;
  readonly more: readonly Judged<V>[];
  /** Random streams of the metric. */
  readonly rngOf: (what: string) => Rng;
}

/** An item of an evaluation: what a metric says of the predictions for one gold query, model by model, or of the gold. */
export type EvaluationItem = readonly Verdict[];

/** Judges one data set with the metrics over pairs of queries. */
export class PairEvaluation {
  readonly #options: Evaluation;
  readonly #files: PairedFiles;
  readonly #rules: ExecutionRules;
  readonly #context: StageContext;
  readonly #items: RunItems<EvaluationItem>;
  readonly #exact: ExactMatch;
  readonly #badGold: BadGold[] = [];
  readonly verdicts = new VerdictLines();
  /** Of further models, in their order. */
  readonly more: readonly VerdictLines[];

  constructor(options: Evaluation, files: PairedFiles, context: StageContext, items = new RunItems<EvaluationItem>()) {
    const { databases } = options;
    this.#items = items;
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
    if (this.#items.shard !== null) await this.#judgeShard([this.#exact, execution, suite, columns]);
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

  /** @throws ShardFinished when all is judged that falls to the shard */
  async #judgeShard(metrics: readonly (Metric | null)[]): Promise<void> {
    for (const metric of metrics) {
      if (metric !== null && this.#options.metrics.some((name) => name === metric.id)) await this.#verdicts(metric);
    }
    this.#items.end();
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
    const { gold, alternatives } = this.#files;
    const bad = await this.#byGold(`gold/${name}`, async (pairs, context) => {
      const found = await checkGold(metric, [...pairs, ...withAlternatives(pairs, alternatives)], context);
      const byId = groupBy(found, ({ id }) => id);
      return pairs.map(({ id }) => byId.get(id) ?? []);
    });
    this.#badGold.push(...badGoldOf(bad.flat(), name, gold));
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
    const { pairs, others, more } = this.#files;
    const all = await this.#verdicts(metric);
    const rngOf: BothJudged<V>['rngOf'] = (what) => this.#context.rngFor(`${metric.id}:${what}`);
    const judged = (some: readonly EvaluationPair[], verdicts: readonly V[], name: string): Judged<V> => ({
      pairs: some,
      verdicts,
      hardness: some.map((pair) => this.#exact.hardnessOf(pair)),
      rng: rngOf(name),
    });
    const verdictsAt = (model: number): readonly V[] => all.map((verdicts) => elementAt(verdicts, model));
    return {
      predictions: judged(pairs, verdictsAt(0), 'predictions'),
      other: others && judged(others, verdictsAt(1), 'other'),
      more: more.map((some, i) => judged(some, verdictsAt(i + (others === null ? 1 : 2)), 'more')),
      rngOf,
    };
  }

  /** For each gold query of the shard, or of all, a verdict for each model. */
  #verdicts<V extends Verdict>(metric: Metric<V>): Promise<readonly (readonly V[])[]> {
    const { pairs: all, others, more, alternatives } = this.#files;
    const models = [all, ...(others === null ? [] : [others]), ...more];
    return this.#byGold(metric.id, async (pairs, context, places) => {
      const every = models.flatMap((model) => places.map((place) => elementAt(model, place)));
      const verdicts = await judgeByAnyGold(metric, every, alternatives, context);
      return pairs.map((_, i) => models.map((_model, m) => elementAt(verdicts, m * pairs.length + i)));
    });
  }

  /**
   * What is found of each gold query: as it is known, else made, in a run with a folder so many at a time that little is
   * lost when it is stopped.
   */
  async #byGold<V extends Verdict>(
    what: string,
    find: (
      pairs: readonly EvaluationPair[],
      context: StageContext,
      places: readonly number[],
    ) => Promise<readonly (readonly V[])[]>,
  ): Promise<readonly (readonly V[])[]> {
    const { pairs } = this.#files;
    const idOf = (place: number): string => `${what}/${elementAt(pairs, place).id}`;
    const own = [...pairs.keys()].filter((place) => this.#items.isOwn(elementAt(pairs, place).id));
    const open = own.filter((place) => this.#items.get(idOf(place)) === undefined);
    let done = own.length - open.length;
    for (const places of this.#items.isKept ? chunks(open, pairs) : [open]) {
      const context = progressWithin(this.#context, done, places.length, own.length);
      const some = places.map((place) => elementAt(pairs, place));
      const found = await find(some, context, places);
      this.#items.keep(places.map((place, i) => [idOf(place), elementAt(found, i)]));
      done += places.length;
    }
    return own.map((place) => present(this.#items.get(idOf(place)), idOf(place)) as readonly V[]);
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

/** Pairs that are judged at a time, at least: few enough that little is lost, many enough for all processes. */
const AT_A_TIME = 1024;

/** Places of pairs so many at a time, those of one database together: what they share is opened once. */
function* chunks(places: readonly number[], pairs: readonly EvaluationPair[]): Generator<readonly number[]> {
  let chunk: number[] = [];
  for (const ofDatabase of groupBy(places, (place) => elementAt(pairs, place).database.id).values()) {
    chunk.push(...ofDatabase);
    if (chunk.length < AT_A_TIME) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** A context for a part of the pairs, whose progress is that of all. */
function progressWithin(context: StageContext, before: number, part: number, all: number): StageContext {
  return {
    ...context,
    emit: (event) => {
      if (event.kind !== 'progress') context.emit(event);
      else context.emit({ ...event, done: before + Math.round((event.done / event.total) * part), total: all });
    },
  };
}
