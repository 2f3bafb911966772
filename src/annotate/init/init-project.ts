import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFolder } from '../../regular-file.js';
import { ConfigError } from '../../errors.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../formats/dataset.js';
import { datasetAdapter, loadDataset } from '../../formats/load-dataset.js';
import { ownFieldsOf } from '../../formats/own-fields.js';
import { ADVETA_PREFIX, loadCandidatesFrom } from '../../variants/candidates/candidate-forms.js';
import { requireDatabases, requireExamples } from '../../variants/candidates/candidates-run.js';
import type { ColumnChoice } from '../../variants/augment/variant-plan.js';
import { noteFound } from '../../variants/candidates/adveta-places.js';
import { DecisionsByColumn } from '../../variants/relations/names/candidate-pool.js';
import { planTables, type SkippedItem } from '../../variants/candidates/plan-tables.js';
import { readRunInputs, requireRunInputs, requireSameInputs } from '../../variants/candidates/run-inputs.js';
import { readRunManifest, type RunManifest } from '../../run/run-folder.js';
import { type RunHost, createStageContext } from '../../run/run-host.js';
import type { NameKind } from '../annotation.js';
import { createProject } from '../project/create-project.js';
import type { NewPerson, ProjectItem, ProjectSettings } from '../project/project-content.js';
import { requireFreePlace } from '../project/project-file.js';
import { firstRows, makeItems } from './project-items.js';
import { RECIPES } from '../../recipes/recipes.js';
import { parseSettings, type Settings } from '../../recipes/settings.js';
import { StageResources } from '../../recipes/stage-resources.js';
import { TPE_PREDICTORS } from '../../registry.js';
import type { TargetTable } from '../../stage.js';

export interface InitOptions {
  /** A run folder, a `candidates.jsonl`, or `adveta:DIR`. */
  readonly run: string;
  /** Where the data set lies; what is not given is where the run's own inputs lie. */
  readonly paths: { readonly [Input in keyof DatasetPaths]?: DatasetPaths[Input] | undefined };
  /** The file to make. */
  readonly out: string;
  readonly people: readonly NewPerson[];
  readonly kinds: readonly NameKind[];
  readonly columns: ColumnChoice;
  /** Most names of a list. */
  readonly listLength: number;
  readonly settings: Omit<ProjectSettings, 'dataset'>;
}

export interface InitOutcome {
  /** Examples and columns that could not be used. */
  readonly skipped: readonly SkippedItem[];
  /** Columns of the plan that the run has not decided on. */
  readonly undecided: number;
  /** Of each kind with lists that are shorter than was asked for. */
  readonly short: readonly ShortLists[];
}

/** Lists of a kind that the run has too few names for. */
interface ShortLists {
  readonly kind: NameKind;
  readonly lists: number;
  /** All lists of the kind. */
  readonly of: number;
  /** Names of the shortest. */
  readonly fewest: number;
}

function shortLists(items: readonly ProjectItem[], { kinds, listLength }: InitOptions): readonly ShortLists[] {
  return kinds.flatMap((kind) => {
    const lengths = items.flatMap(({ item }) => (item.kind === kind ? item.candidates.length : []));
    const short = lengths.filter((length) => length < listLength);
    return short.length === 0 ? [] : [{ kind, lists: short.length, of: lengths.length, fewest: Math.min(...short) }];
  });
}

function isRunFolder(run: string): boolean {
  return isFolder(run);
}

/** Commands whose runs decide on candidates. */
const CANDIDATE_COMMANDS: ReadonlySet<string> = new Set(['candidates', 'augment']);

function requireRun(run: string): void {
  if (run.startsWith(ADVETA_PREFIX)) return;
  const fix = 'Name a folder that `perturbql candidates` or `augment` wrote, a candidates.jsonl, or adveta:DIR.';
  if (!existsSync(run)) throw new ConfigError('there is no such run', { where: { file: run }, fix });
  if (!isRunFolder(run)) return;
  const { command } = readRunManifest(run);
  if (CANDIDATE_COMMANDS.has(command)) return;
  const what = `this is a run of \`perturbql ${command}\`, which holds no candidates`;
  throw new ConfigError(what, { where: { file: run }, fix });
}

