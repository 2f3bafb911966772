import { ANNOTATE_COMMANDS } from './annotate-commands.js';
import { ANNOTATE_EXCHANGE_OPTIONS } from './annotate-exchange-options.js';
import { ANNOTATE_OPTIONS } from './annotate-options.js';
import { ATTACK_STRATEGIES, VICTIM_KINDS } from '../attack/attack-choices.js';
import { DATASET_FORMATS } from '../formats/dataset-formats.js';
import { EXPORT_NAMES } from '../formats/exports/export-names.js';
import { DEVICES } from '../inference/device.js';
import { DTYPES, PULL_TASKS } from '../inference/hub/pull-choices.js';
import { COLUMN_CHOICES } from '../perturb/column-choice.js';
import { ADD_POSITIONS } from '../perturb/add-position.js';
import { MATERIALIZE_MODES } from '../perturb/database/materialize-mode.js';
import { LINKED_KEYS } from '../perturb/linked-keys.js';
import { METRIC_NAMES } from '../evaluate/metric-names.js';
import { RECIPE_NAMES } from '../recipes/recipe-names.js';
import { RESULT_MODES } from '../sql/execution/result-modes.js';
import { CONSISTENCY_OPTIONS } from './consistency-options.js';
import { MUTATE_OPTIONS } from './mutate-options.js';

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
  set: { flags: '--set <group.name=value>', description: 'change one setting, such as nli.rplMin=0.6', repeat: true },
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
  attackCandidates: {
    flags: '--candidates <from>',
    description: 'a run folder, a candidates.jsonl, an annotation project, or adveta:DIR for human ones',
  },
  attackOut: { flags: '--out <dir>', description: 'folder of the run; the same command again resumes it' },
  scoreOut: {
    flags: '--out <dir>',
    description: 'folder of the report (default: RUN/scores/ and the predictions’ file name)',
  },
  seeds: { flags: '--seeds <n>', description: 'how many seeds draw perturbed tables for each example', default: '5' },
  victim: {
    flags: '--victim <kind>',
    description: 'the model under attack',
    choices: VICTIM_KINDS,
    default: 'baseline',
  },
  strategy: {
    flags: '--strategy <name>',
    description: 'candidates drawn at random, or searched for until the model breaks',
    choices: ATTACK_STRATEGIES,
    default: 'random',
  },
  budget: {
    flags: '--budget <n>',
    description: 'most questions of a search for one example, kind and seed',
    default: '20',
  },
  train: {
    flags: '--train <file>',
    description:
      'victim baseline: examples to answer after (default: those attacked, each left out for its own question)',
  },
  command: {
    flags: '--command <line>',
    description: 'victim command: program and arguments; it reads and writes JSON lines; no shell looks at it',
  },
  predictions: { flags: '--predictions <file>', description: 'victim file: JSON lines of {id, sql}' },
  scoredPredictions: { flags: '--predictions <file>', description: 'JSON lines of {id, sql}', required: true },
  baseUrl: {
    flags: '--base-url <url>',
    description: 'victim endpoint: root of an OpenAI-compatible service, https://host/v1',
  },
  model: { flags: '--model <name>', description: 'victim endpoint: its model' },
  header: { flags: '--header <name: value>', description: 'victim endpoint: a further header', repeat: true },
  apiKeyEnv: {
    flags: '--api-key-env <name>',
    description: 'victim endpoint: environment variable with the key (default: no key)',
  },
  keyHeader: {
    flags: '--key-header <name>',
    description: 'victim endpoint: header that the key goes into (default: Authorization, as a bearer)',
  },
  temperature: {
    flags: '--temperature <n>',
    description: 'victim endpoint: temperature, or none for models that refuse it',
    default: '0',
  },
  parameters: {
    flags: '--parameters <json>',
    description: 'victim endpoint: further fields of the request, such as {"max_tokens": 500}',
  },
  victimPrompt: {
    flags: '--prompt-template <file>',
    description: 'prompt: a text with {question}, {schema}, {dialect}; --- parts system and user',
  },
  concurrency: {
    flags: '--concurrency <n>',
    description: 'questions side by side (default: 4 for endpoint, 1 for command)',
  },
  answerTimeout: {
    flags: '--answer-timeout <seconds>',
    description: 'longest time of one answer of a command or call of an endpoint',
    default: '120',
  },
  maxCalls: {
    flags: '--max-calls <n>',
    description: 'victim endpoint: most calls of this process (default: no limit)',
  },
  maxTokens: {
    flags: '--max-tokens <n>',
    description: 'victim endpoint: most tokens of this process, prompts and answers (default: no limit)',
  },
  resultMode: {
    flags: '--mode <name>',
    description: 'when two results are equal',
    choices: RESULT_MODES,
    default: 'ordered',
  },
  attackPlug: {
    flags: '--plug-values',
    description: 'execute predictions with the gold’s values, for models that predict none',
  },
  inputDatabases: {
    flags: '--materialize <how>',
    description: 'databases of the perturbed inputs: a copy each, scripts of TEMP views over the originals, or none',
    choices: MATERIALIZE_MODES,
    default: 'none',
  },
  queryJobs: {
    flags: '--jobs <n>',
    description: 'processes that execute queries (default and most: the number of cores)',
  },
  failBelow: {
    flags: '--fail-below <rule>',
    description:
      'exit code 3 where an accuracy is lower: original, rpl or add, of exact match unless a metric is named; rpl=30, execution.add=25',
    repeat: true,
  },
  junit: { flags: '--junit <file>', description: 'write the rules and every example as JUnit XML' },
  compareOut: { flags: '--out <file>', description: 'write the comparison as an HTML page' },
  gold: {
    flags: '--gold <file>',
    description: 'gold queries: lines of SQL, a tab and the db_id, or JSON lines {id, db_id, sql}',
  },
  pred: {
    flags: '--pred <file>',
    description: 'predictions: a line of SQL for each gold query, or JSON lines {id, sql}',
  },
  goldTables: { flags: '--tables <file>', description: 'schemas of the databases, Spider’s tables.json' },
  goldDatabases: {
    flags: '--databases <dir>',
    description: 'databases that queries are executed on, <db_id>/<db_id>.sqlite',
  },
  metrics: {
    flags: '--metrics <names>',
    description: `what is measured, separated by commas: ${METRIC_NAMES.join(', ')} (default: exact, and execution with --databases)`,
  },
  compat: {
    flags: '--compat <script>',
    description: 'exact match as Spider’s published evaluator counts it, faults and all',
    choices: ['spider'],
  },
  floatTolerance: {
    flags: '--float-tolerance <x>',
    description: 'how far apart numbers may be, absolutely or relative to the greater (default: ten digits count)',
  },
  allowBadGold: {
    flags: '--allow-bad-gold',
    description: 'go on where gold is not correct against itself: it counts as not correct',
  },
  links: {
    flags: '--links <file>',
    description: 'gold schema links, JSON lines {id, columns: [["table.column", token]], tables: [["table", token]]}',
  },
  predLinks: { flags: '--pred-links <file>', description: 'predicted schema links, in the same form' },
  verdicts: {
    flags: '--verdicts <file>',
    description: 'write what each metric says of each pair, and why, as JSON lines',
  },
  compareWith: {
    flags: '--compare <file>',
    description: 'predictions of a second model for the same gold: paired tests of the difference',
  },
  ...CONSISTENCY_OPTIONS,
  ...MUTATE_OPTIONS,
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

