import { ANNOTATE_EXCHANGE_OPTIONS } from './annotate-exchange-options.js';
import { ANNOTATE_OPTIONS } from './annotate-options.js';
import { ATTACK_OPTIONS } from './attack-options.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { EXPORT_NAMES } from '../formats/exports/export-names.js';
import { DEVICES } from '../inference/device.js';
import { DTYPES, PULL_TASKS } from '../inference/hub/pull-choices.js';
import { COLUMN_CHOICES } from '../perturb/column-choice.js';
import { ADD_POSITIONS } from '../perturb/add-position.js';
import { MATERIALIZE_MODES } from '../perturb/database/materialize-mode.js';
import { LINKED_KEYS } from '../perturb/linked-keys.js';
import { RECIPE_NAMES } from '../recipes/recipe-names.js';
import { CONSISTENCY_OPTIONS } from './consistency-options.js';
import { CORRELATE_OPTIONS } from './correlate-options.js';
import { EVALUATE_OPTIONS } from './evaluate-options.js';
import { MUTATE_OPTIONS } from './mutate-options.js';
import { SUITE_OPTIONS } from './suite-options.js';

/** One option of the command line; the parser, `--help` and docs/cli.md come from this table. */
export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Given several times, values add up. */
  readonly repeat?: true;
  readonly required?: true;
}

