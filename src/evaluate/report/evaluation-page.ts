import { formatCount, formatNoun, formatPercent } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageSection, renderFacts, renderPage } from '../../report/page-parts.js';
import { VERSION } from '../../version.js';
import type { EvaluationReport } from '../evaluation-report.js';
import type { PairVerdicts } from '../verdict-lines.js';
import { renderExactComponents } from './component-table.js';
import { EVALUATION_STYLE } from './evaluation-style.js';
import { renderSection } from '../../report/document/section-html.js';
import { outcomeTable } from './outcome-table.js';
import { renderPairs, wrongPairs } from './pair-list.js';
import { metricTitle, pageMetrics, renderErrorRates, renderScores } from './score-tables.js';

/** The scores in a sentence: "Exact match 58.1 %, test suite 52.4 %". */
function headlineOf(report: EvaluationReport): string {
  const scores = pageMetrics(report).flatMap((metric) => {
    const accuracy = report[metric]?.accuracy ?? null;
    return accuracy === null ? [] : [`${metricTitle(metric)} ${formatPercent(accuracy)}`];
  });
  return scores.length === 0 ? 'Evaluation' : scores.map((text, i) => (i === 0 ? text : lowerFirst(text))).join(', ');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function renderSettings(report: EvaluationReport): Html {
  const { gold, predictions, suite, execution, seed } = report;
  const hash = (sha256: string): Html => html`<code title="${sha256}">${sha256.slice(0, 12)}</code>`;
  return html`<div class="body">
    ${renderFacts([
      ...(gold === null ? [] : [['Gold', nameHtml(gold.file)] as const]),
      ...(predictions === null ? [] : [['Predictions', nameHtml(predictions.file)] as const]),
      ...pageMetrics(report).map(
        (metric) =>
          [`Mode of ${lowerFirst(metricTitle(metric))}`, html`<code>${report[metric]?.mode ?? ''}</code>`] as const,
      ),
      ...(suite === undefined
        ? []
        : [
            ['Suite', nameHtml(suite.suite.path)] as const,
            ['Suite’s fingerprint', hash(suite.suite.sha256)] as const,
            [
              'Suite’s databases',
              html`${formatCount(suite.suite.databases)} of ${formatNoun(suite.suite.schemas, 'schema')}`,
            ] as const,
          ]),
      ...(execution === undefined ? [] : [['Databases', hash(execution.databases.sha256)] as const]),
      ['Seed of the intervals', seed],
    ])}
  </div>`;
}

function outcomeSections(report: EvaluationReport): PageSection[] {
  const columns = pageMetrics(report).map((metric) => ({
    heading: metricTitle(metric),
    outcomes: report[metric]?.outcomes ?? null,
  }));
  if (columns.length === 0) return [];
  const body = html`<p class="note">What became of the predictions, by each metric.</p>
    ${renderSection(outcomeTable('Outcomes', columns), 'outcomes-1')}`;
  const { exact } = report;
  return [
    { id: 'outcomes', heading: 'Outcomes', body },
    ...(exact === undefined
      ? []
      : [
          {
            id: 'components',
            heading: 'Exact match by component',
            link: 'Components',
            body: renderExactComponents(exact),
          },
        ]),
  ];
}

function sectionsOf(report: EvaluationReport, pairs: readonly PairVerdicts[]): PageSection[] {
  const errors = renderErrorRates(report);
  const isAnyColumn = report.suite?.mode.includes('any-column-order') ?? false;
  return [
    { id: 'scores', heading: 'Scores', body: renderScores(report) },
    ...(errors === null ? [] : [{ id: 'errors', heading: 'Error rates', body: errors }]),
    ...outcomeSections(report),
    { id: 'pairs', heading: 'Wrong pairs', body: renderPairs(pairs, pageMetrics(report), { isAnyColumn }) },
    { id: 'settings', heading: 'Settings', body: renderSettings(report) },
  ];
}

/**
 * Renders the page of `perturbql evaluate --report`: one file that loads nothing. Scores and pairs are read without
 * scripts, pairs are found with one. The same report gives the same bytes.
 */
export function renderEvaluationPage(report: EvaluationReport, pairs: readonly PairVerdicts[]): string {
  const queries = report.gold?.queries ?? 0;
  const wrong = wrongPairs(pairs, pageMetrics(report)).length;
  return renderPage({
    title: 'perturbql evaluate',
    eyebrow: html`perturbql evaluate · ${nameHtml(report.predictions?.file ?? '')}`,
    headline: headlineOf(report),
    lede: html`${formatNoun(queries, 'prediction')} against gold SQL. ${formatCount(wrong)} of them are not correct by
    one metric or more.`,
    warnings:
      report.badGold.length === 0
        ? []
        : [
            `${formatNoun(report.badGold.length, 'time')} gold is not correct against itself; it counts as not correct.`,
          ],
    version: VERSION,
    sections: sectionsOf(report, pairs),
    style: EVALUATION_STYLE,
    footer: 'The figures of this page are also in the output of --json.',
  });
}
