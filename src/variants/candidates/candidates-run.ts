import { statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { formatCount } from '../../counts.js';
import { absentFolder } from '../../regular-file.js';
import { ConfigError, InputFormatError } from '../../errors.js';
import { type Dataset, type DatasetPaths, examplesNamed, NO_SQL } from '../../formats/dataset.js';
import { loadDataset } from '../../formats/load-dataset.js';
import { COLUMNS_DECIDED, type CtaStages, runPipeline, type TableResult, type TableTask } from '../../pipeline.js';
import { itemAt, mustGet } from '../../present.js';
import { createStages, fingerprintStages } from '../../create-stages.js';
import { estimateJudgments } from '../../llm/create-judge.js';
import {
  addEstimates,
  estimateEntities,
  estimateProposals,
  type ProposalEstimate,
  type ProposerChoice,
} from '../../llm/create-proposer.js';
import { isJudged, type Recipe, RECIPES } from '../../recipes/recipes.js';
import type { RecipeName } from '../../recipes/recipe-names.js';
import { parseSettings, type Settings } from '../../recipes/settings.js';
import { type MachineOptions, StageResources } from '../../recipes/stage-resources.js';
import { RetrievalSource } from '../../retriever/retrieval-source.js';
import type { RunFolder, RunManifest } from '../../run/run-folder.js';
import { ownItems, type ShardOption } from '../../run/shard.js';
import { createStageContext, inPhase, type RunHost } from '../../run/run-host.js';
import { sourceTraits, type StageContext } from '../../stage.js';
import { sha256Of } from '../../run/sha256.js';
import { openRunScores } from '../../run/score-cache.js';
import { openVectorCache } from '../../run/row-cache.js';
import { VERSION } from '../../version.js';
import { DifficultyRater } from '../relations/names/candidate-difficulty.js';
import { type ColumnChoice, PIPELINE_DEFAULTS } from '../augment/variant-plan.js';
import { findUnusable, type UnusableDatabase } from '../databases/unusable-databases.js';
import { planTables, type TablePlan } from './plan-tables.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { groupBy } from '../../run/group-by.js';
import { CandidatePool } from '../relations/names/candidate-pool.js';

/** Databases whose candidates are in memory. */
const POOLS_AT_HAND = 16;

/** Results of the tables of a run in the plan's order, read wherever they are wanted: few of them are in memory. */
export class DecidedTables implements Iterable<TableResult> {
  readonly #tasks: readonly TableTask[];
  readonly #ofDatabase: ReadonlyMap<string, readonly TableTask[]>;
  readonly #read: (id: string) => TableResult;
  readonly #pools = new LRUCache<string, CandidatePool>({ max: POOLS_AT_HAND });

  /** `read` gives the result of a task by its id, the same at each call. */
  constructor(tasks: readonly TableTask[], read: (id: string) => TableResult) {
    this.#tasks = tasks;
    this.#ofDatabase = groupBy(tasks, ({ target }) => target.dbId);
    this.#read = read;
  }

  *[Symbol.iterator](): Generator<TableResult> {
    for (const { id } of this.#tasks) yield this.#read(id);
  }

  *decisions(): Generator<CandidateDecision> {
    for (const { decisions } of this) yield* decisions;
  }

  /** The accepted candidates of one database. */
  readonly poolOf = (dbId: string): CandidatePool => {
    const known = this.#pools.get(dbId);
    if (known !== undefined) return known;
    const pool = new CandidatePool((this.#ofDatabase.get(dbId) ?? []).flatMap(({ id }) => this.#read(id).decisions));
    this.#pools.set(dbId, pool);
    return pool;
  };
}

/** Pairs scored per column: 52 on the examples, 54 in a table of 300 columns, 67 on a fifth of Spider dev. */
export const PAIRS_PER_COLUMN = 60;

/** The options common to all runs over a data set. */
export interface CandidatesOptions extends DatasetPaths, MachineOptions, ShardOption {
  readonly columns: ColumnChoice;
  readonly recipe: RecipeName;
  readonly settings: Settings;
  readonly seed: number;
  /**
   * Whom recipes `llm` and `cta+llm` ask for names, and the settings `tpe.id` and `nli.id` `llm` for entities and
   * judgments.
   */
  readonly proposer?: ProposerChoice | null;
  /** Folder of the run. */
  readonly out: string;
}

/** The required options; the others have the command line's defaults. */
export type CandidatesInput = Pick<CandidatesOptions, 'out'> & Partial<CandidatesOptions>;

/** @throws ConfigError when the run folder or the recipe is not named. */
export function withDefaults(input: CandidatesInput): CandidatesOptions {
  if (typeof input.out !== 'string' || input.out === '')
    throw new ConfigError('option out is missing', { fix: 'Give out: a path.' });
  const options = { ...PIPELINE_DEFAULTS, settings: parseSettings({}), ...input };
  if (options.recipe in RECIPES) return options;
  throw new ConfigError(`there is no recipe "${options.recipe}"`, {
    fix: `Known: ${Object.keys(RECIPES).join(', ')}.`,
  });
}

/** A mistyped path would only show as absent sample values. @throws InputFormatError where nothing is there */
export function requireDatabases(databases: string | null): void {
  if (databases === null || statSync(databases, { throwIfNoEntry: false }) !== undefined) return;
  const folder = absentFolder(databases);
  throw new InputFormatError(folder === null ? 'there are no databases at this path' : `there is no folder ${folder}`, {
    where: { file: databases },
    fix: 'Name the folder that holds <db_id>/<db_id>.sqlite, or leave it out.',
  });
}

const NO_SQL_FIX =
  'Name questions with gold SQL (--examples): it says which columns are perturbed, and what the built-in parser answers after.';

/**
 * A data set of which nothing can be used is another one than its reader takes it for. @throws InputFormatError for one
 */
export function requireExamples(
  { size, skipped, format }: Dataset,
  { examples }: Pick<DatasetPaths, 'examples'>,
): void {
  if (size > 0 || skipped.length === 0) return;
  const { id, reason } = itemAt(skipped, 0);
  throw new InputFormatError(
    `none of the ${formatCount(skipped.length)} examples can be used as ${format}: ${reason}`,
    {
      where: examples === null ? { id } : { file: examples, id },
      fix: skipped.every((one) => one.reason === NO_SQL) ? NO_SQL_FIX : 'Check --dataset and --examples.',
    },
  );
}

/**
 * Checks whether a table is decided. What an earlier version began lacks original names, and columns that share their
 * natural one.
 */
function isWhole({ decisions }: TableResult): boolean {
  return decisions.every(({ column_original }) => column_original !== undefined);
}

function countColumns(tasks: readonly TableTask[]): number {
  return tasks.reduce((sum, { columns }) => sum + columns.length, 0);
}

/** Databases with their columns: shards are cut by databases, as the tables of one share samples and retrieval. */
function weightsOf(dataset: Dataset, { tasks }: TablePlan): ReadonlyMap<string, number> {
  const weights = new Map(Array.from(dataset.examples(), ({ dbId }) => [dbId, 0]));
  for (const { target, columns } of tasks) weights.set(target.dbId, (weights.get(target.dbId) ?? 0) + columns.length);
  return weights;
}

/** The inputs of a run, as they were read. */
interface RunInputs {
  readonly dataset: Dataset;
  /** Databases of the run that `--databases` has no usable file for: their tables go without sample values. */
  readonly unusable: readonly UnusableDatabase[];
  readonly plan: TablePlan;
}

async function readInputs(options: CandidatesOptions): Promise<RunInputs> {
  const dataset = await loadDataset(options);
  requireExamples(dataset, options);
  const unusable = findUnusable(dataset, options.databases);
  return { dataset, unusable, plan: planTables(dataset, options.columns) };
}

/** What a run's stages are built from, with stores that keep its scores and vectors for further runs. */
export function openResources(
  options: Pick<CandidatesOptions, 'out' | 'settings' | 'proposer'> & MachineOptions & ShardOption,
  recipe: Recipe,
  host: RunHost,
): StageResources {
  const { settings, jobs, device, cacheFolder, proposer } = options;
  const warn = (message: string): void => host.note(`warning: ${message}`);
  return new StageResources(settings, recipe, {
    jobs,
    device,
    cacheFolder,
    proposer,
    openStore: (fingerprint) => openRunScores(options, fingerprint, warn),
    openVectors: (fingerprint) => openVectorCache(options, fingerprint, warn),
  });
}

/** A data set, its plan and the stages of a recipe: what `candidates` and `augment` have in common. */
export class CandidatesRun implements RunInputs {
  readonly options: CandidatesOptions;
  readonly dataset: Dataset;
  readonly unusable: readonly UnusableDatabase[];
  readonly plan: TablePlan;
  /** Ids of the databases of the run, or of its shard. */
  readonly own: ReadonlySet<string>;
  readonly resources: StageResources;
  /** What asking a language model costs at most; null where none is asked. */
  readonly proposals: ProposalEstimate | null;
  #rater: DifficultyRater | null = null;

  private constructor(options: CandidatesOptions, { dataset, unusable, plan }: RunInputs, host: RunHost) {
    this.options = options;
    this.dataset = dataset;
    this.unusable = unusable;
    this.plan = plan;
    this.resources = openResources(options, RECIPES[options.recipe], host);
    this.own = ownItems(options.shard, weightsOf(dataset, plan));
    // What the stages would refuse of the settings is refused before, so that a dry run tells of it.
    this.resources.thresholds();
    this.resources.rules();
    this.proposals = this.#estimateProposals();
  }

  /** Reads the inputs and loads no model. @throws InputFormatError or ConfigError when an input is wrong */
  static async open(options: CandidatesOptions, host: RunHost): Promise<CandidatesRun> {
    requireDatabases(options.databases);
    const inputs = await inPhase(host, 'reading inputs', () => readInputs(options));
    return new CandidatesRun(options, inputs, host);
  }

  /** Columns to be perturbed. */
  get columnCount(): number {
    return countColumns(this.plan.tasks);
  }

  /** Pairs that are scored per column, about; 0 where nothing is judged. */
  get #pairsPerColumn(): number {
    return isJudged(RECIPES[this.options.recipe]) ? PAIRS_PER_COLUMN : 0;
  }

  /** Pairs to be scored, about. */
  get pairCount(): number {
    return this.columnCount * this.#pairsPerColumn;
  }

  /** @throws ConfigError where a language model can't be asked */
  #estimateProposals(): ProposalEstimate | null {
    const { proposer = null } = this.options;
    const { tasks } = this.plan;
    const columns = tasks.flatMap((task) => task.columns.map((column) => ({ target: task.target, column })));
    const tables = tasks.map(({ target }) => target);
    const estimates = [
      ...(this.asksNames ? [estimateProposals(proposer, columns)] : []),
      ...(this.#asksEntities ? [estimateEntities(proposer, tables)] : []),
      ...(this.asksJudgments ? [estimateJudgments(proposer, columns, this.#pairsPerColumn)] : []),
    ];
    return estimates.length === 0 ? null : estimates.reduce(addEstimates);
  }

  /** True if a language model proposes names. */
  get asksNames(): boolean {
    const { rpl, add } = RECIPES[this.options.recipe];
    return [...rpl.sources, ...add.sources].some((kind) => sourceTraits(kind).knownBy === 'model');
  }

  /** True if a language model judges names. */
  get asksJudgments(): boolean {
    return this.options.settings.nli.id === 'llm';
  }

  get #asksEntities(): boolean {
    return this.options.settings.tpe.id === 'llm';
  }

  /** Describes the requests to a language model and their cost, in one line; null if none is asked. */
  async #describeAsked(): Promise<string | null> {
    if (this.asksNames) return (await this.resources.proposer()).describe();
    const isAsked = this.options.proposer?.kind === 'endpoint' && (this.#asksEntities || this.asksJudgments);
    return isAsked ? this.resources.asker().describe() : null;
  }

  /** Builds the stages, once for a run. */
  loadStages(host: RunHost): Promise<CtaStages> {
    return inPhase(host, 'loading names and index', () => createStages(this.resources));
  }

  /** Returns the run's manifest: inputs by sha256, settings, fingerprints of all parts. */
  manifest(
    command: string,
    stages: CtaStages,
    extra: Readonly<Record<string, unknown>>,
  ): Omit<RunManifest, 'complete'> {
    const { examples, columns, recipe, settings, seed, dataset } = this.options;
    const values = JSON.stringify(this.plan.tasks.map(({ target }) => target.values));
    const parts = fingerprintStages(stages, this.resources.judgeFingerprint);
    return {
      command,
      version: VERSION,
      seed,
      settings: { dataset, columns, recipe, ...settings, ...extra, thresholds: this.resources.thresholds(), parts },
      inputs: {
        ...this.dataset.fingerprints,
        // Example ids, and with them the draws, begin with the file's name.
        ...examplesNamed({ examples }),
        values: sha256Of(values),
      },
    };
  }

  /**
   * Decides every table of the run, or of its shard, that it has not finished yet; results while the run's folder is
   * open.
   */
  async decide(run: RunFolder<TableResult>, stages: CtaStages, host: RunHost): Promise<DecidedTables> {
    const tasks = this.plan.tasks.filter(({ target }) => this.own.has(target.dbId));
    const open = tasks.filter(({ id }) => {
      const known = run.journal.get(id);
      return known === undefined || !isWhole(known);
    });
    const total = countColumns(tasks);
    let done = total - countColumns(open);
    const report = (): void => {
      const { asked, inferred, cached } = this.resources.scorer().counts;
      const detail = asked === 0 ? '' : `${formatCount(inferred)} pairs scored, ${formatCount(cached)} from the cache`;
      host.progress(COLUMNS_DECIDED, done, total, detail);
    };
    for (const { id, file, reason } of this.unusable) {
      host.note(`warning: ${file ?? id}: ${reason}, so there are no sample values`);
    }
    await this.#announceRetrieval(stages, host);
    report();
    const context = createStageContext(this.options.seed, host);
    const emit: StageContext['emit'] = (event) => {
      if (event.kind !== 'count' || event.name !== COLUMNS_DECIDED) return context.emit(event);
      done += event.by;
      // The end is reported below, with what was written.
      if (done < total) report();
    };
    for await (const result of runPipeline(open, stages, { ...context, emit })) run.journal.append(result.id, result);
    if (open.length > 0) report();
    const asked = await this.#describeAsked();
    if (asked !== null) host.note(asked);
    return new DecidedTables(tasks, (id) => {
      const result = mustGet(run.journal.get(id), 'run.journal.get(id)');
      return { ...result, decisions: result.decisions.map((decision) => this.rater.rate(decision)) };
    });
  }

  /** Rates candidates by the questions of the data set. */
  get rater(): DifficultyRater {
    return (this.#rater ??= new DifficultyRater(this.dataset, this.plan.mentions));
  }

  /** The number of tables retrieved is a setting whose default depends on the index, so it is said. */
  async #announceRetrieval({ sources: { retrieval } }: CtaStages, host: RunHost): Promise<void> {
    if (!(retrieval instanceof RetrievalSource)) return;
    host.note(
      `retrieving ${formatCount(retrieval.k)} of ${formatCount((await this.resources.index()).size)} tables per target`,
    );
  }

  dispose(): Promise<void> {
    return this.resources.dispose();
  }
}
