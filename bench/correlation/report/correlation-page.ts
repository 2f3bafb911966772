import { abbreviation, figureCell, renderTable, type RowGroup, type TableRow } from '../../../src/report/data-table.js';
import { NO_BREAK, formatCount, formatNoun } from '../../../src/counts.js';
import { formatTenths } from '../../../src/report/figures.js';
import { WIDE_TABLE_STYLE } from './wide-table-style.js';
import { type Html, html, nameHtml } from '../../../src/report/html.js';
import { type PageSection, renderFacts, renderPage, renderWideTable } from '../../../src/report/page-parts.js';
import type { CorrelationReport, ErrorSpread, Level, Spread } from '../correlation-report.js';
import {
  PUBLISHED_FALSE_NEGATIVES,
  PUBLISHED_FALSE_POSITIVES,
  type PublishedLevel,
  publishedTauOf,
} from '../published-figures.js';
import type { SuiteIdentity } from '../../../src/evaluate/suite/suite-match.js';
import { JUDGED_METRICS, type JudgedMetric, type SurfaceMetric } from '../verdict-files.js';
import { CORRELATION_STYLE } from './correlation-style.js';
import { comparedMetrics, figureOf, formatTau, levelsOf, METRIC_TITLES } from './correlation-titles.js';
import { placeOf } from './model-place.js';
import { renderScatter } from './scatter-plot.js';
import { renderSecondSuite } from './second-suite-section.js';

/** The level of which the paper's figure shows a metric next to all data: Figures 6(b) and 7(b). */
const SHOWN_LEVEL: Readonly<Partial<Record<SurfaceMetric, Level>>> = { exact: 'hard', execution: 'extra' };

/** What a row of figures against the second suite is called. */
const SECOND = 'second suite';

function renderLevelTable(what: string, report: CorrelationReport, groups: readonly RowGroup[]): Html {
  return renderWideTable(what, renderTable({ className: 'levels', heads: [what, ...levelsOf(report)], groups }));
}

function paperRow<T>(
  name: string,
  levels: readonly Level[],
  published: Readonly<Record<PublishedLevel, T>> | undefined,
  format: (value: T) => string,
): readonly TableRow[] {
  if (published === undefined) return [];
  const cells = levels.map((level) => (level === 'unknown' ? '–' : format(published[level])));
  return [{ className: 'paper-row', cells: [name, ...cells] }];
}

const modelName = (name: string, i: number): Html => html`${placeOf(i)}${nameHtml(name)}`;

function renderAccuracy(report: CorrelationReport): Html {
  const levels = levelsOf(report);
  const groupOf = (metric: JudgedMetric): readonly RowGroup[] => {
    const rows = report.models.flatMap(({ name, accuracy }, i): readonly TableRow[] => {
      const own = accuracy[metric];
      if (own === undefined) return [];
      return [[modelName(name, i), ...levels.map((level) => figureCell(own[level]!, formatTenths))]];
    });
    return rows.length === 0 ? [] : [{ heading: METRIC_TITLES[metric], rows }];
  };
  return html`<p class="note">Percent of the pairs that a metric calls correct, over all and by Spider’s hardness.</p>
    ${renderLevelTable('Accuracy', report, JUDGED_METRICS.flatMap(groupOf))}`;
}

function spreadHtml({ mean, std, max }: Spread): Html {
  const gloss = html`${std !== null && `± ${formatTenths(std)}, `}max ${formatTenths(max)}`;
  return html`${formatTenths(mean)}<span class="sub">${gloss}</span>`;
}

const formatSpread = ({ mean, std, max }: { mean: number; std: number; max: number }): string =>
  `${formatTenths(mean)} ± ${formatTenths(std)}, max ${formatTenths(max)}`;

function errorGroup(report: CorrelationReport, metric: SurfaceMetric): RowGroup {
  const levels = levelsOf(report);
  const { secondSuite } = report;
  const rowsOf = (name: string, of: (spread: ErrorSpread) => Spread): readonly TableRow[] => {
    const row = (title: string, { errors }: Pick<CorrelationReport, 'errors'>): TableRow => [
      title,
      ...levels.map((level) => spreadHtml(of(figureOf(errors, metric, level)))),
    ];
    return [row(name, report), ...(secondSuite === undefined ? [] : [row(SECOND, secondSuite)])];
  };
  const rows = [
    ...rowsOf('False positives', ({ falsePositives }) => falsePositives),
    ...paperRow('the paper’s', levels, PUBLISHED_FALSE_POSITIVES[metric], formatSpread),
    ...rowsOf('False negatives', ({ falseNegatives }) => falseNegatives),
    ...paperRow('the paper’s', levels, PUBLISHED_FALSE_NEGATIVES[metric], formatSpread),
  ];
  return { heading: METRIC_TITLES[metric], rows };
}

