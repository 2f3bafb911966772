import { renderTable, words } from '../../../report/data-table.js';
import { formatCount, formatNoun, formatShare } from '../../../report/figures.js';
import { renderFilteredList, renderSelect } from '../../../report/filtered-list.js';
import { type Html, html, nameHtml } from '../../../report/html.js';
import { type PageSection, renderCards, renderPage, renderWideTable } from '../../../report/page-parts.js';
import {
  type ComposedExample,
  COMPOSITION_KINDS,
  type CompositionKind,
  type QuestionPiece,
} from '../../../formats/artifacts/compositions.js';
import type { ComposeReport, ReportedRule } from './compose-report.js';

/** The two parents' parts in the question, by color and by line, so that they are distinguished without color, too. */
const STYLE = `
.piece { border-radius: 3px; padding: 0 .125rem; text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 2px; }
.piece.base { text-decoration-color: var(--focus); }
.piece.element { background: var(--mark); text-decoration-style: wavy; text-decoration-thickness: 1px; }
.piece.link { text-decoration: none; font-style: italic; }
#samples-list > li { padding-block: .75rem; border-bottom: 1px solid var(--line); }
`;

const KIND_NAMES: Readonly<Record<CompositionKind, string>> = { SUB: 'substituted', APP: 'appended' };

/** Renders `report.html` of `perturbql compose`: one file that loads nothing. The same report gives the same bytes. */
export function renderComposePage(report: ComposeReport): string {
  const { dataset, written, questions, elements } = report;
  const total = written.SUB.total + written.APP.total;
  return renderPage({
    title: `${dataset}: composed questions`,
    eyebrow: html`perturbql compose · data set ${nameHtml(dataset)}`,
    headline: `${formatNoun(total, 'question')} composed of ${formatNoun(elements, 'element')}`,
    lede: html`From ${formatNoun(questions, 'question')} in sub-sentences: ${formatCount(written.SUB.total)} with an
    element in the place of another (CG-SUB), ${formatCount(written.APP.total)} with one appended (CG-APP).`,
    warnings: report.warnings,
    version: report.perturbql,
    style: STYLE,
    sections: pageSections(report),
  });
}

function pageSections(report: ComposeReport): readonly PageSection[] {
  return [
    { id: 'figures', heading: 'Key figures', body: renderKeyFigures(report) },
    { id: 'hardness', heading: 'By hardness', link: 'Hardness', body: renderHardness(report) },
    { id: 'samples', heading: 'Samples', body: renderSamples(report) },
    { id: 'rules', heading: 'Rules, and what each refused', link: 'Rules', body: renderRules(report) },
    { id: 'databases', heading: 'By database', link: 'Databases', body: renderDatabases(report) },
    { id: 'left', heading: 'What was left out', link: 'Left out', body: renderLeftOut(report) },
  ];
}

function renderKeyFigures({ written, drafts, made, executed, split }: ComposeReport): Html {
  const { SUB, APP } = written;
  return html`<div class="body">
    ${renderCards([
      { label: 'Substituted', figure: formatCount(SUB.total), gloss: 'CG-SUB' },
      { label: 'Appended', figure: formatCount(APP.total), gloss: `CG-APP, ${formatCount(APP.or)} of them with “or”` },
      { label: 'Two steps', figure: formatCount(APP.deep), gloss: 'appended to a substitution' },
      { label: 'Made', figure: formatCount(made), gloss: `of ${formatCount(drafts)} drafts; budgets keep fewer` },
      { label: 'Gold SQL', figure: executed ? 'all run' : 'not executed', gloss: 'on the databases' },
      ...(split === null
        ? []
        : [
            {
              label: 'For test',
              figure: formatCount(split.test),
              gloss: `by template; ${formatCount(split.train)} for training`,
            },
          ]),
    ])}
  </div>`;
}