/** Every option, once; commands name the ones they take. */
export const OPTIONS = {
  dataset: {
    flags: '--dataset <format>',
    description: 'format of the data set',
    choices: DATASET_FORMATS,
    default: 'spider',
  },
  tables: { flags: '--tables <path>', description: 'schemas or tables, as the format has them (Spider’s tables.json)' },
  examples: { flags: '--examples <file>', description: 'questions with gold SQL (Spider’s dev.json)' },
  databases: {
    flags: '--databases <path>',
    description: 'databases, <db_id>/<db_id>.sqlite: sample values come from them',
  },
  connection: {
    flags: '--connection <url>',
    description: 'postgres://… or mysql://…: schema and samples are read in a read-only transaction',
  },
  out: { flags: '--out <dir>', description: 'folder of the run; the same command again resumes it', required: true },
  columns: {
    flags: '--columns <which>',
    description: 'columns that a gold query mentions, or all',
    choices: COLUMN_CHOICES,
    default: 'mentioned',
  },
  recipe: { flags: '--recipe <name>', description: 'published setting to follow', choices: RECIPE_NAMES },
  index: { flags: '--index <dir>', description: 'index of tables to retrieve from (default: the embedded one)' },
  fullScores: { flags: '--full-scores', description: 'score both directions even where one decides' },
  candidates: {
    flags: '--candidates <from>',
    description:
      'a run folder, a candidates.jsonl, an annotation project, or adveta:DIR for human ones (default: run the pipeline first)',
  },
  linkedKeys: {
    flags: '--linked-keys <how>',
    description: 'rename key columns linked by foreign keys alike, or each on its own',
    choices: LINKED_KEYS,
    default: 'same',
  },
  addPosition: {
    flags: '--add-position <where>',
    description: 'where an added column goes: a seeded place in its table, or last',
    choices: ADD_POSITIONS,
    default: 'seeded',
  },
  keepStar: { flags: '--keep-star', description: 'leave SELECT * under ADD, though its result then has more columns' },
  materialize: {
    flags: '--materialize <how>',
    description:
      'perturbed databases: a copy each, scripts of TEMP views over the originals, or none (default: copy, with --databases or CSV tables)',
    choices: MATERIALIZE_MODES,
  },
  export: {
    flags: '--export <form>',
    description:
      'a further form of the data set: Hugging Face folders of JSON lines or Parquet, or chats for fine-tuning',
    choices: EXPORT_NAMES,
    repeat: true,
  },
  promptTemplate: {
    flags: '--prompt-template <file>',
    description: 'prompt of the chat export: a text with {question}, {schema}, {dialect}; --- parts system and user',
  },
  noVerify: {
    flags: '--no-verify',
    description: 'do not execute every gold query on its perturbed database at the end',
  },
  timeout: { flags: '--timeout <seconds>', description: 'longest time of one query', default: '30' },
  originals: {
    flags: '--databases <path>',
    description: 'original databases, for a run that wrote views',
  },
  pairs: {
    flags: '--pairs <file>',
    description: 'JSON lines of {a, b, tpe?, type?, table?}; - for standard input',
    required: true,
  },
  from: {
    flags: '--from <path>',
    description: 'corpus: file or folder of JSONL, WDC JSON (also .gz, .tar.gz), CSV or SQLite',
    required: true,
  },
  indexOut: { flags: '--out <dir>', description: 'folder of the index', required: true },
  minColumns: { flags: '--min-columns <n>', description: 'fewest columns of a table that is kept', default: '2' },
  maxColumns: {
    flags: '--max-columns <n>',
    description: 'most columns of a table that is kept (the paper’s 5)',
    default: '5',
  },
  question: {
    flags: '--question <text>',
    description: 'a question asked of the table that is looked for',
    repeat: true,
  },
  title: { flags: '--title <text>', description: 'its title' },
  names: { flags: '--columns <names>', description: 'its column names, separated by commas' },
  top: { flags: '--top <k>', description: 'tables to show', default: '10' },
  seed: { flags: '--seed <n>', description: 'seed of every random draw (default: 0)' },
  config: { flags: '--config <file>', description: 'settings (default: perturbql.config.json where it exists)' },
  set: { flags: '--set <group.name=value>', description: 'change one setting, such as nli.rplMin=0.7', repeat: true },
  jobs: { flags: '--jobs <n>', description: 'inference sessions side by side (default and most: the number of cores)' },
  device: {
    flags: '--device <where>',
    description:
      'where models run (default: cpu); a graphics card needs its drivers, and other kernels give other last digits',
    choices: DEVICES,
  },
  task: {
    flags: '--task <what>',
    description: 'what the model is for: judge, table encoder, word vectors (default: what its files say)',
    choices: PULL_TASKS,
  },
  dtype: {
    flags: '--dtype <format>',
    description: 'number format of the weights (default: the first of these that the model has)',
    choices: DTYPES,
  },
  modelName: { flags: '--name <name>', description: 'name that the model gets here (default: that of its source)' },
  labels: {
    flags: '--labels <names>',
    description:
      'what each output of a judge means, in order, where its config does not say: contradiction,neutral,entailment',
  },
  sha256: { flags: '--sha256 <hash>', description: 'what the weights, or the vector file, must hash to' },
  license: { flags: '--license <name>', description: 'licence, where the source states none' },
  hub: { flags: '--endpoint <url>', description: 'address of the model hub (default: HF_ENDPOINT)' },
  offline: { flags: '--offline', description: 'use no network, as with HF_HUB_OFFLINE=1' },
  cache: { flags: '--cache <dir>', description: 'folder of the score cache (default: the platform’s cache folder)' },
  dryRun: { flags: '--dry-run', description: 'say what would be done and how long it may take; do nothing' },
  json: { flags: '--json', description: 'print one JSON object' },
  demoOut: {
    flags: '--out <dir>',
    description: 'folder of the run (default: perturbql-demo, or the next free number)',
  },
  viewPort: { flags: '--port <n>', description: 'port of the page; 0 takes any free one', default: '4748' },
  yes: { flags: '--yes', description: 'take what was found, ask nothing' },
  example: { flags: '--example', description: 'use the packaged examples' },
  ...ATTACK_OPTIONS,
  ...EVALUATE_OPTIONS,
  ...CORRELATE_OPTIONS,
  ...CONSISTENCY_OPTIONS,
  ...MUTATE_OPTIONS,
  ...SUITE_OPTIONS,
  ...ANNOTATE_OPTIONS,
  ...ANNOTATE_EXCHANGE_OPTIONS,
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof OPTIONS;

/** `failed-check`: done, but what was checked does not hold; the exit code says so. */
export type CommandResult = void | 'failed-check';

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionName[];
  /** Positional arguments, commander's notation, separated by spaces. */
  readonly argument?: { readonly name: string; readonly description: string };
  readonly example: string;
  /** Loaded only when the command runs, so that --help and --version load nothing heavy. */
  readonly load: () => Promise<{ readonly run: (raw: RawOptions, ...given: string[]) => Promise<CommandResult> }>;
}

/** Options as commander hands them over, checked by each command. */
export type RawOptions = Readonly<Record<string, unknown>>;
