import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import {
  formatCount,
  formatPercent,
  formatPointRange,
  formatPoints,
  formatProbability,
  formatTenths,
  NO_BREAK,
} from '../../report/figures.js';
import { renderNumber } from '../../report/page-parts.js';
import { type Html, html } from '../../report/html.js';
import { ATTACK_CONDITIONS, type AttackLinking, type AttackReport, type AttackScore } from '../attack-report.js';
import { renderIntervalPlot } from '../../report/interval-plot.js';
import { CONDITION_WORDS, measuredMetrics } from './case-status.js';
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
export function renderHeadline({ scores, settings, linking = [] }: AttackReport): Html {
  if (scores.length === 0) return html`<p class="note">Nothing was scored.</p>`;
  const metrics = measuredMetrics(scores);
  const seeds =
    settings.seeds.length === 1 ? 'one seed' : `mean ± standard deviation over ${settings.seeds.length} seeds`;
  const confidence = scores.find(({ interval }) => interval !== null)?.interval?.confidence;
  const intervals =
    confidence === undefined
      ? ''
      : ` In parentheses and as lines: the ${Math.round(confidence * 100)} % interval, by bootstrap over the examples.`;
  return html`<p class="note">
      Accuracy in percent, ${seeds}; below it what perturbing the tables changed.${intervals}
    </p>
    <div class="body split headline">
      <div>
        <table class="paper">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col" class="num">Original</th>
              <th scope="col" class="num"><span class="rpl keyed">RPL</span></th>
              <th scope="col" class="num"><span class="add keyed">ADD</span></th>
            </tr>
          </thead>
          <tbody>
            ${linking.length > 0 && renderLinkingRows(linking)} ${metrics.map((metric) => renderMetricRow(metric, scores))}
          </tbody>
        </table>
        ${renderTests(scores, settings.seeds)}
      </div>
      <figure>${renderScorePlot(metrics, scores)}</figure>
    </div>`;
}

function renderLinkingRows(linking: readonly AttackLinking[]): Html {
  const row = (name: string, shareOf: (one: AttackLinking) => number | null): Html =>
    html`<tr>
      <th scope="row">${name}</th>
      ${linking.map((one) => renderNumber(shareOf(one), formatTenths))}
    </tr>`;
  return html`<tr>
      <th scope="row">Column F1</th>
      ${linking.map(({ f1, ...rest }) => renderScoreCell({ accuracy: f1, ...rest }))}
    </tr>
    ${row('Column precision', ({ precision }) => precision)} ${row('Column recall', ({ recall }) => recall)}`;
}

function renderMetricRow(metric: AttackMetric, scores: Scores): Html {
  return html`<tr>
    <th scope="row">${ATTACK_METRIC_TITLES[metric]}</th>
    ${ATTACK_CONDITIONS.map((condition) => renderScoreCell(findScore(scores, metric, condition)))}
  </tr>`;
}

function renderScoreCell(score: ShownScore | undefined): Html {
  if (score === undefined) return html`<td class="num zero">–</td>`;
  const { accuracy, std, drop, interval } = score;
  const spread = std !== null && html`<span class="spread"> ± ${formatTenths(std)}</span>`;
  if (drop === null) {
    const ends = interval !== null && html`(${formatTenths(interval.low)} to ${formatTenths(interval.high)})`;
    return html`<td class="num">
      <span class="big">${formatTenths(accuracy)}</span>${spread}<span class="sub">${ends}</span>
    </td>`;
  }
  const relative = drop.relative !== null && html` · ${formatPoints(-drop.relative)}${NO_BREAK}%`;
  const range =
    drop.interval !== null &&
    html`<span class="sub">(${formatPointRange({ low: -drop.interval.high, high: -drop.interval.low })})</span>`;
  return html`<td class="num">
    <span class="big">${formatTenths(accuracy)}</span>${spread}<span class="sub"
      >${formatPoints(-drop.absolute)}${relative}</span
    >${range}
  </td>`;
}

/** Per seed, and McNemar's test of each condition against the original. */
function renderTests(scores: Scores, seeds: readonly number[]): Html {
  const perturbed = scores.filter(({ condition }) => condition !== 'original');
  return html`<details class="more">
    <summary>Seed by seed, and McNemar’s test</summary>
    <div class="inside">
      ${renderSeedTable(perturbed, seeds)}
      <table>
        <caption>
          Answers that are right on one side only, over examples and seeds. Seeds of an example are not independent: the
          interval, which draws them together, is the safer guide.
        </caption>
        <thead>
          <tr>
            <th scope="col">Against the original</th>
            <th scope="col" class="num">Broken</th>
            <th scope="col" class="num">Fixed</th>
            <th scope="col" class="num"><abbr title="exact McNemar test, two-sided">p</abbr></th>
          </tr>
        </thead>
        <tbody>
          ${perturbed.map(renderTest)}
        </tbody>
      </table>
    </div>
  </details>`;
}

function renderSeedTable(scores: Scores, seeds: readonly number[]): Html {
  return html`<table>
    <caption>
      Accuracy by seed
    </caption>
    <thead>
      <tr>
        <th scope="col">Metric</th>
        ${seeds.map((seed) => html`<th scope="col" class="num">${seed}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${scores.map(
        ({ metric, condition, bySeed }) =>
          html`<tr>
            <th scope="row">${ATTACK_METRIC_TITLES[metric]}, ${condition}</th>
            ${bySeed.map((accuracy) => renderNumber(accuracy, formatTenths))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function renderTest({ metric, condition, drop }: AttackScore): Html | false {
  if (drop === null) return false;
  const { onlyFirst, onlySecond, p } = drop.mcnemar;
  return html`<tr>
    <th scope="row">${ATTACK_METRIC_TITLES[metric]}, ${condition}</th>
    <td class="num">${formatCount(onlyFirst)}</td>
    <td class="num">${formatCount(onlySecond)}</td>
    <td class="num">${formatProbability(p)}</td>
  </tr>`;
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
