import type {
  ColumnsScores,
  Compared,
  EvaluationReport,
  ExactScores,
  ExecutionScores,
  PairScores,
} from '../evaluate/evaluation-report.js';
import { HARDNESS_LEVELS } from '../evaluate/exact/hardness.js';
import { EXACT_COMPONENTS } from '../evaluate/exact/components.js';
import type { LinkingSummary } from '../evaluate/linking/schema-linking.js';
import type { SetScores } from '../evaluate/linking/set-scores.js';
import { OUTCOMES } from '../evaluate/metric.js';
import type { Interval } from '../report/statistics/bootstrap.js';
import { type ErrorRates, RIVAL_METRICS } from '../evaluate/summary/error-rates.js';
import type { OutcomeSummary } from '../evaluate/summary/outcome-summary.js';
import { countNoun, formatCount } from '../report/figures.js';

/** Gold queries shown at most that fail against themselves. */
const SHOWN = 10;

type SuiteSection = NonNullable<EvaluationReport['suite']>;

const LABEL = 20;
const CELL = 10;

const cell = (value: string | number): string =>
  (typeof value === 'number' ? formatCount(value) : value).padStart(CELL);
const row = (label: string, cells: readonly (string | number)[]): string =>
  `  ${label.padEnd(LABEL)}${cells.map(cell).join('')}`;
const ratio = (value: number | null | undefined): string => (value == null ? '–' : value.toFixed(3));