function modelErrorGroup(report: CorrelationReport, metric: SurfaceMetric): RowGroup {
  const levels = levelsOf(report);
  const rows = report.models.flatMap(({ name, errors }, i): readonly TableRow[] => {
    const own = errors[metric];
    if (own === undefined) return [];
    const cells = levels.map((level) => {
      const { falsePositiveRate, falseNegativeRate } = own[level]!;
      return [falsePositiveRate, falseNegativeRate].map((rate) => formatTenths(rate ?? 0)).join(' / ');
    });
    return [[modelName(name, i), ...cells]];
  });
  return { heading: METRIC_TITLES[metric], rows };
}

function renderErrors(report: CorrelationReport): Html {
  const metrics = comparedMetrics(report);
  return html`<p class="note">
      Percent of all pairs: false positives are correct by the metric and wrong by the test suite, false negatives the
      other way round. Mean, standard deviation and most over the models; the paper’s Tables 1 and 2 below ours.
    </p>
    ${renderLevelTable(
      'Errors',
      report,
      metrics.map((metric) => errorGroup(report, metric)),
    )}
    <details class="more">
      <summary>By model: false positives / false negatives</summary>
      ${renderLevelTable(
        'Errors of each model',
        report,
        metrics.map((metric) => modelErrorGroup(report, metric)),
      )}
    </details>`;
}

function tauRow(
  name: string,
  { correlations }: Pick<CorrelationReport, 'correlations'>,
  metric: SurfaceMetric,
  levels: readonly Level[],
): TableRow {
  const cells = levels.map((level) => {
    const { tau, discordant, why } = figureOf(correlations, metric, level);
    return why === null
      ? html`${formatTau(tau)}<span class="sub">${formatCount(discordant)} swapped</span>`
      : { content: html`–<span class="sub">${abbreviation('why', why)}</span>`, className: 'zero' };
  });
  return [name, ...cells];
}

function tauGroup(report: CorrelationReport, metric: SurfaceMetric): RowGroup {
  const levels = levelsOf(report);
  const { secondSuite } = report;
  const rows = [
    tauRow('Here', report, metric, levels),
    ...(secondSuite === undefined ? [] : [tauRow(SECOND, secondSuite, metric, levels)]),
    ...publishedTauOf(metric, comparedMetrics(report)).flatMap(({ name, tau }) =>
      paperRow(`the paper’s “${name}”`, levels, tau, formatTau),
    ),
  ];
  return { heading: METRIC_TITLES[metric], rows };
}

function renderCorrelations(report: CorrelationReport): Html {
  const metrics = comparedMetrics(report);
  const reasons = new Set(
    metrics.flatMap((metric) => Object.values(report.correlations[metric]!).flatMap(({ why }) => why ?? [])),
  );
  return html`<p class="note">
      Kendall’s τ (tau-b), in percent: 100 where a metric ranks the models as the test suite does. Swapped: pairs of
      models that it puts the other way round. The paper’s Table 3 is of 21 submissions on Spider’s development set; its
      “Official” is Spider’s script (--compat spider here), “Adapted” also checks joins, as exact match does here.
    </p>
    ${[...reasons].map((why) => html`<p class="note">No τ: ${why}.</p>`)}
    ${renderLevelTable(
      'Kendall τ',
      report,
      metrics.map((metric) => tauGroup(report, metric)),
    )}`;
}

/** All data first, then the level of the paper's figure, then the others. */
function plottedLevels(report: CorrelationReport, metric: SurfaceMetric): readonly Level[] {
  const shown = SHOWN_LEVEL[metric];
  const rank = (level: Level): number => (level === 'all' ? 0 : level === shown ? 1 : 2);
  return [...levelsOf(report)].sort((a, b) => rank(a) - rank(b));
}

function renderPlot(report: CorrelationReport, metric: SurfaceMetric, level: Level, isWide: boolean): Html {
  const { tau } = report.correlations[metric]![level]!;
  const points = report.models.flatMap(({ name, accuracy }, i) => {
    const [x, y] = [accuracy.suite?.[level], accuracy[metric]?.[level]];
    if (x === undefined || y === undefined) return [];
    const label = `${i + 1} ${name}: suite ${formatTenths(x)}, ${metric} ${formatTenths(y)}`;
    return [{ mark: String(i + 1), label, x, y }];
  });
  const title = level === 'all' ? 'All data' : level;
  const pairs = formatNoun(report.pairs[level]!, 'pair');
  return html`<figure class="${isWide && 'wide'}">
    <figcaption>${title}<span>${tau !== null && `τ = ${formatTau(tau)}%, `}${pairs}</span></figcaption>
    ${renderScatter({
      id: `plot-${metric}-${level}`,
      title: `${METRIC_TITLES[metric]} against the test suite, ${title}`,
      xLabel: 'test suite, %',
      yLabel: `${METRIC_TITLES[metric].toLowerCase()}, %`,
      points,
    })}
  </figure>`;
}

