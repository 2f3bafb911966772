import { InputFormatError } from '../errors.js';
import { readUntouched } from '../sql/execution/open-untouched.js';
import type { PresentTables } from './exact/spider-names.js';
import type { BadGold, EvaluationReport, MetricSections } from './evaluation-report.js';
import type { GoldQuery } from './inputs/gold-queries.js';
import { bestVerdict, checkGold, type EvaluationPair, type Metric, type Verdict } from './metric.js';
import { itemAt, mustGet, zip } from '../present.js';
import { groupBy } from '../run/group-by.js';
import { RunItems } from '../run/reported-run.js';
import type { QueryRunner } from '../sql/execution/query-runner.js';
import type { Rng, StageContext, StageEvent } from '../stage.js';
import { exactCompat, type ExecutionRules, executionRules } from './compat.js';
import type { Evaluation } from './evaluate-options.js';
import { ExactMatch, type ExactMatchOptions } from './exact/exact-match.js';
import { withAlternatives } from './inputs/alternative-golds.js';
import type { PairedFiles } from './inputs/paired-files.js';
import type { Compared, Judged, MetricInputs, OpenedMetric, PairMetricKind, PairScores } from './metric-kind.js';
import { METRICS, PAIR_METRICS, type PairMetric } from './metrics.js';
import { compareVerdicts } from './summary/accuracy.js';
import { VerdictLines } from './verdict-lines.js';

/**
 * The names of a SQLite file's tables in lower case, SQLite's own among them: the names that Spider's published
 * evaluator knows, for `ExactMatchOptions.tablesOf`.
 * @throws InputFormatError when the file is absent or no database
 */
export function readPresentTables(file: string): PresentTables {
  try {
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table'";
    const names = readUntouched(file, (sqlite) => sqlite.prepare(sql).pluck().all()) as string[];
    return new Set(names.map((name) => name.toLowerCase()));
  } catch (cause) {
    const fix = 'Name the folder with <db_id>/<db_id>.sqlite.';
    throw new InputFormatError('the database can’t be read', { where: { file }, cause, fix });
  }
}

/** Faults shown in an error. */
const MAX_LISTED = 20;

/** Gold queries by the verdicts that count against them. */
function badGoldOf(
  verdicts: readonly Verdict[],
  name: BadGold['metric'],
  gold: readonly GoldQuery[],
): readonly BadGold[] {
  const byId = new Map(gold.map((query) => [query.id, query]));
  return verdicts.map(({ id, outcome, reason }) => {
    const { line = null, dbId = '' } = byId.get(id) ?? {};
    return { metric: name, id, line, dbId, reason: reason ?? outcome };
  });
}

/**
 * Gold that fails against itself would make every score too low without a word: the run stops.
 * @throws InputFormatError listing the first of them
 */
function refuseBadGold(bad: readonly BadGold[], queries: number, file: string): void {
  const [first] = bad;
  if (first === undefined) return;
  const ids = new Set(bad.map(({ id }) => id));
  const lines = bad.slice(0, MAX_LISTED).map(({ metric, id, line, dbId, reason }) => {
    const place = line === null ? id : `line ${line} (${id})`;
    return `\n  ${place}, ${dbId}, ${metric}: ${reason}`;
  });
  if (bad.length > MAX_LISTED) lines.push(`\n  and ${bad.length - MAX_LISTED} more`);
  throw new InputFormatError(
    `${ids.size} of ${queries} gold queries are not correct against themselves:${lines.join('')}`,
    {
      where: { file, ...(first.line === null ? {} : { line: first.line }) },
      fix: 'Fix the gold query, its tables.json or its databases; or count them as not correct with --allow-bad-gold.',
    },
  );
}

/** A metric that can judge, with what its kind says of it. */
type Opened = OpenedMetric<Verdict, PairScores, object> &
  Pick<PairMetricKind, 'checksGold' | 'fieldsOf'> & { readonly name: PairMetric };

