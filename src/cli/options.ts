import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { EXPORT_NAMES } from '../formats/exports/export-names.js';
import { COLUMN_CHOICES } from '../perturb/column-choice.js';
import { ADD_POSITIONS } from '../perturb/add-position.js';
import { MATERIALIZE_MODES } from '../perturb/database/materialize-mode.js';
import { LINKED_KEYS } from '../perturb/linked-keys.js';
import { RECIPE_NAMES } from '../recipes/recipe-names.js';

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
    description: 'a run folder, a candidates.jsonl, or adveta:DIR for human ones (default: run the pipeline first)',
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
  set: { flags: '--set <group.name=value>', description: 'change one setting, such as nli.rplMin=0.6', repeat: true },
  jobs: { flags: '--jobs <n>', description: 'inference sessions side by side (default and most: the number of cores)' },
  cache: { flags: '--cache <dir>', description: 'folder of the score cache (default: the platform’s cache folder)' },
  dryRun: { flags: '--dry-run', description: 'say what would be done and how long it may take; do nothing' },
  json: { flags: '--json', description: 'print one JSON object' },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof OPTIONS;

/** `failed-check`: done, but what was checked does not hold; the exit code says so. */
export type CommandResult = void | 'failed-check';

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionName[];
  /** Positional argument, commander's notation. */
  readonly argument?: { readonly name: string; readonly description: string };
  readonly example: string;
  /** Loaded only when the command runs, so that --help and --version load nothing heavy. */
  readonly load: () => Promise<{ readonly run: (raw: RawOptions, argument?: string) => Promise<CommandResult> }>;
}

/** Options as commander hands them over, checked by each command. */
export type RawOptions = Readonly<Record<string, unknown>>;

const COMMON = ['seed', 'config', 'set', 'jobs', 'cache', 'dryRun'] as const satisfies readonly OptionName[];
const DATASET = ['dataset', 'tables', 'examples', 'databases', 'connection'] as const satisfies readonly OptionName[];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'candidates',
    summary: 'decide RPL and ADD candidates for the columns of a data set',
    options: [...DATASET, 'out', 'columns', 'recipe', 'index', 'fullScores', ...COMMON],
    example:
      'perturbql candidates --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
    load: () => import('./candidates-command.js'),
  },
  {
    name: 'augment',
    summary: 'write a training set with one RPL and one ADD variant of each example',
    options: [
      ...DATASET,
      'out',
      'columns',
      'recipe',
      'index',
      'candidates',
      'linkedKeys',
      'addPosition',
      'keepStar',
      'materialize',
      'noVerify',
      'export',
      'promptTemplate',
      ...COMMON,
    ],
    example:
      'perturbql augment --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
    load: () => import('./augment-command.js'),
  },
  {
    name: 'verify',
    summary: 'execute the gold SQL of a perturbed data set and compare with the originals',
    options: ['originals', 'timeout', 'jobs', 'json'],
    argument: { name: '<run>', description: 'folder that augment wrote' },
    example: 'perturbql verify RUN',
    load: () => import('./verify-command.js'),
  },
  {
    name: 'score',
    summary: 'explain the decision for pairs of names',
    options: ['pairs', ...COMMON],
    example: 'echo \'{"a": "nationality", "b": "citizenship", "tpe": "student"}\' | perturbql score --pairs -',
    load: () => import('./score-command.js'),
  },
  {
    name: 'index build',
    summary: 'build an index of tables to retrieve from',
    options: ['from', 'indexOut', 'minColumns', 'maxColumns', 'config', 'set', 'jobs', 'dryRun'],
    example: 'perturbql index build --from tables.tar.gz --out my-index',
    load: () => import('./index-build-command.js'),
  },
  {
    name: 'index info',
    summary: 'show what an index holds and how it was built',
    options: ['json'],
    argument: { name: '[dir]', description: 'folder of the index (default: the embedded one)' },
    example: 'perturbql index info',
    load: () => import('./index-info-command.js'),
  },
  {
    name: 'index query',
    summary: 'show the tables that a table description retrieves',
    options: ['title', 'names', 'question', 'top', 'config', 'set', 'jobs', 'json'],
    argument: { name: '[dir]', description: 'folder of the index (default: the embedded one)' },
    example: 'perturbql index query --title singer --columns "name, country, age"',
    load: () => import('./index-query-command.js'),
  },
  {
    name: 'doctor',
    summary: 'check Node, native modules, models and index, and say how to mend what is wrong',
    options: ['json'],
    example: 'perturbql doctor',
    load: () => import('./doctor-command.js'),
  },
  {
    name: 'list',
    summary: 'list recipes, stages and settings',
    options: ['json'],
    example: 'perturbql list',
    load: () => import('./list-command.js'),
  },
];