function intervalText(interval: Interval | null): string {
  if (interval === null) return '–';
  const { mean, low, high, confidence } = interval;
  return `${mean.toFixed(3)}, ${(100 * confidence).toFixed(0)} % interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
}

/** Accuracy and outcomes of all pairs and by hardness, as a table. */
function outcomeTable(scores: PairScores): string[] {
  const { hardness } = scores;
  const levels: [string, OutcomeSummary][] = [
    ['all', scores],
    ...HARDNESS_LEVELS.map((level): [string, OutcomeSummary] => [level, hardness[level]]),
    ...(hardness.unknown === undefined ? [] : [['unknown', hardness.unknown] as [string, OutcomeSummary]]),
  ];
  const summaries = levels.map(([, summary]) => summary);
  const met = OUTCOMES.filter((outcome) => outcome === 'correct' || scores.outcomes[outcome] > 0);
  return [
    row(
      '',
      levels.map(([name]) => name),
    ),
    row(
      'pairs',
      summaries.map(({ pairs }) => pairs),
    ),
    row(
      'accuracy',
      summaries.map(({ accuracy }) => ratio(accuracy)),
    ),
    ...met.map((outcome) =>
      row(
        outcome,
        summaries.map(({ outcomes }) => outcomes[outcome]),
      ),
    ),
  ];
}

function interactionLines({ interactions }: PairScores): string[] {
  if (interactions === null) return [];
  const { correct, accuracy, byTurn } = interactions;
  const turns = byTurn.map((turn, i) => `turn ${i + 1} ${ratio(turn.accuracy)}`).join(', ');
  const count = `${formatCount(correct)} of ${countNoun(interactions.interactions, 'interaction')}`;
  return [`  interaction match ${ratio(accuracy)} (${count}); question match by ${turns}`];
}

function comparisonLines({ other, comparison }: Partial<Compared<PairScores>>): string[] {
  if (other === undefined || comparison === undefined) return [];
  const { difference, mcNemar } = comparison;
  const { onlyFirst, onlySecond, p, midP } = mcNemar;
  return [
    '  compared with:',
    ...outcomeTable(other).map((line) => `  ${line}`),
    `    difference ${intervalText(difference)}`,
    `    McNemar: right by the first alone ${onlyFirst}, by the second alone ${onlySecond}; p = ${p.toPrecision(3)}, mid-p = ${midP.toPrecision(3)}`,
  ];
}

function componentTable({ components }: ExactScores): string[] {
  return [
    row('component', ['precision', 'recall', 'F1', 'F1 parts']),
    ...EXACT_COMPONENTS.map((component) => {
      const { whole, parts } = components[component];
      return row(component, [ratio(whole.precision), ratio(whole.recall), ratio(whole.f1), ratio(parts.f1)]);
    }),
  ];
}

function publishedLines({ published, differences, correct }: ExactScores): string[] {
  if (published === null) return ['  Spider’s published evaluator can’t read all of this gold'];
  const reasons = Object.entries(differences).map(([reason, count]) => `${reason} ${count}`);
  if (reasons.length === 0) return [];
  return [
    `  Spider’s published evaluator: ${ratio(published.accuracy)} (${published.correct} instead of ${correct}), ${published.unparsed} predictions that it can’t parse`,
    `  where this says wrong (-) or correct (+) instead: ${reasons.join(', ')}`,
  ];
}

function pairSection(
  title: string,
  section: { readonly mode: string } & PairScores & Partial<Compared<PairScores>>,
  more: readonly string[],
): string[] {
  return [
    '',
    `${title}, ${section.mode}: ${intervalText(section.interval)}`,
    ...outcomeTable(section),
    ...interactionLines(section),
    ...more,
    ...comparisonLines(section),
  ];
}

function executionLines({ emptyGold, cut, undecided, pairs, bird }: ExecutionScores, sha256: string): string[] {
  const empty = `${countNoun(emptyGold.pairs, 'empty gold result')}, ${countNoun(emptyGold.correct, 'correct prediction')} there`;
  return [
    ...(emptyGold.pairs === 0 ? [] : [`  ${empty}`]),
    ...(bird === undefined ? [] : [`  Soft F1 ${ratio(bird.softF1)}`]),
    ...(bird?.rVes === undefined ? [] : [`  R-VES ${ratio(bird.rVes.value)}, by timing: no two runs give the same`]),
    ...(cut === 0 ? [] : [`  not all ways to plug values tried: ${formatCount(cut)} of ${formatCount(pairs)}`]),
    ...(undecided === 0
      ? []
      : [
          `  undecided: ${formatCount(undecided)} of ${formatCount(pairs)}; could not be compared in time, counted as wrong`,
        ]),
    `  databases ${sha256}`,
  ];
}

function errorTable(title: string, { all, hardness }: ErrorRates): string[] {
  const levels = [
    all,
    ...HARDNESS_LEVELS.map((level) => hardness[level]),
    ...(hardness.unknown === undefined ? [] : [hardness.unknown]),
  ];
  return [
    row(
      `${title}: false +`,
      levels.map(({ falsePositiveRate }) => ratio(falsePositiveRate)),
    ),
    row(
      `${title}: false -`,
      levels.map(({ falseNegativeRate }) => ratio(falseNegativeRate)),
    ),
  ];
}

/** Some of the pairs that `--explain` has something to say of. */
function wrongLines(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const more = ids.length > SHOWN ? `, and ${formatCount(ids.length - SHOWN)} more` : '';
  return [`  wrong on the suite, --explain ID shows why: ${ids.slice(0, SHOWN).join(', ')}${more}`];
}

function suiteLines({
  suite,
  errors,
  wrong,
  notDistilled,
  withoutGold,
  cut,
  undecided,
  pairs,
}: SuiteSection): string[] {
  const note = (count: number, text: string): string[] =>
    count === 0 ? [] : [`  ${text}: ${formatCount(count)} of ${formatCount(pairs)}`];
  return [
    ...RIVAL_METRICS.flatMap((metric) => (errors[metric] === undefined ? [] : errorTable(metric, errors[metric]))),
    ...note(notDistilled, 'gold that the suite was not distilled for, judged on all databases of its schema'),
    ...note(withoutGold, 'gold without a result on some databases, which are left out'),
    ...note(cut, 'not all ways to plug values tried'),
    ...note(undecided, 'undecided, counted as wrong'),
    ...wrongLines(wrong),
    `  suite ${suite.path}: ${countNoun(suite.databases, 'database')} of ${countNoun(suite.schemas, 'schema')}, ${suite.sha256}`,
  ];
}

const setRow = (label: string, { precision, recall, f1, gold, predicted, matched }: SetScores): string =>
  row(label, [ratio(precision), ratio(recall), ratio(f1), gold, predicted, matched]);

function setTable({ columns, tables }: Pick<ColumnsScores, 'columns' | 'tables'>): string[] {
  const head = row('', ['precision', 'recall', 'F1', 'gold', 'predicted', 'matched']);
  return [head, setRow('columns', columns), setRow('tables', tables)];
}

function linkingLines(linking: LinkingSummary): string[] {
  return ['', `schema linking, ${linking.mode}: ${countNoun(linking.questions, 'question')}`, ...setTable(linking)];
}

function badGoldLines({ badGold }: EvaluationReport): string[] {
  if (badGold.length === 0) return [];
  return [
    `${countNoun(badGold.length, 'time')} gold is not correct against itself; it counts as not correct:`,
    ...badGold.slice(0, SHOWN).map(({ metric, id, reason }) => `  ${id}, ${metric}: ${reason}`),
    ...(badGold.length > SHOWN ? [`  and ${formatCount(badGold.length - SHOWN)} more`] : []),
  ];
}

function headLines({ gold, predictions }: EvaluationReport): string[] {
  if (gold === null || predictions === null) return [];
  const turns = gold.interactions === null ? '' : ` in ${countNoun(gold.interactions, 'interaction')}`;
  const { file, comparedWith } = predictions;
  return [
    `gold         ${gold.file}: ${countNoun(gold.queries, 'query', 'queries')}${turns}`,
    `predictions  ${file}`,
    ...(comparedWith === null ? [] : [`compared     ${comparedWith}`]),
  ];
}

/** An evaluation as aligned tables, one section per metric. */
export function renderEvaluation(report: EvaluationReport): readonly string[] {
  const { exact, execution, suite, columns, linking } = report;
  return [
    ...headLines(report),
    ...badGoldLines(report),
    ...(exact === undefined
      ? []
      : pairSection('exact set match', exact, [...componentTable(exact), ...publishedLines(exact)])),
    ...(execution === undefined
      ? []
      : pairSection('execution accuracy', execution, executionLines(execution, execution.databases.sha256))),
    ...(suite === undefined ? [] : pairSection('test-suite accuracy', suite, suiteLines(suite))),
    ...(columns === undefined ? [] : pairSection('columns and tables used', columns, setTable(columns))),
    ...(linking === undefined ? [] : linkingLines(linking)),
  ];
}