function renderHardness({ written }: ComposeReport): Html {
  const levels = [...new Set(COMPOSITION_KINDS.flatMap((kind) => Object.keys(written[kind].hardness)))];
  const cell = (kind: CompositionKind, level: string): Html => {
    const { hardness, total } = written[kind];
    const n = hardness[level] ?? 0;
    return html`${formatCount(n)}${total > 0 && html` <span class="dot">${formatShare(n / total)}</span>`}`;
  };
  return renderWideTable(
    'By hardness',
    renderTable({
      className: 'scores',
      heads: ['Set', ...levels],
      rows: COMPOSITION_KINDS.map((kind) => [
        html`CG-${kind}<span class="sub">${KIND_NAMES[kind]}</span>`,
        ...levels.map((level) => cell(kind, level)),
      ]),
    }),
  );
}

/** A composed question with its parents' parts marked. */
function renderPieces(pieces: readonly QuestionPiece[]): Html {
  return html`${pieces.map(({ of, text }) => html`<span class="piece ${of}">${text}</span>`)}`;
}

function renderSample({ id, kind, connective, hardness, pieces, query, parents, db_id: db }: ComposedExample): Html {
  const done = kind === 'SUB' ? KIND_NAMES.SUB : `${KIND_NAMES.APP} with “${connective ?? 'and'}”`;
  return html`<li data-kind="${kind}" data-db="${db}" data-hardness="${hardness ?? 'unknown'}">
    <p>${renderPieces(pieces)}</p>
    <p><code>${query}</code></p>
    <p class="sub">
      ${done} · ${hardness ?? 'hardness unknown'} · ${nameHtml(db)} · of ${parents[0]} and ${parents[1]} · ${id}
    </p>
  </li>`;
}

function renderSamples({ samples }: ComposeReport): Html {
  const databases = [...new Set(samples.map(({ db_id }) => db_id))].sort();
  const list = renderFilteredList({
    id: 'samples',
    noun: 'question',
    placeholder: 'question, SQL or id',
    selects: [
      renderSelect('kind', 'Set', ['SUB', 'APP']),
      renderSelect('hardness', 'Hardness', ['easy', 'medium', 'hard', 'extra']),
      renderSelect('db', 'Database', databases),
    ],
    items: samples.map(renderSample),
  });
  return html`<p class="note">
      <span class="piece base">The first parent’s part</span> and
      <span class="piece element">the element of the second</span>.
    </p>
    ${list}`;
}

/** A rule with what is left of each kind behind it. */
interface FunnelStep {
  readonly rule: ReportedRule;
  readonly left: Readonly<Record<CompositionKind, number>>;
}

function funnelOf({ rules, draftsByKind }: ComposeReport): readonly FunnelStep[] {
  let left = draftsByKind;
  return rules.map((rule) => {
    left = { SUB: left.SUB - rule.refusedByKind.SUB, APP: left.APP - rule.refusedByKind.APP };
    return { rule, left };
  });
}

function renderRules(report: ComposeReport): Html {
  const { SUB, APP } = report.draftsByKind;
  return renderWideTable(
    'Rules',
    renderTable({
      className: 'scores',
      heads: [
        ...(['Rule', words('Looks after'), words('Source')] as const),
        ...['SUB refused first', `left of ${formatCount(SUB)}`, 'APP refused first', `left of ${formatCount(APP)}`],
      ],
      rows: funnelOf(report).map(({ rule: { id, group, source, says, refusedByKind }, left }) => [
        ...([html`${id}<span class="sub">${says}</span>`, group, source] as const),
        ...[refusedByKind.SUB, left.SUB, refusedByKind.APP, left.APP].map(formatCount),
      ]),
    }),
  );
}

function renderDatabases({ databases }: ComposeReport): Html {
  return renderWideTable(
    'By database',
    renderTable({
      className: 'scores',
      heads: ['Database', 'Questions', 'Elements', 'SUB', 'APP'],
      rows: databases.map(({ id, questions, elements, written }) => [
        nameHtml(id),
        ...[questions, elements, written.SUB, written.APP].map(formatCount),
      ]),
    }),
  );
}

function renderLeftOut({ leftOut }: ComposeReport): Html {
  if (leftOut.length === 0) return html`<p class="note">None: every question was aligned.</p>`;
  return html`<div class="body">
    <ul class="names">
      ${leftOut.map(({ reason, count }) => html`<li>${reason} <span class="dot">${formatCount(count)}</span></li>`)}
    </ul>
  </div>`;
}
