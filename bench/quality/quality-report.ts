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
