import type { FigureTable } from '../bench-figures.js';
import type { LabeledSet } from './labeled-pairs.js';
import type { QualityRow } from './measure-set.js';
import { renderStudies, type StudyRow } from './paper-studies.js';

/** What was scored, for the record. */
export interface ScoredModel {
  readonly role: string;
  readonly name: string;
  readonly revision: string;
  readonly sha256: string;
}

/** A whole run of the benchmark; `--json` prints it as it is. */
export interface QualityReport {
  /** Day of the run, UTC, "2025-01-31". */
  readonly date: string;
  readonly machine: string;
  readonly seconds: number;
  readonly models: readonly ScoredModel[];
  readonly tpe: string;
  readonly sets: readonly Omit<LabeledSet, 'pairs'>[];
  readonly rows: readonly QualityRow[];
  readonly studies: readonly StudyRow[];
  readonly skipped: readonly string[];
}

const decimals = (value: number | null): string => (value === null ? '–' : value.toFixed(3));
const both = ({ target, everyColumn }: { target: number; everyColumn: number }): string =>
  `${decimals(target)} / ${decimals(everyColumn)}`;

const COLUMNS = [
  'set',
  'scorer',
  'input',
  'RPL + ADD pairs',
  'thresholds',
  'AUC',
  'P / R of RPL',
  'human ADD kept: target / every column',
  'human RPL passing the ADD rule: target / every column',
];

function renderRow({ set, scorer, input, thresholds, figures }: QualityRow): string {
  const pairs = `${figures.rplPairs} + ${figures.addPairs}`;
  const bounds = `${thresholds.rplMin} / ${thresholds.addMax}`;
  const rpl = `${decimals(figures.precision)} / ${decimals(figures.recall)}`;
  const cells = [
    set,
    scorer,
    input,
    pairs,
    bounds,
    decimals(figures.auc),
    rpl,
    both(figures.addKept),
    both(figures.rplAsAdd),
  ];
  return `| ${cells.join(' | ')} |`;
}

const renderModel = ({ name, revision, sha256 }: ScoredModel): string => `${name} ${revision} (${sha256.slice(0, 12)})`;

/** The report as Markdown: models and settings, then one table. */
export function renderQualityReport(report: QualityReport): string {
  const models = report.models.map((model) => `- ${model.role}: ${renderModel(model)}`);
  const sets = report.sets.map(({ id, sample, assumed }) => `- ${id}: ${sample}; assumed: ${assumed}`);
  return [
    '## Against the human labels of ADVETA',
    '',
    ...models,
    ...sets,
    `- primary entity: ${report.tpe}`,
    `- ${report.date}, ${report.machine}, ${Math.round(report.seconds)} s`,
    ...report.skipped.map((line) => `- skipped: ${line}`),
    '',
    `| ${COLUMNS.join(' | ')} |`,
    `| ${COLUMNS.map(() => '---').join(' | ')} |`,
    ...report.rows.map(renderRow),
    '',
    'AUC: min(e1, e2) of human RPL against human ADD. P and R: of human RPL at the RPL threshold, RPL and ADD in equal number.',
    'cosine and word vectors stand for e1 and e2 alike, with the thresholds as they are; a name without vector counts as -1.',
    '',
    renderStudies(report.studies),
  ].join('\n');
}

/** One row for the evaluation log of `training/README.md`: every look at the labels is written down there. */
export function renderLogLine(report: QualityReport): string {
  const nli = report.models.find(({ role }) => role === 'nli');
  const figures = report.rows
    .filter(({ scorer }) => scorer === 'nli')
    .map(({ set, input, thresholds, figures: { auc, precision, recall, addKept, rplAsAdd } }) => {
      const rpl = `P/R at ${thresholds.rplMin} ${decimals(precision)} / ${decimals(recall)}`;
      const add = `ADD kept at ${thresholds.addMax} ${both(addKept)}, RPL as ADD ${both(rplAsAdd)}`;
      return `${set}, ${input}: AUC ${decimals(auc)}, ${rpl}, ${add}`;
    });
  const sets = report.sets.map(({ id, sample }) => `${id} (${sample})`).join('; ');
  const cells = [report.date, nli === undefined ? '–' : renderModel(nli), 'bench:quality', sets, figures.join('; ')];
  return `| ${cells.join(' | ')} |`;
}

const slug = (...parts: readonly (string | number)[]): string =>
  parts
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');

const share = (head: string): { readonly head: string; readonly decimals: number } => ({ head, decimals: 3 });

/** The first table for docs/figures/. */
export function labelFigures({ rows }: QualityReport): FigureTable {
  const cells = rows.map(({ set, scorer, input, thresholds: { rplMin, addMax }, figures }) => {
    const { auc, precision, recall, addKept, rplAsAdd, rplPairs, addPairs } = figures;
    const what = { set: `${set}, ${rplPairs} + ${addPairs}`, scorer, input, thresholds: `${rplMin} / ${addMax}` };
    const kept = { keptTarget: addKept.target, kept: addKept.everyColumn };
    const passing = { passingTarget: rplAsAdd.target, passing: rplAsAdd.everyColumn };
    return [
      slug(set, scorer, input, rplMin, addMax),
      { ...what, auc, precision, recall, ...kept, ...passing },
    ] as const;
  });
  return {
    id: 'quality',
    title: 'The judge against human labels',
    about:
      'AUC is of min(e1, e2), human RPL against human ADD. P and R are of human RPL at the RPL threshold, both kinds in equal number. “ADD kept” is the share of ' +
      'human ADD that the ADD rule accepts, “RPL passing” the share of human RPL that it accepts, against the target alone and against every column of its table.',
    columns: {
      set: { head: 'labels' },
      scorer: { head: 'scorer' },
      input: { head: 'input' },
      thresholds: { head: 'thresholds' },
      auc: share('AUC'),
      precision: share('P'),
      recall: share('R'),
      keptTarget: share('ADD kept: target'),
      kept: share('every column'),
      passingTarget: share('RPL passing: target'),
      passing: share('every column'),
    },
    rows: Object.fromEntries(cells),
  };
}

/** The second one. */
export function studyFigures({ studies }: QualityReport): FigureTable {
  const two = (head: string): { readonly head: string; readonly decimals: number } => ({ head, decimals: 2 });
  const cells = studies.map(({ scorer, input, means: { human, nearest, random }, randomAuc, simlex, hardCases }) => {
    const means = { human1: human.e1, human2: human.e2, near1: nearest?.e1 ?? null, near2: nearest?.e2 ?? null };
    const others = { random1: random.e1, random2: random.e2, randomAuc, simlex, hardCases };
    return [slug(scorer, input), { scorer, input, ...means, ...others }] as const;
  });
  return {
    id: 'quality-studies',
    title: "The judge in the paper's studies",
    about:
      "Appendix B.1 of the paper on Spider's human RPL: mean e1 and e2 against human replacements, one of the ten nearest names, and random columns (the paper's " +
      'RoBERTa-MNLI: 0.77 / 0.76, 0.52 / 0.59, 0.17 / 0.15), SimLex-999 (0.70), and the hard cases of its Table 9 (10 of 10).',
    columns: {
      scorer: { head: 'scorer' },
      input: { head: 'input' },
      human1: two('human RPL: e1'),
      human2: two('e2'),
      near1: two('nearest names: e1'),
      near2: two('e2'),
      random1: two('random columns: e1'),
      random2: two('e2'),
      randomAuc: share('AUC against random'),
      simlex: share('SimLex-999, Pearson'),
      hardCases: { head: 'hard cases, of 10' },
    },
    rows: Object.fromEntries(cells),
  };
}
