import { join } from 'node:path';
import { EXAMPLE_DATA, EXAMPLES } from '../../e2e/example-data.js';
import { DATA, OWN, OUT, DATABASES, lines, group, type BadInput, type Row } from './bad-input.js';

const TRAIN = join(EXAMPLES, 'train.json');
const QUICK = ['--relations', 'PI,TS', '--no-guard'];

const RUN_FILES = { 'run/run.json': '{', 'run/examples.json': '[]' };
const LINKS = { 'links.jsonl': lines({ id: 'dev:0' }) };
const GOLD = [
  '--tables',
  EXAMPLE_DATA.tables,
  '--gold',
  join(EXAMPLES, 'gold.sql'),
  '--predictions',
  join(EXAMPLES, 'pred.sql'),
];
const OTHERS: readonly Row[] = [
  ['suite info of no suite', ['suite', 'info', '.'], '.: this is no test suite: run.json is missing or another one'],
  ['suite verify of no suite', ['suite', 'verify', 'nowhere'], 'nowhere: there is no such folder'],
  [
    'suite unpack of a damaged suite',
    ['suite', 'unpack', 'suite', ...OUT],
    'suite: this is no test suite: run.json is missing or another one',
    { 'suite/suite.json': '{' },
  ],
  [
    'suite transfer of nothing',
    ['suite', 'transfer', 'suite', '--run', 'run', ...OUT],
    'suite: there is no such folder',
    RUN_FILES,
  ],
  [
    'suite build with a level that there is not',
    ['suite', 'build', ...DATA, '--data', 'best', ...OUT],
    "option '--data <level>' argument 'best' is invalid. Allowed choices are observed, declared, any.",
  ],
  [
    'suite build with too few databases',
    ['suite', 'build', ...DATA, '--random-databases', '-3', ...OUT],
    'option --random-databases is wrong: a number above 0 is expected',
  ],
  [
    'evaluate with no suite',
    ['evaluate', ...GOLD, '--suite', '.'],
    '.: this is no test suite: run.json is missing or another one',
  ],
  [
    'evaluate with an unknown metric',
    ['evaluate', ...GOLD, '--metrics', 'exact,nice'],
    'option --metrics is wrong: there is no metric "nice"',
  ],
  [
    'evaluate with links of no columns',
    ['evaluate', ...GOLD, '--links', 'links.jsonl', '--predicted-links', 'links.jsonl'],
    'option --links is for the metric linking, which is not among the metrics',
    LINKS,
  ],
  [
    'evaluate with golds that are no records',
    ['evaluate', ...GOLD, '--alternative-golds', 'alt.json'],
    'alt.json, record 0: the record is wrong: an object is expected, not a whole number',
    { 'alt.json': [7] },
  ],
  [
    'evaluate with a negative tolerance',
    ['evaluate', ...GOLD, '--float-tolerance', '-1'],
    'option --float-tolerance is wrong: a number from 0 to below 1 is expected',
  ],
  [
    'evaluate explaining no pair',
    ['evaluate', ...GOLD, ...DATABASES, '--explain', 'dev:999'],
    'option --explain is for the metric suite, which is not among the metrics',
  ],
  [
    'correlate without a suite',
    ['correlate', join(EXAMPLES, 'pred.sql'), '--gold', join(EXAMPLES, 'gold.sql'), '--tables', EXAMPLE_DATA.tables],
    'option --suite is missing',
  ],
  [
    'correlate of verdicts that are none',
    ['correlate', 'a.jsonl', 'b.jsonl'],
    'a.jsonl:1: field "id" is missing',
    { 'a.jsonl': '{}\n', 'b.jsonl': '' },
  ],
  [
    'attack with no predictions',
    ['attack', ...DATA, '--candidates', 'none.jsonl', '--victim', 'file', ...OUT],
    'victim file needs --predictions',
  ],
  [
    'attack with candidates of nothing',
    ['attack', ...DATA, '--candidates', 'c.jsonl', '--train', TRAIN, ...OUT],
    'c.jsonl: this is neither candidates nor an annotation project',
    { 'c.jsonl': '' },
  ],
  [
    'attack with a limit of nothing',
    ['attack', ...DATA, '--candidates', 'c.jsonl', '--train', TRAIN, '--fail-below', 'all=x', ...OUT],
    '--fail-below all=x is not of the form [metric.]condition=percent',
    { 'c.jsonl': '' },
  ],
  [
    'attack score of no run',
    ['attack', 'score', '.', '--predictions', 'p.jsonl'],
    'run.json: this is not a run: it has no manifest',
    { 'p.jsonl': '' },
  ],
  [
    'consistency of no run',
    ['consistency', '--mutants', '.', '--train', TRAIN, ...OUT],
    '.: this is not a run: it has no manifest',
  ],
  [
    'consistency of a damaged run',
    ['consistency', '--mutants', 'run', '--train', TRAIN, ...OUT],
    'run: this is not a run of this version of perturbql',
    RUN_FILES,
  ],
  [
    'consistency of a part that there is not',
    ['consistency', '--mutants', '.', '--fold', '3/2', '--train', TRAIN, ...OUT],
    '--fold 3/2 is no part of a whole',
  ],
  [
    'consistency compare of a page',
    ['consistency', 'compare', 'a.json', 'b.json'],
    'a.json:1: this is not JSON',
    { 'a.json': '<html>', 'b.json': '{}' },
  ],
  ['compare of no attacks', ['compare', '.', '.'], 'report.json: there is no report'],
  [
    'mutate with a relation that there is not',
    ['mutate', ...DATA, '--relations', 'PI,XX', ...OUT],
    'there is no relation "XX"',
  ],
  [
    'mutate with a module that is not there',
    ['mutate', ...DATA, '--relation', 'mine.mjs', ...OUT],
    'mine.mjs: there is no such relation file',
  ],
  [
    'mutate with a module that throws',
    ['mutate', ...DATA, '--relation', './mine.mjs', ...OUT],
    'mine.mjs: the relation can’t be loaded',
    { 'mine.mjs': 'throw new Error("mine")' },
  ],
  [
    'mutate with a module that is no JavaScript',
    ['mutate', ...DATA, '--relation', './mine.mjs', ...OUT],
    'mine.mjs: the relation can’t be loaded',
    { 'mine.mjs': 'export default {{' },
  ],
  [
    'mutate five times',
    ['mutate', ...DATA, ...QUICK, '--compose', '5', ...OUT],
    'compose is a whole number from 1 to 4',
  ],
  [
    'mutate without limit',
    ['mutate', ...DATA, ...QUICK, '--limit', '0', ...OUT],
    'option --limit is wrong: a number above 0 is expected',
  ],
  [
    'mutate with rates of no run',
    ['mutate', ...DATA, ...QUICK, '--sample', 'adaptive', '--rates', '.', ...OUT],
    'report.json: there is no report',
  ],
  [
    'mutate to train on nothing',
    ['mutate', ...OWN, ...QUICK, '--as-training', ...OUT],
    'there is nothing to train on, as no example has a gold query',
    { 'dev.json': [{ db_id: 'community_garden', question: 'a?' }] },
  ],
  ['verify of no run', ['verify', '.'], 'run.json: this is not a run: it has no manifest'],
  [
    'verify of a damaged run',
    ['verify', 'run'],
    'run/run.json: this is not a run of this version of perturbql',
    RUN_FILES,
  ],
  [
    'score of half a pair',
    ['score', '--pairs', 'pairs.jsonl'],
    'pairs.jsonl:1, pair: field "b" is missing',
    { 'pairs.jsonl': lines({ a: 'name' }) },
  ],
  ['stats of nothing', ['stats', '--candidates', 'nowhere'], 'nowhere: the file can’t be read'],
  ['init without data', ['init', 'empty', '--yes'], 'no data set was found below empty', { 'empty/readme.md': '' }],
  ['view of a file', ['view', 'file'], 'file is no folder', { file: '' }],
  ['view at no port', ['view', '--port', '99999'], 'option --port is wrong: a port is at most 65535'],
  [
    'a shell that there is not',
    ['completion', 'dos'],
    "command-argument value 'dos' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
  ],
];

/** Of suites, evaluation, attacks, mutants and what reads their runs. */
export const OTHER_COMMANDS: readonly BadInput[] = [...group('others', OTHERS)];
