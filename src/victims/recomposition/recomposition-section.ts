import { METRIC_TITLES } from '../../evaluate/metric.js';
import {
  abbreviation,
  changeCell,
  NO_FIGURE,
  renderTable,
  type TableCell,
  type TableRow,
} from '../../report/data-table.js';
import {
  countNoun,
  formatCount,
  formatPercent,
  formatPoints,
  formatRange,
  formatTenths,
  negated,
} from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageSection, renderTableFrame } from '../../report/page-parts.js';
import { renderSides } from '../../report/sides.js';
import { publishedDrop } from './published.js';
import {
  type MeasuredRecomposition,
  type RecompositionFailure,
  type RecompositionFigures,
  type RecompositionReport,
  type RecompositionSide,
} from './recomposition-report.js';
import { ANSWER_METRICS, type AnswerMetric } from '../answer-metrics.js';

type Kind = RecompositionFailure['kind'];

/** What a rule does, in words. */
const KIND_WORDS: Readonly<Record<Kind, string>> = { SUB: 'substituted', APP: 'appended' };

/** The result as a sentence; null where nothing was measured: by execution, else by exact match. */
export function describeRecomposition({ all }: RecompositionReport): string | null {
  const { rate = null } = all.execution ?? all.exact ?? {};
  if (rate === null) return null;
  return `${formatPercent(rate.mean)} of the composed questions are wrong though both of their parents are right`;
}

/** "20 questions composed of the parts of 12 questions". */
export function describeComposed({ all }: RecompositionReport): string {
  return `${countNoun(all.cases, 'question')} composed of the parts of ${countNoun(all.parents, 'question')}`;
}

/** The section of a page; none where nothing composed was asked. */
export function composedSections(report: RecompositionReport | undefined): readonly PageSection[] {
  if (report === undefined) return [];
  return [{ id: 'composed', heading: 'Composed questions', link: 'Composed', body: renderRecomposition(report) }];
}

function rateCell({ rate, broken, bothRight }: MeasuredRecomposition): TableCell {
  if (rate === null) return NO_FIGURE;
  return html`<span class="big">${formatTenths(rate.mean)}</span>
    <span class="sub">${formatRange(rate, formatTenths)}</span>
    <span class="sub">${formatCount(broken)} of ${formatCount(bothRight)}</span>`;
}

function rowsOf(
  name: Html | string,
  figures: RecompositionFigures,
  metric: AnswerMetric,
  published: number | null,
): readonly TableRow[] {
  const own = figures[metric];
  if (own === null) return [];
  return [
    [
      name,
      html`${formatCount(own.cases)}<span class="sub">of ${formatCount(figures.parents)}</span>`,
      ...[own.parents, own.children].map(formatTenths),
      changeCell({ mean: -own.drop.mean, ...negated(own.drop) }),
      rateCell(own),
      formatCount(own.mended),
      published === null ? '–' : formatPoints(-published / 100),
    ],
  ];
}

const HEADS = [
  ...(['Rule', abbreviation('Composed', 'compositions, and the questions they were made of')] as const),
  ...['Parents', 'Composed, right', 'Drop'],
  abbreviation('Broken', 'wrong, of those whose parents are both right'),
  abbreviation('Mended', 'right though a parent is wrong'),
  abbreviation('Paper', 'Spider-SS Tables 5 and 7, mean of the models, from dev'),
] as const;

const kindName = (kind: string): Html => html`CG-${kind}<span class="name">${KIND_WORDS[kind as Kind]}</span>`;

function renderMetric(metric: AnswerMetric, { all, kinds, hardness }: RecompositionReport): Html | false {
  const [foot] = rowsOf('All', all, metric, null);
  if (foot === undefined) return false;
  const table = renderTable({
    className: 'rates',
    caption: METRIC_TITLES[metric],
    heads: HEADS,
    rows: [
      ...Object.entries(kinds).flatMap(([kind, figures]) =>
        rowsOf(kindName(kind), figures, metric, publishedDrop(metric, kind as Kind)),
      ),
      ...hardness.flatMap(({ kind, level, ...figures }) => rowsOf(`CG-${kind}, ${level}`, figures, metric, null)),
    ],
    foot,
  });
  return renderTableFrame(`Composed, ${METRIC_TITLES[metric]}`, table);
}

function renderVerdict(name: string, outcome: string | null): Html | false {
  return (
    outcome !== null && html`<span class="verdict ${outcome === 'correct' ? 'good' : 'bad'}">${name}: ${outcome}</span>`
  );
}

function renderAsked({ id, question, gold, predicted, failure, exact, execution }: RecompositionSide): Html {
  const words = predicted === null ? html`<p class="none">no SQL${failure !== null && html`: ${failure}`}</p>` : null;
  return html`<p>${question} <span class="sub">${nameHtml(id)}</span></p>
    <pre>${gold}</pre>
    ${
      words ??
      (predicted !== gold &&
        html`<p class="label">Predicted</p>
          <pre>${predicted}</pre>`)
    }
    <div class="verdicts">${renderVerdict('exact match', exact)}${renderVerdict('execution', execution)}</div>`;
}

function renderFailure({ kind, dbId, hardness, child, parents: [base, element] }: RecompositionFailure): Html {
  return html`<details>
    <summary>
      <span class="question">${child.question}</span>
      <span class="line">CG-${kind} · ${nameHtml(dbId)}${hardness !== null && html` · ${hardness}`}</span>
    </summary>
    <div class="inside">
      ${renderSides({ label: 'Composed', content: renderAsked(child) })}
      ${renderSides(
        { label: 'Its base', content: renderAsked(base) },
        { label: 'The question of its element', content: renderAsked(element) },
      )}
    </div>
  </details>`;
}

/** Accuracy on compositions and on their parents (Spider-SS Tables 5 and 7), by rule and hardness, with samples of failures. */
function renderRecomposition(report: RecompositionReport): Html {
  const tables = ANSWER_METRICS.map((metric) => renderMetric(metric, report)).filter((table) => table !== false);
  if (tables.length === 0) return html`<p class="note">Nothing was measured.</p>`;
  const { exact, execution } = report.accuracy;
  const accuracy = [exact, execution].flatMap((share) => (share === null ? [] : [formatPercent(share)])).join(' and ');
  return html`<p class="note">
      Percent right on composed questions and, over the same ones, on the two questions that each was made of; drop and
      the share broken with the 95 % interval, by bootstrap with all compositions of a base drawn together. On these
      parents, each once, the model is right in ${accuracy}. Hardness is the composed question’s. Paper: what its models
      lose from all of Spider dev, on its own compositions.
    </p>
    <div class="body stacked">${tables}</div>
    ${
      report.failures.length > 0 &&
      html`<div class="body">
        <p class="note">Some of those that are wrong though both parents are right:</p>
        ${report.failures.map(renderFailure)}
      </div>`
    }`;
}