/**
 * An item of an evaluation: what a metric says of the predictions for one gold query, model by model, or of the gold.
 */
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
  /** Of each model. */
  readonly models: readonly [VerdictLines, ...VerdictLines[]];

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
    const further = files.models.slice(1).map(() => new VerdictLines());
    this.models = [new VerdictLines(options.compare === null ? null : further[0]), ...further];
  }

  async evaluate(runner: QueryRunner): Promise<Partial<EvaluationReport>> {
    const opened: Opened[] = [];
    try {
      for (const name of PAIR_METRICS) {
        if (!this.#options.metrics.includes(name)) continue;
        const kind: PairMetricKind = await METRICS[name].load();
        opened.push({ ...kind, ...kind.open(this.#world(runner)), name });
      }
      return await this.#judgeAll(opened);
    } finally {
      for (const { close } of opened) await close?.();
    }
  }

  #world(runner: QueryRunner): MetricInputs {
    const { timeoutMs, rVes, jobs, suite, verdicts, report, compat } = this.#options;
    const explained = this.#files.explained?.id;
    const areAllExplained = verdicts !== null || report !== null;
    return {
      pairs: this.#files.pairs,
      dialect: this.#files.dialect,
      databaseFile: (dbId) => this.#files.databaseFile(dbId),
      runner,
      rules: this.#rules,
      timeoutMs,
      rVes,
      jobs,
      suite,
      explains: ({ id }) => areAllExplained || id === explained,
      exact: this.#exact,
      compat: exactCompat(compat),
    };
  }

  async #judgeAll(opened: readonly Opened[]): Promise<Partial<EvaluationReport>> {
    for (const { name, metric, checksGold } of opened) if (checksGold) await this.#checkGold(metric, name);
    this.#refuseBadGold();
    if (this.#items.shard !== null) await this.#judgeShard(opened);
    const sections: [PairMetric, object][] = [];
    for (const one of opened) sections.push([one.name, await this.#section(one)]);
    return { badGold: this.#badGold, ...(Object.fromEntries(sections) as MetricSections) };
  }

  /** @throws ShardFinished when all is judged that falls to the shard */
  async #judgeShard(opened: readonly Opened[]): Promise<void> {
    for (const { metric } of opened) await this.#verdicts(metric);
    this.#items.end();
  }

  async #checkGold(metric: Metric, name: BadGold['metric']): Promise<void> {
    const { gold, alternatives } = this.#files;
    const bad = await this.#byGold(`gold/${name}`, async (pairs, context) => {
      const ofGold = withProgress(context, (event) => ({ ...event, stage: `gold/${event.stage}` }));
      const found = await checkGold(metric, [...pairs, ...withAlternatives(pairs, alternatives)], ofGold);
      const byId = groupBy(found, ({ id }) => id);
      return pairs.map(({ id }) => byId.get(id) ?? []);
    });
    this.#badGold.push(...badGoldOf(bad.flat(), name, gold));
  }

  #refuseBadGold(): void {
    if (!this.#options.allowBadGold) refuseBadGold(this.#badGold, this.#files.gold.length, this.#files.goldFile);
  }

  /** Judges all models' predictions at once: what they share is opened and executed once. */
  async #judge(metric: Metric): Promise<readonly [Judged<Verdict>, ...Judged<Verdict>[]]> {
    const all = await this.#verdicts(metric);
    const judged = this.#files.models.map((pairs, model) => ({
      pairs,
      verdicts: all.map((verdicts) => itemAt(verdicts, model)),
      hardness: pairs.map((pair) => this.#exact.hardnessOf(pair)),
      rng: this.#context.rngFor(`${metric.id}:${STREAMS[model] ?? 'more'}`),
    }));
    return [itemAt(judged, 0), ...judged.slice(1)];
  }

  /** For each gold query of the shard, or of all, a verdict for each model. */
  #verdicts<V extends Verdict>(metric: Metric<V>): Promise<readonly (readonly V[])[]> {
    const { models, alternatives } = this.#files;
    return this.#byGold(metric.id, async (pairs, context, places) => {
      const every = models.flatMap((model) => places.map((place) => itemAt(model, place)));
      const verdicts = await judgeByAnyGold(metric, every, alternatives, context);
      return [...groupBy(verdicts, (_, at) => at % pairs.length).values()];
    });
  }

  /**
   * Returns the finding for each gold query: as it is known, else made, in a run with a folder so many at a time that
   * little is lost when it is stopped.
   */
  async #byGold<V extends Verdict>(
    what: string,
    find: (
      pairs: readonly EvaluationPair[],
      context: StageContext,
      places: readonly number[],
    ) => Promise<readonly (readonly V[])[]>,
  ): Promise<readonly (readonly V[])[]> {
    const idOf = ({ pair }: PlacedPair): string => `${what}/${pair.id}`;
    const own = this.#files.pairs
      .map((pair, place) => ({ pair, place }))
      .filter(({ pair }) => this.#items.isOwn(pair.id));
    const open = own.filter((placed) => this.#items.get(idOf(placed)) === undefined);
    let done = own.length - open.length;
    for (const some of this.#items.isKept ? chunks(open) : [open]) {
      const before = done;
      const context = withProgress(this.#context, (event) => {
        const part = Math.round((event.done / event.total) * some.length);
        return { ...event, done: before + part, total: own.length };
      });
      const places = some.map(({ place }) => place);
      const found = await find(
        some.map(({ pair }) => pair),
        context,
        places,
      );
      this.#items.keep(zip(some.map(idOf), found));
      done += some.length;
    }
    return own.map((placed) => mustGet(this.#items.get(idOf(placed)), idOf(placed)) as readonly V[]);
  }

  /** The section of a metric, whose verdicts are gathered. */
  async #section({ name, metric, mode, inputs, scores, checksGold, fieldsOf = nothing }: Opened): Promise<object> {
    const judgedOn = await inputs?.();
    const [predictions, ...further] = await this.#judge(metric);
    if (!checksGold) {
      const bad = predictions.verdicts.filter(({ outcome }) => outcome === 'bad-gold');
      this.#badGold.push(...badGoldOf(bad, name, this.#files.gold));
      this.#refuseBadGold();
    }
    const [first, ...lines] = this.models;
    const section = { ...judgedOn, mode, ...scores(predictions, first.verdicts) };
    first.add(name, { judged: predictions, fieldsOf });
    const [other] = this.#options.compare === null ? [] : zip(further, lines);
    const compared = other === undefined ? null : this.#compared(metric, predictions, scores, other);
    for (const [judged, own] of zip(further, lines)) own.add(name, { judged, fieldsOf });
    return { ...section, ...compared };
  }

  #compared(
    { id }: Metric,
    { pairs, verdicts }: Judged<Verdict>,
    scores: Opened['scores'],
    [other, lines]: readonly [Judged<Verdict>, VerdictLines],
  ): Compared<object> {
    const rngOf = (what: string): Rng => this.#context.rngFor(`${id}:${what}`);
    const comparison = compareVerdicts(pairs, verdicts, other.verdicts, rngOf);
    return { other: scores(other, lines.verdicts), comparison };
  }
}

/** Random streams of the models' intervals. */
const STREAMS = ['predictions', 'other'];

const nothing = (): object => ({});

/**
 * Returns a metric's verdicts on pairs by the gold query that suits each best: the first that it is correct by, else
 * the first. Soft F1 is that of the gold query which gives most.
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

/** A pair with its place in the files. */
interface PlacedPair {
  readonly pair: EvaluationPair;
  readonly place: number;
}

/** Pairs so many at a time, those of one database together: what they share is opened once. */
function* chunks(pairs: readonly PlacedPair[]): Generator<readonly PlacedPair[]> {
  let chunk: PlacedPair[] = [];
  for (const ofDatabase of groupBy(pairs, ({ pair }) => pair.database.id).values()) {
    chunk.push(...ofDatabase);
    if (chunk.length < AT_A_TIME) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

type Progress = Extract<StageEvent, { readonly kind: 'progress' }>;

/** A context for a part of the work, whose progress is told as part of the whole. */
function withProgress(context: StageContext, told: (event: Progress) => Progress): StageContext {
  return { ...context, emit: (event) => context.emit(event.kind === 'progress' ? told(event) : event) };
}
