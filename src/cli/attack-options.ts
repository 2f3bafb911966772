import { ATTACK_STRATEGIES, VICTIM_KINDS } from '../attack/attack-choices.js';
import { MATERIALIZE_MODES } from '../perturb/database/materialize-mode.js';
import { RESULT_MODES } from '../sql/execution/result-modes.js';
import type { OptionSpec } from './options.js';

/** Options of the `attack` commands and `compare`, for the table of all options. */
export const ATTACK_OPTIONS = {
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
} as const satisfies Record<string, OptionSpec>;