const COMMON = ['seed', 'config', 'set', 'jobs', 'device', 'cache', 'dryRun'] as const satisfies readonly OptionName[];
const DATASET = ['dataset', 'tables', 'examples', 'databases', 'connection'] as const satisfies readonly OptionName[];
/** Of the victims `baseline`, `command` and `endpoint`. */
const VICTIM_OPTIONS = [
  'train',
  'command',
  'baseUrl',
  'model',
  'header',
  'apiKeyEnv',
  'keyHeader',
  'temperature',
  'parameters',
  'victimPrompt',
  'concurrency',
  'answerTimeout',
  'maxCalls',
  'maxTokens',
] as const satisfies readonly OptionName[];
const SCORING = [
  'resultMode',
  'attackPlug',
  'timeout',
  'queryJobs',
  'failBelow',
  'junit',
] as const satisfies readonly OptionName[];

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
    summary: 'execute the gold SQL of a perturbed or mutated data set and compare with the originals',
    options: ['originals', 'timeout', 'jobs', 'json'],
    argument: { name: '<run>', description: 'folder that augment or mutate wrote' },
    example: 'perturbql verify RUN',
    load: () => import('./verify-command.js'),
  },
  {
    name: 'attack',
    summary: 'ask a model about perturbed tables and measure how far it falls',
    options: [
      ...DATASET,
      'attackCandidates',
      'attackOut',
      'seeds',
      'strategy',
      'budget',
      'linkedKeys',
      'addPosition',
      'keepStar',
      'victim',
      ...VICTIM_OPTIONS,
      'predictions',
      ...SCORING,
      'cache',
      'dryRun',
    ],
    example:
      'perturbql attack --tables examples/tables.json --examples examples/dev.json --databases examples/database --candidates RUN --victim baseline --train examples/dev.json --out RUN-attack',
    load: () => import('./attack-command.js'),
  },
  {
    name: 'attack prepare',
    summary: 'write the questions of an attack for a model that runs anywhere',
    options: [
      ...DATASET,
      'attackCandidates',
      'out',
      'seeds',
      'linkedKeys',
      'addPosition',
      'keepStar',
      'victimPrompt',
      'inputDatabases',
    ],
    example:
      'perturbql attack prepare --tables examples/tables.json --examples examples/dev.json --databases examples/database --candidates CANDIDATES --out RUN',
    load: () => import('./attack-prepare-command.js'),
  },
  {
    name: 'attack score',
    summary: 'score the predictions that a model made for prepared questions',
    options: ['scoredPredictions', 'scoreOut', 'databases', 'connection', ...SCORING],
    argument: { name: '<run>', description: 'folder that attack prepare wrote' },
    example: 'perturbql attack score RUN --predictions predictions.jsonl',
    load: () => import('./attack-score-command.js'),
  },
  {
    name: 'compare',
    summary: 'set two attacks side by side, with paired tests',
    options: ['compareOut', 'json'],
    argument: { name: '<first> <second>', description: 'two folders that attack wrote, or their report.json' },
    example: 'perturbql compare RUN-before RUN-after --out compared.html',
    load: () => import('./compare-command.js'),
  },
  {
    name: 'mutate',
    summary: 'reword questions and change schemas in ways that must not change the answer',
    options: [
      ...DATASET,
      'out',
      'relations',
      'relation',
      'limit',
      'compose',
      'noGuard',
      'mutantDatabases',
      'sample',
      'sampleBudget',
      'rates',
      'asTraining',
      'graph',
      'mutateCandidates',
      ...COMMON,
    ],
    example:
      'perturbql mutate --tables examples/tables.json --examples examples/dev.json --databases examples/database --out RUN',
    load: () => import('./mutate-command.js'),
  },
  {
    name: 'consistency',
    summary: 'ask a model about mutants and measure how often its prediction changes though it must not',
    options: [
      ...DATASET,
      'mutants',
      'attackOut',
      'victim',
      ...VICTIM_OPTIONS,
      'predictions',
      'fold',
      'compareValues',
      'shrinkQuestions',
      'resultMode',
      'attackPlug',
      'timeout',
      'queryJobs',
      'failAbove',
      'seed',
      'cache',
      'dryRun',
    ],
    example:
      'perturbql consistency --tables examples/tables.json --examples examples/dev.json --databases examples/database --mutants RUN --victim baseline --train examples/dev.json --out RUN-consistency',
    load: () => import('./consistency-command.js'),
  },
  {
    name: 'consistency compare',
    summary: 'set consistency runs of several models side by side: good, neutral and bad from three on',
    options: ['compareOut', 'json'],
    argument: { name: '<runs...>', description: 'folders that consistency wrote, or their report.json' },
    example: 'perturbql consistency compare RUN-first RUN-second RUN-third --out compared.html',
    load: () => import('./consistency-compare-command.js'),
  },
  {
    name: 'evaluate',
    summary: 'score predictions against gold SQL: exact match, execution, schema linking',
    options: [
      'gold',
      'pred',
      'goldTables',
      'goldDatabases',
      'metrics',
      'compat',
      'resultMode',
      'floatTolerance',
      'attackPlug',
      'timeout',
      'compareWith',
      'verdicts',
      'links',
      'predLinks',
      'allowBadGold',
      'seed',
      'queryJobs',
      'json',
    ],
    example:
      'perturbql evaluate --gold examples/gold.sql --pred examples/pred.sql --tables examples/tables.json --databases examples/database',
    load: () => import('./evaluate-command.js'),
  },
  ...ANNOTATE_COMMANDS,
  {
    name: 'stats',
    summary: 'count candidates as the paper’s Table 1 does',
    options: ['statsCandidates', ...DATASET, 'json'],
    example: 'perturbql stats --candidates project.db',
    load: () => import('./stats-command.js'),
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
    options: ['from', 'indexOut', 'minColumns', 'maxColumns', 'config', 'set', 'jobs', 'device', 'dryRun'],
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
    options: ['title', 'names', 'question', 'top', 'config', 'set', 'jobs', 'device', 'json'],
    argument: { name: '[dir]', description: 'folder of the index (default: the embedded one)' },
    example: 'perturbql index query --title singer --columns "name, country, age"',
    load: () => import('./index-query-command.js'),
  },
  {
    name: 'models list',
    summary: 'list embedded and pulled models, which are in use, and others worth pulling',
    options: ['config', 'json'],
    example: 'perturbql models list',
    load: () => import('./models-list-command.js'),
  },
  {
    name: 'models pull',
    summary: 'fetch a judge, an encoder or word vectors: from a hub, a URL or a path',
    options: ['task', 'dtype', 'modelName', 'labels', 'sha256', 'license', 'hub', 'offline', 'json'],
    argument: { name: '<source>', description: 'owner/name or owner/name@revision of a hub, a URL, or a path' },
    example: 'perturbql models pull cross-encoder/nli-deberta-v3-base --task nli --dtype q8',
    load: () => import('./models-pull-command.js'),
  },
  {
    name: 'models verify',
    summary: 'check every file of the models against its manifest',
    options: ['json'],
    argument: { name: '[name]', description: 'a model of the list (default: all)' },
    example: 'perturbql models verify',
    load: () => import('./models-verify-command.js'),
  },
  {
    name: 'models use',
    summary: 'write the choice of a model to the configuration file',
    options: ['config'],
    argument: {
      name: '<name>',
      description: 'a model of the list, or a model folder; an embedded one takes the choice back',
    },
    example: 'perturbql models use cross-encoder/nli-deberta-v3-base',
    load: () => import('./models-use-command.js'),
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
