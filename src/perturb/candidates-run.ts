import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { ConfigError, InputFormatError } from '../errors.js';
import { type Dataset, type DatasetPaths, loadDataset } from '../formats/dataset.js';
import { sqlitePath } from '../formats/sample-values.js';
import { runPipeline, type CtaStages, type TableResult } from '../pipeline.js';
import { createStages, fingerprintStages } from '../recipes/create-stages.js';
import { RECIPES } from '../recipes/recipes.js';
import type { RecipeName } from '../recipes/recipe-names.js';
import { parseSettings, type Settings } from '../recipes/settings.js';
import { StageResources } from '../recipes/stage-resources.js';
import { RetrievalSource } from '../retriever/retrieval-source.js';
import type { RunFolder, RunManifest } from '../run/run-folder.js';
import { createStageContext, type RunHost } from '../run/run-host.js';
import { openScoreCache } from '../run/score-cache.js';
import { VERSION } from '../version.js';
import type { ColumnChoice } from './column-choice.js';
import { planTables, type TablePlan } from './plan-tables.js';

/** What every run over a data set is told. */
export interface CandidatesOptions extends DatasetPaths {
  readonly columns: ColumnChoice;
  readonly recipe: RecipeName;
  readonly settings: Settings;
  readonly seed: number;
  /** Folder of the run. */
  readonly out: string;
  /** Inference sessions side by side; undefined = the number of cores. */
  readonly workers?: number | undefined;
  /** Folder of the score cache; undefined = the platform's. */
  readonly cacheFolder?: string | undefined;
}

/** What must be given; the rest has the command line's defaults. */
export type CandidatesInput = Pick<CandidatesOptions, 'tables' | 'examples' | 'out'> & Partial<CandidatesOptions>;

/** @throws ConfigError when a file, the run folder or the recipe is not named. */
export function withDefaults(input: CandidatesInput): CandidatesOptions {
  for (const name of ['tables', 'examples', 'out'] as const) {
    if (typeof input[name] !== 'string')
      throw new ConfigError(`option ${name} is missing`, { fix: `Give ${name}: a path.` });
  }
  const defaults = { dataset: 'spider', databases: null, columns: 'mentioned', recipe: 'cta', seed: 0 } as const;
  const options = { ...defaults, settings: parseSettings({}), ...input };
  if (options.recipe in RECIPES) return options;
  throw new ConfigError(`there is no recipe "${options.recipe}"`, {
    fix: `Known: ${Object.keys(RECIPES).join(', ')}.`,
  });
}

/** sha256 of a text or of bytes, in hex. */
export function sha256Text(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A mistyped folder would only show as absent sample values. */
function requireFolder(databases: string | null): void {
  if (databases === null || statSync(databases, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new InputFormatError('the folder of databases does not exist', {
    where: { file: databases },
    fix: 'Name the folder that holds <db_id>/<db_id>.sqlite, or leave it out.',
  });
}

/** A data set, its plan and the stages of a recipe: what `candidates` and `augment` have in common. */
export class CandidatesRun {
  readonly options: CandidatesOptions;
  readonly dataset: Dataset;
  readonly plan: TablePlan;
  readonly resources: StageResources;
  #stages: CtaStages | null = null;

  /** @throws InputFormatError when an input file is wrong. Reads inputs, loads no model. */
  constructor(options: CandidatesOptions, host: RunHost) {
    this.options = options;
    requireFolder(options.databases);
    this.dataset = loadDataset(options);
    this.plan = planTables(this.dataset, options.columns);
    this.resources = new StageResources(options.settings, RECIPES[options.recipe], {
      workers: options.workers,
      cacheFolder: options.cacheFolder,
      openStore: (sha256) => openScoreCache(options.cacheFolder, sha256, (message) => host.note(`warning: ${message}`)),
    });
  }

  /** Databases of the run that `--databases` has no file for: their tables go without sample values. */
  get databasesWithoutFile(): readonly string[] {
    const folder = this.options.databases;
    const used = [...new Set(this.plan.tasks.map(({ target }) => target.dbId))];
    return folder === null ? [] : used.filter((dbId) => !existsSync(sqlitePath(folder, dbId)));
  }

  /** Columns to be perturbed. */
  get columnCount(): number {
    return this.plan.tasks.reduce((sum, task) => sum + task.columns.length, 0);
  }

  /** Builds the stages at its first call. */
  async stages(): Promise<CtaStages> {
    return (this.#stages ??= await createStages(this.resources));
  }

  /** What the run's manifest records: inputs by sha256, settings, fingerprints of all parts. */
  async manifest(command: string, extra: Readonly<Record<string, unknown>>): Promise<Omit<RunManifest, 'complete'>> {
    const { tables, examples, columns, recipe, settings, seed, dataset } = this.options;
    const values = JSON.stringify(this.plan.tasks.map(({ target }) => target.values));
    const parts = fingerprintStages(
      await this.stages(),
      sha256Text(JSON.stringify(this.resources.nliModel().manifest)),
    );
    return {
      command,
      version: VERSION,
      seed,
      settings: { dataset, columns, recipe, ...settings, ...extra, thresholds: this.resources.thresholds(), parts },
      inputs: {
        tables: sha256Text(readFileSync(tables)),
        examples: sha256Text(readFileSync(examples)),
        // Example ids, and with them the draws, begin with the file's name.
        examplesName: basename(examples),
        values: sha256Text(values),
      },
    };
  }

  /** Decides every table that the run has not finished yet; results of all tables, in the plan's order. */
  async decide(run: RunFolder<TableResult>, host: RunHost): Promise<readonly TableResult[]> {
    const { tasks } = this.plan;
    const open = tasks.filter(({ id }) => run.journal.get(id) === undefined);
    let done = tasks.length - open.length;
    const report = (): void => {
      const { asked, inferred, cached } = this.resources.scorer().counts;
      const detail = asked === 0 ? '' : `${inferred} pairs scored, ${cached} from the cache`;
      host.progress('tables decided', done, tasks.length, detail);
    };
    report();
    const missing = this.databasesWithoutFile;
    if (missing.length > 0) host.note(`warning: no database file, so no sample values, for ${missing.join(', ')}`);
    const context = createStageContext(this.options.seed, host);
    await this.#announceRetrieval(host);
    for await (const result of runPipeline(open, await this.stages(), context)) {
      run.journal.append(result.id, result);
      done++;
      report();
    }
    return tasks.map(({ id }) => run.journal.get(id)!);
  }

  /** The number of tables retrieved is a setting whose default depends on the index, so it is said. */
  async #announceRetrieval(host: RunHost): Promise<void> {
    const { retrieval } = (await this.stages()).sources;
    if (!(retrieval instanceof RetrievalSource)) return;
    host.note(`retrieving ${retrieval.k} of ${(await this.resources.index()).size} tables per target`);
  }

  dispose(): Promise<void> {
    return this.resources.dispose();
  }
}
