import { METRIC_TITLES } from '../../evaluate/metric.js';
import { RELATIONS } from '../../metamorphic/relations.js';
import { changeCell, renderTable, type TableRow } from '../../report/data-table.js';
import { formatCount, formatNoun, formatPercent, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageSection, renderTableFrame } from '../../report/page-parts.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/answer-metrics.js';
import { renderFailure } from '../../victims/mutants/failure-view.js';
import { renderPaired } from '../../victims/mutants/paired-section.js';
import type { MutantReport, MutantScore } from './mutant-report.js';

/** "1,204 mutants on 310 changed schemas". */
export function describeMutants({ mutants, schemas }: MutantReport): string {
  return `${formatNoun(mutants, 'mutant')} on ${formatNoun(schemas, 'changed schema')}`;
}

/** The result as a sentence; null where nothing was measured: by execution, else by exact match. */
export function describeMutantDrop({ scores }: MutantReport): string | null {
  const metric = ANSWER_METRICS.toReversed().find((name) => scores.some((score) => score.metric === name));
  const all = scores.find((score) => score.relation === 'all' && score.metric === metric);
  if (all === undefined) return null;
  const verb = all.accuracy < all.original ? 'falls' : 'goes';
  const [from, to] = [formatPercent(all.original), formatPercent(all.accuracy)];
  return `${METRIC_TITLES[all.metric]} ${verb} from ${from} to ${to} on changed schemas and questions`;
}

/** The sections of a page; none where no mutants were asked. */
export function mutantSections(report: MutantReport | undefined): readonly PageSection[] {
  if (report === undefined) return [];
  return [
    { id: 'mutants', heading: 'By kind of change', link: 'Kinds', body: renderScores(report) },
    { id: 'paired', heading: 'Question by question', link: 'Paired', body: renderPaired(report.paired) },
    { id: 'broken', heading: 'Mutants that break', link: 'Broken', body: renderFailures(report) },
  ];
}

function nameOf({ relation, level }: MutantScore): Html {
  const name = (RELATIONS as Readonly<Record<string, { readonly name: string } | undefined>>)[relation]?.name;
  const words = level ?? name;
  return html`${relation === 'all' ? 'All' : nameHtml(relation)}${
    words !== undefined && html`<span class="name">${words}</span>`
  }`;
}

function rowOf(score: MutantScore): TableRow {
  const { questions, mutants, original, accuracy, std, change } = score;
  return [
    nameOf(score),
    html`${formatCount(questions)}<span class="sub">${formatNoun(mutants, 'mutant')}</span>`,
    formatTenths(original),
    html`<span class="big">${formatTenths(accuracy)}</span
      >${std !== null && html`<span class="sub">± ${formatTenths(std)}</span>`}`,
    changeCell(change),
  ];
}

function renderMetric(metric: AnswerMetric, { scores }: MutantReport): Html | false {
  const own = scores.filter((score) => score.metric === metric);
  if (own.length === 0) return false;
  const table = renderTable({
    className: 'rates',
    caption: METRIC_TITLES[metric],
    heads: ['Kind', 'Questions', 'Original', 'Mutants', 'Change'],
    rows: own.map(rowOf),
  });
  return renderTableFrame(`Kinds, ${METRIC_TITLES[metric]}`, table);
}

/** Accuracy by kind of change and level, on the original tables and on mutants. */
function renderScores(report: MutantReport): Html {
  const tables = ANSWER_METRICS.toReversed()
    .map((metric) => renderMetric(metric, report))
    .filter((table) => table !== false);
  if (tables.length === 0) return html`<p class="note">Nothing was measured.</p>`;
  return html`<p class="note">
      Percent right on mutants and, over the same questions, on the original tables. Each seed draws a mutant of each
      question, kind and level; a question counts once, by the mean over its mutants. ± is over the seeds, the range of
      the change over the questions, 95 %. A question that its schema no longer answers is right where the model says
      so.
    </p>
    <div class="body stacked">${tables}</div>`;
}

function renderFailures({ failures }: MutantReport): Html {
  if (failures.length === 0) return html`<p class="note">No mutant breaks an answer that was right.</p>`;
  return html`<p class="note">Some of those that are right on the original tables and wrong on the mutant.</p>
    <div class="body cases">
      ${failures.map(
        (failure) =>
          html`<details>
            <summary>
              <span class="question">${failure.after.question}</span>
              <span class="line">${failure.relations.join('+')} · ${failure.details.join('; ')}</span>
            </summary>
            <div class="inside">${renderFailure(failure, 'Mutant')}</div>
          </details>`,
      )}
    </div>`;
}
