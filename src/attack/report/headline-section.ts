import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import {
  formatCount,
  formatPercent,
  formatPointRange,
  formatPoints,
  formatProbability,
  formatRange,
  formatTenths,
  negated,
  NO_BREAK,
} from '../../report/figures.js';
import {
  abbreviation,
  figureCell,
  NO_FIGURE,
  renderTable,
  type TableCell,
  type TableRow,
} from '../../report/data-table.js';
import { type Html, html } from '../../report/html.js';
import {
  answersWithColumns,
  ATTACK_CONDITIONS,
  type AttackLinking,
  type AttackReport,
  type AttackScore,
} from '../attack-report.js';
import { renderIntervalPlot } from '../../report/interval-plot.js';
import { CONDITION_WORDS, DRAWN, measuredMetrics } from './case-status.js';
import type { AttackMetric } from '../attack-metrics.js';

type Scores = AttackReport['scores'];
/** What a cell shows of a score. */
type ShownScore = Pick<AttackScore, 'accuracy' | 'std' | 'interval'> & {
  readonly drop: Omit<NonNullable<AttackScore['drop']>, 'mcnemar'> | null;
};

/** The score of a metric under a condition. */
export function findScore(
  scores: Scores,
  metric: AttackMetric,
  condition: AttackScore['condition'],
): AttackScore | undefined {
  return scores.find((score) => score.metric === metric && score.condition === condition);
}

/** The paper's table (ADVETA, Table 2 and appendix C.3), with intervals, and the same as a plot. */
export function renderHeadline(report: AttackReport): Html {
  const { scores, settings, linking = [] } = report;
  if (scores.length === 0) return html`<p class="note">Nothing was scored.</p>`;
  const metrics = measuredMetrics(scores);
  const seeds =
    settings.seeds.length === 1 ? 'one seed' : `mean ± standard deviation over ${settings.seeds.length} seeds`;
  const confidence = scores.find(({ interval }) => interval !== null)?.interval?.confidence;
  const intervals =
    confidence === undefined
      ? ''
      : ` In parentheses and as lines: the ${Math.round(confidence * 100)} % interval, by bootstrap over ${DRAWN}.`;
  const accuracies = metrics.map((metric): TableRow => [
    ATTACK_METRIC_TITLES[metric],
    ...ATTACK_CONDITIONS.map((condition) => scoreCell(findScore(scores, metric, condition))),
  ]);
  const linked = linkingRows(linking);
  return html`<p class="note">
      Accuracy in percent, ${seeds}; below it what perturbing the tables changed.${intervals}
    </p>
    <div class="body split headline">
      <div>
        ${renderTable({
          className: 'paper',
          heads: ['Metric', 'Original', ...['rpl', 'add'].map(kindHead)],
          rows: answersWithColumns(report) ? [...linked, ...accuracies] : [...accuracies, ...linked],
        })}
        ${renderTests(scores, settings.seeds)}
      </div>
      <figure>${renderScorePlot(metrics, scores)}</figure>
    </div>`;
}

/** Precision, recall and F1 of the columns that answers name. */
function linkingRows(linking: readonly AttackLinking[]): readonly TableRow[] {
  if (linking.length === 0) return [];
  return [
    ['Column F1', ...linking.map(({ f1, ...rest }) => scoreCell({ accuracy: f1, ...rest }))],
    ['Column precision', ...linking.map(({ precision }) => figureCell(precision, formatTenths))],
    ['Column recall', ...linking.map(({ recall }) => figureCell(recall, formatTenths))],
  ];
}

const kindHead = (kind: string): Html => html`<span class="${kind} keyed">${kind.toUpperCase()}</span>`;

function scoreCell(score: ShownScore | undefined): TableCell {
  if (score === undefined) return NO_FIGURE;
  const { accuracy, std, drop, interval } = score;
  const spread = std !== null && html`<span class="spread"> ± ${formatTenths(std)}</span>`;
  const figure = html`<span class="big">${formatTenths(accuracy)}</span>${spread}`;
  if (drop === null) {
    const ends = interval !== null && html`(${formatRange(interval, formatTenths)})`;
    return html`${figure}<span class="sub">${ends}</span>`;
  }
  const relative = drop.relative !== null && html` · ${formatPoints(-drop.relative)}${NO_BREAK}%`;
  const range = drop.interval !== null && html`<span class="sub">(${formatPointRange(negated(drop.interval))})</span>`;
  return html`${figure}<span class="sub">${formatPoints(-drop.absolute)}${relative}</span>${range}`;
}

/** Per seed, and McNemar's test of each condition against the original. */
function renderTests(scores: Scores, seeds: readonly number[]): Html {
  const perturbed = scores.filter(({ condition }) => condition !== 'original');
  return html`<details class="more">
    <summary>Seed by seed, and McNemar’s test</summary>
    <div class="inside">
      ${renderSeedTable(perturbed, seeds)}
      ${renderTable({
        caption:
          'Answers that are right on one side only, over examples and seeds. Seeds of an example are not independent: the interval, which draws them together, is the safer guide.',
        heads: ['Against the original', 'Broken', 'Fixed', abbreviation('p', 'exact McNemar test, two-sided')],
        rows: perturbed.flatMap(testRow),
      })}
    </div>
  </details>`;
}

function renderSeedTable(scores: Scores, seeds: readonly number[]): Html {
  return renderTable({
    caption: 'Accuracy by seed',
    heads: ['Metric', ...seeds],
    rows: scores.map((score) => [
      titleOf(score),
      ...score.bySeed.map((accuracy) => figureCell(accuracy, formatTenths)),
    ]),
  });
}

const titleOf = ({ metric, condition }: AttackScore): string => `${ATTACK_METRIC_TITLES[metric]}, ${condition}`;

function testRow(score: AttackScore): readonly TableRow[] {
  if (score.drop === null) return [];
  const { onlyFirst, onlySecond, p } = score.drop.mcnemar;
  return [[titleOf(score), ...[onlyFirst, onlySecond].map(formatCount), formatProbability(p)]];
}

function renderScorePlot(metrics: readonly AttackMetric[], scores: Scores): Html {
  const groups = metrics.map((metric) => ({
    heading: ATTACK_METRIC_TITLES[metric],
    lanes: scores
      .filter((score) => score.metric === metric)
      .map(({ condition, accuracy, interval, bySeed }) => ({
        label: CONDITION_WORDS[condition],
        figure: formatPercent(accuracy),
        className: condition.toLowerCase(),
        value: accuracy,
        interval,
        points: bySeed.length > 1 ? bySeed : [],
      })),
  }));
  return renderIntervalPlot({
    id: 'accuracy-plot',
    title: 'Accuracy with intervals',
    axisTitle: 'accuracy, %',
    groups,
    axis: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] },
    formatTick: (tick) => `${tick * 100}`,
  });
}
