import { renderTable } from '../../report/data-table.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageSection, renderCards, renderPage, renderWideTable } from '../../report/page-parts.js';
import { EXPECTED_ANSWERS, type ExpectedAnswer, expectedAnswer } from '../expected-answer.js';
import type { MutantRecord } from '../relation.js';
import { areGoldsEqual, type MutateReport } from '../mutate-report.js';

/** Renders `report.html` of `perturbql mutate`: one file that loads nothing. The same report gives the same bytes. */
export function renderMutatePage(report: MutateReport): string {
  const { dataset, examples, total, relations } = report;
  return renderPage({
    title: `${dataset}: mutants`,
    eyebrow: html`perturbql mutate · data set ${nameHtml(dataset)}`,
    headline: `${formatNoun(total.written, 'mutant')} of ${formatNoun(examples, 'example')}`,
    lede: html`${describeAnswers(relations)} On ${formatNoun(total.schemas, 'changed schema')}.`,
    warnings: report.warnings,
    version: report.perturbql,
    sections: pageSections(report),
  });
}

/** Most relations that a sentence names. */
const NAMED = 6;

function nameAll(keys: readonly string[]): string {
  if (keys.length > NAMED) return formatNoun(keys.length, 'relation');
  return new Intl.ListFormat('en').format(keys);
}

/** What each kind of mutant asks for. */
const ANSWERS: Readonly<Record<ExpectedAnswer, (mutants: string) => string>> = {
  kept: (mutants) => `${mutants} must not change the answer`,
  'other-query': (mutants) => `${mutants} ask something else, and another answer is right`,
  unanswerable: (mutants) => `${mutants} lack what the question needs: a model should say that there is no answer`,
};

/** How many mutants keep the answer of their seed, by which relations, and which ones don't; relations without a mutant, by name. */
function describeAnswers(relations: MutateReport['relations']): string {
  const entries = Object.entries(relations);
  const answers = EXPECTED_ANSWERS.flatMap((answer) => {
    const counts = entries.map(([key, { expectations }]) => {
      const own = Object.entries(expectations) as [MutantRecord['expectation'], number][];
      const held = own.filter(([expectation]) => expectedAnswer({ expectation }) === answer);
      return { key, count: held.reduce((sum, [, count]) => sum + count, 0) };
    });
    const having = counts.filter(({ count }) => count > 0);
    const count = having.reduce((sum, one) => sum + one.count, 0);
    return count === 0
      ? []
      : [`${ANSWERS[answer](`${formatCount(count)} by ${nameAll(having.map(({ key }) => key))}`)}.`];
  });
  const without = entries.filter(([, { written }]) => written === 0).map(([key]) => key);
  return [...answers, ...(without.length === 0 ? [] : [`${nameAll(without)} made none.`])].join(' ');
}

function pageSections(report: MutateReport): readonly PageSection[] {
  return [
    { id: 'figures', heading: 'Key figures', body: renderKeyFigures(report) },
    { id: 'relations', heading: 'By relation', link: 'Relations', body: renderRelations(report) },
    { id: 'missing', heading: 'Where there is no mutant', link: 'No mutant', body: renderReasons(report) },
  ];
}

function renderKeyFigures(report: MutateReport): Html {
  const { total, fluency, databases, relations } = report;
  const made = Object.values(relations).filter(({ written }) => written > 0);
  const executed = databases === null ? 'not executed' : areGoldsEqual(report) ? 'all equal' : 'not all equal';
  const score = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
  return html`<div class="body">
    ${renderCards([
      { label: 'Mutants', figure: formatCount(total.written), gloss: `of ${formatCount(total.cases)} made` },
      { label: 'Relations', figure: formatCount(made.length), gloss: 'with a mutant, composed ones among them' },
      { label: 'Schemas', figure: formatCount(total.schemas), gloss: 'besides those of the data set' },
      { label: 'Gold SQL', figure: executed, gloss: 'result of each mutant against its seed’s' },
      { label: 'Fluency of seeds', figure: score(fluency.seeds), gloss: 'mean over their questions' },
      { label: 'Fluency of mutants', figure: score(fluency.mutants), gloss: 'mean over the reworded questions' },
    ])}
  </div>`;
}

function renderRelations({ relations }: MutateReport): Html {
  return renderWideTable(
    'By relation',
    renderTable({
      className: 'scores',
      heads: ['Relation', 'Seeds', 'Made', 'Written', 'Fluency'],
      rows: Object.entries(relations).map(([key, { name, seeds, cases, written, fluency }]) => [
        html`${nameHtml(key)}<span class="sub">${name}</span>`,
        ...[seeds, cases, written].map(formatCount),
        fluency === null ? '–' : fluency.toFixed(2),
      ]),
    }),
  );
}

function renderReasons({ relations }: MutateReport): Html {
  const rows = Object.entries(relations).flatMap(([key, { name, notApplicable, unexpressible, dropped }]) => {
    const reasons = [notApplicable, unexpressible, dropped].flatMap((counts) => Object.entries(counts));
    return reasons.length === 0 ? [] : [{ key, name, reasons }];
  });
  if (rows.length === 0) return html`<p class="note">None: every relation applies to every example.</p>`;
  return html`<div class="body">
    ${rows.map(
      ({ key, name, reasons }) =>
        html`<details>
          <summary>${nameHtml(key)} <span class="dot">${name}</span></summary>
          <div class="inside">
            <ul class="names">
              ${reasons.map(([reason, count]) => html`<li>${reason} <span class="dot">${formatCount(count)}</span></li>`)}
            </ul>
          </div>
        </details>`,
    )}
  </div>`;
}
