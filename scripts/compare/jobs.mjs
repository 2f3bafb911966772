// The jobs that compare-checkouts.mjs runs, cheap ones first within what they need, and how their products are compared.
import { sameCandidates, sameDatabases, sameFolder, sameJson, sameSet, sameText } from './products.mjs';

/** @typedef {{ path: string, compare: (first: string, second: string) => import('./products.mjs').Compared }} Product */
/**
 * @typedef {object} Job
 * @property {string} name
 * @property {string[]} needs jobs whose products it reads
 * @property {boolean} [scores] whether it has a score cache
 * @property {string[]} outputs what it writes, removed before it runs
 * @property {(set: import('../compare-checkouts.mjs').DataSet) => string[][]} steps arguments of perturbql, one list per call
 * @property {(set: import('../compare-checkouts.mjs').DataSet) => Product[]} products
 */

const inputs = ({ tables, examples, databases }) => [
  '--tables',
  tables,
  '--examples',
  examples,
  '--databases',
  databases,
];

const evaluation = ({ tables, databases, predictions }, verdicts, ...further) => [
  ...['evaluate', '--gold', `${predictions}/gold.tsv`, '--pred', `${predictions}/pred.sql`, '--tables', tables],
  ...['--databases', databases, '--allow-bad-gold', '--json', '--verdicts', verdicts, ...further],
];

const product = (path, compare) => ({ path, compare });

/** @type {Job[]} */
export const JOBS = [
  {
    name: 'evaluate',
    needs: [],
    outputs: ['verdicts.jsonl', 'verdicts-spider.jsonl', 'verdicts-bag.jsonl'],
    steps: (set) => [
      evaluation(set, 'verdicts.jsonl', ...linking(set)),
      evaluation(set, 'verdicts-spider.jsonl', '--metrics', 'exact', '--compat', 'spider'),
      evaluation(
        set,
        'verdicts-bag.jsonl',
        '--metrics',
        'execution',
        '--mode',
        'bag',
        '--plug-values',
        '--drop-distinct',
      ),
    ],
    products: () => [
      ...['verdicts.jsonl', 'verdicts-spider.jsonl', 'verdicts-bag.jsonl'].map((path) => product(path, sameText)),
      ...[0, 1, 2].map((step) => product(`evaluate-${step}.stdout`, sameJson())),
    ],
  },
  {
    name: 'candidates',
    needs: [],
    scores: true,
    outputs: ['candidates'],
    steps: (set) => [['candidates', ...inputs(set), '--out', 'candidates']],
    products: () => [product('candidates/candidates.jsonl', sameCandidates)],
  },
  {
    name: 'augment',
    needs: ['candidates'],
    scores: true,
    outputs: ['augment'],
    steps: (set) => [['augment', ...inputs(set), '--candidates', 'candidates', '--out', 'augment']],
    products: () => [
      product('augment/examples.json', sameText),
      product('augment/tables.json', sameText),
      product('augment/gold.sql', sameText),
      product('augment/provenance.jsonl', sameText),
      product('augment/database', sameDatabases),
    ],
  },
  {
    name: 'attack',
    needs: ['candidates'],
    scores: true,
    outputs: ['attack'],
    steps: (set) => [
      [
        ...['attack', ...inputs(set), '--candidates', 'candidates', '--victim', 'baseline', '--out', 'attack'],
        ...(set.full ? [] : ['--seeds', '1']),
      ],
    ],
    products: () => [
      product('attack/answers.jsonl', sameSet),
      product('attack/report.json', sameJson('scores', 'cases')),
    ],
  },
  {
    name: 'mutate',
    needs: [],
    scores: true,
    outputs: ['mutate'],
    steps: (set) => [['mutate', ...inputs(set), '--out', 'mutate', ...(set.full ? ['--materialize'] : [])]],
    products: (set) => [
      product('mutate/mutants.jsonl', sameText),
      product('mutate/seeds.jsonl', sameText),
      product('mutate/tables.json', sameText),
      ...(set.full ? [product('mutate/database', sameDatabases)] : []),
    ],
  },
  {
    name: 'verify',
    needs: ['augment', 'mutate'],
    outputs: ['verify-augment', 'verify-mutate'],
    steps: (set) => written(set).map((run) => ['verify', run, '--out', `verify-${run}`]),
    products: (set) => written(set).map((run) => product(`verify-${run}/report.json`, sameJson())),
  },
  {
    name: 'split',
    needs: [],
    outputs: [],
    steps: ({ examples, tables }) => [['split', '--questions', examples, '--tables', tables, '--json']],
    products: () => [product('split-0.stdout', sameText)],
  },
  {
    name: 'compose',
    needs: [],
    outputs: ['compose'],
    steps: (set) => [['compose', ...inputs(set), '--out', 'compose']],
    products: () => [
      ...['compositions.jsonl', 'provenance.jsonl', 'examples.json', 'tables.json', 'gold.sql'].map((name) =>
        product(`compose/${name}`, sameText),
      ),
      product('compose/report.json', sameJson()),
    ],
  },
  {
    name: 'consistency',
    needs: ['mutate'],
    scores: true,
    outputs: ['consistency'],
    steps: (set) => [
      [
        ...['consistency', ...inputs(set), '--mutants', 'mutate', '--victim', 'baseline', '--out', 'consistency'],
        ...(set.full ? [] : ['--fold', '1/20']),
      ],
    ],
    products: () => [
      product('consistency/cases.jsonl', sameText),
      product('consistency/answers.jsonl', sameSet),
      product('consistency/report.json', sameJson('accuracy', 'all', 'relations', 'hardness', 'clusters')),
    ],
  },
  {
    name: 'suite',
    needs: [],
    outputs: ['suite'],
    steps: (set) => [['suite', 'build', ...inputs(set), '--out', 'suite']],
    products: () => [
      product('suite/tables.json', sameText),
      product('suite/schemas', sameFolder),
      product('suite/run.json', sameJson('seed', 'settings', 'inputs')),
      product('suite/report.json', sameJson('totals', 'curve', 'schemas')),
      product('suite/database', sameDatabases),
    ],
  },
  {
    name: 'evaluate-suite',
    needs: ['suite'],
    outputs: ['verdicts-suite.jsonl'],
    steps: (set) => [
      evaluation(set, 'verdicts-suite.jsonl', '--suite', 'suite', '--metrics', 'suite', '--plug-values'),
    ],
    products: () => [product('verdicts-suite.jsonl', sameText), product('evaluate-suite-0.stdout', sameJson())],
  },
];

/** Runs that wrote databases. */
const written = ({ full }) => (full ? ['augment', 'mutate'] : ['augment']);

function linking({ predictions }) {
  const links = ['--links', `${predictions}/links.jsonl`, '--pred-links', `${predictions}/pred-links.jsonl`];
  return ['--metrics', 'exact,execution,linking,columns', ...links];
}