function renderPlots(report: CorrelationReport): Html {
  return html`<p class="note">
      Each dot is a model, by its number in the table of accuracies; on the dotted line both metrics say the same. Above
      it the metric is more generous than the test suite, below it stricter. As the paper’s Figures 6, 7 and 9 to 11.
    </p>
    <p class="note">
      ${report.models.map(({ name }, i) => html`${i > 0 && ' · '}${i + 1}${NO_BREAK}${nameHtml(name)}`)}
    </p>
    ${comparedMetrics(report).map(
      (metric) =>
        html`<div class="body">
          <h3>${METRIC_TITLES[metric]}</h3>
          <div class="plots">
            ${plottedLevels(report, metric).map((level, i) => renderPlot(report, metric, level, i < 2))}
          </div>
        </div>`,
    )}`;
}

function suiteFact({ path, schemas, databases }: SuiteIdentity): Html {
  const size = `${formatNoun(databases, 'database')} of ${formatNoun(schemas, 'schema')}`;
  return html`<code>${nameHtml(path)}</code>, ${size}`;
}

function renderModels({ models, evaluation, secondSuite }: CorrelationReport): Html {
  const files = models.map(({ name, file }) => [name, html`<code>${nameHtml(file)}</code>`] as const);
  const modes = Object.entries(evaluation?.modes ?? {}).map(
    ([metric, mode]) => [METRIC_TITLES[metric as JudgedMetric], html`<code>${nameHtml(mode)}</code>`] as const,
  );
  const judged = [
    ...(evaluation === undefined
      ? []
      : [
          ['Gold', html`<code>${nameHtml(evaluation.gold)}</code>`] as const,
          ['Suite', suiteFact(evaluation.suite)] as const,
        ]),
    ...(secondSuite === undefined ? [] : [['Second suite', suiteFact(secondSuite.suite)] as const]),
  ];
  return html`<div class="body">${renderFacts([...files, ...judged, ...modes])}</div>`;
}

function sectionsOf(report: CorrelationReport): readonly PageSection[] {
  return [
    {
      id: 'correlation',
      heading: 'Correlation with the test suite',
      link: 'Correlation',
      body: renderCorrelations(report),
    },
    { id: 'plots', heading: 'Metrics against the test suite', link: 'Plots', body: renderPlots(report) },
    { id: 'errors', heading: 'Errors of the metrics', link: 'Errors', body: renderErrors(report) },
    { id: 'accuracy', heading: 'Accuracy', body: renderAccuracy(report) },
    ...(report.secondSuite === undefined
      ? []
      : [
          {
            id: 'second-suite',
            heading: 'What the second suite says',
            link: 'Second suite',
            body: renderSecondSuite(report.secondSuite, report),
          },
        ]),
    { id: 'models', heading: 'The models', link: 'Models', body: renderModels(report) },
  ];
}

/** What came out, in a sentence: τ of each metric over all data. */
function describeResult(report: CorrelationReport): Html {
  const parts = comparedMetrics(report).map((metric) => {
    const { tau } = report.correlations[metric]!.all!;
    return tau === null ? '' : `${METRIC_TITLES[metric].toLowerCase()} τ = ${formatTau(tau)}%`;
  });
  const known = parts.filter((part) => part !== '');
  const over = `${formatNoun(report.models.length, 'model')} on ${formatNoun(report.pairs.all!, 'pair')}`;
  return html`${over}${known.length > 0 && `; with the test suite: ${known.join(', ')}`}.`;
}

/** Renders a report of correlations as a page of the same look as the others: one file that loads nothing. */
export function renderCorrelationPage(report: CorrelationReport, version: string): string {
  return renderPage({
    title: 'Metrics against the test suite',
    eyebrow: html`perturbql correlate`,
    headline: 'How far other metrics follow test-suite accuracy',
    lede: describeResult(report),
    warnings: report.warnings,
    version,
    style: WIDE_TABLE_STYLE + CORRELATION_STYLE,
    sections: sectionsOf(report),
  });
}