/** The data set of a run: what is given, else what the run says. */
function datasetPaths({ run, paths }: InitOptions): DatasetPaths {
  const named = readRunInputs(run);
  const own = named ?? PATH_DEFAULTS;
  const chosen = { ...own, ...Object.fromEntries(Object.entries(paths).filter(([, given]) => given != null)) };
  if (named !== null) requireRunInputs(run, chosen);
  return chosen;
}

async function collectItems(
  options: InitOptions,
  paths: DatasetPaths,
  host: RunHost,
): Promise<InitOutcome & { readonly items: readonly ProjectItem[] }> {
  requireDatabases(paths.databases);
  const dataset = await loadDataset(paths);
  requireExamples(dataset, paths);
  const manifest = isRunFolder(options.run) ? readRunManifest(options.run) : null;
  if (manifest !== null) requireSameInputs(options.run, dataset.fingerprints);
  const use = { format: dataset.format, onFound: noteFound(host) };
  const decisions = new DecisionsByColumn(loadCandidatesFrom(options.run, dataset.databases, use));
  const plan = planTables(dataset, options.columns);
  const targets = plan.tasks.map(({ target }) => target);
  const entities = await predictEntities(targets, entitySettings(manifest), manifest?.seed ?? 0, host);
  const scratch = mkdtempSync(join(tmpdir(), 'perturbql-'));
  try {
    const rows = (database: Parameters<typeof firstRows>[1]): ReturnType<typeof firstRows> =>
      firstRows(dataset, database, scratch);
    const { fields } = await datasetAdapter(dataset.format);
    const fieldsOf = ownFieldsOf({ input: dataset }, fields);
    const items = makeItems({ dataset, fieldsOf, plan, decisions, entities, rows }, options);
    const columns = plan.tasks.reduce((sum, task) => sum + task.columns.length, 0);
    const used = new Set(items.map(({ item }) => JSON.stringify([item.dbId, item.tableOriginal, item.columnOriginal])));
    return {
      items,
      skipped: plan.skipped,
      undecided: columns - used.size,
      short: shortLists(items, options),
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Makes an annotation project of the candidates that a run decided on (ADVETA §3.1).
 * @throws AnnotationError when the file or another's log exists or nothing would be in it; ConfigError, InputFormatError or RunFolderError
 *   where the run or its data set is not there or is another one
 */
export async function initProject(options: InitOptions, host: RunHost): Promise<InitOutcome> {
  requireFreePlace(options.out);
  requireRun(options.run);
  const paths = datasetPaths(options);
  const { items, ...outcome } = await collectItems(options, paths, host);
  const settings = { ...options.settings, dataset: paths.dataset };
  createProject(options.out, items, { settings, people: options.people });
  return outcome;
}

/** The settings that a run was made with, as far as they say what a primary entity is; the defaults without a run. */
function entitySettings(manifest: RunManifest | null): Settings {
  const { tpe, nli } = manifest?.settings ?? {};
  return parseSettings({ ...(tpe === undefined ? {} : { tpe }), ...(nli === undefined ? {} : { nli }) });
}

/** The primary entity of each table, as the run predicted it; a model is loaded only where no name tells it. */
async function predictEntities(
  targets: readonly TargetTable[],
  settings: Settings,
  seed: number,
  host: RunHost,
): Promise<readonly string[]> {
  const resources = new StageResources(settings, RECIPES.cta);
  try {
    const predictor = await TPE_PREDICTORS[settings.tpe.id](resources);
    return await predictor.predict(targets, createStageContext(seed, host));
  } finally {
    await resources.dispose();
  }
}
