import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import type { CandidateOrigin } from '../../stage.js';
import { abbreviation, NO_FIGURE, renderTable, type TableRow } from '../../report/data-table.js';
import { NO_BREAK } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderColumnName } from '../../report/page-parts.js';

/** Decisions to read, grouped by database: "table . column → candidate", where it came from, its scores. */
export function renderExamples(caption: string, className: string, examples: readonly CandidateDecision[]): Html {
  if (examples.length === 0) return html`<p class="note">None in this run.</p>`;
  const databases = new Map<string, CandidateDecision[]>();
  for (const example of examples) databases.set(example.db_id, [...(databases.get(example.db_id) ?? []), example]);
  return renderTable({
    className: `examples ${className}`,
    caption,
    heads: [
      'Column → candidate',
      abbreviation('e1', 'forward entailment, column to candidate'),
      abbreviation('e2', 'backward entailment, candidate to column'),
    ],
    groups: [...databases].map(([dbId, group]) => ({ heading: nameHtml(dbId), rows: group.map(exampleRow) })),
  });
}

function exampleRow(decision: CandidateDecision): TableRow {
  const { table, column, candidate, e1, e2, near: borderline } = decision;
  const tag = borderline && html` <span class="tag" title="a score lies close to its threshold">borderline</span>`;
  return [
    html`${renderColumnName({ table, column })} <span class="arrow">→</span>
      <span class="to">${nameHtml(candidate)}</span>${tag}<span class="sub">${provenance(decision)}</span>`,
    ...[e1, e2].map((score) => (score === null ? NO_FIGURE : score.toFixed(2))),
  ];
}

function provenance(decision: CandidateDecision): Html {
  const { source, origin, column, candidate, similarity, association, difficulty, against, bucket } = decision;
  const { acceptability, goes_with: kind } = decision;
  const parts = [
    origin === null ? html`${source}` : html`${source}: ${renderOrigin(origin, candidate)}`,
    similarity !== null && html`similarity${NO_BREAK}${formatCosine(similarity)}`,
    kind !== undefined && html`goes with the ${kind}`,
    association !== null && html`association${NO_BREAK}${formatCosine(association)}`,
    acceptability !== undefined && html`acceptability${NO_BREAK}${formatCosine(acceptability)}`,
    difficulty !== undefined && html`difficulty${NO_BREAK}${formatCosine(difficulty)}`,
    against !== null && against !== column && html`${AGAINST[bucket]} ${nameHtml(against)}`,
  ];
  return html`${parts.filter((part) => part !== false).map((part, i) => html`${i > 0 && ' · '}${part}`)}`;
}

/** How the other column that decided stands to the candidate. */
const AGAINST = { RPL: 'compared with', ADD: 'closest to', rejected: 'because of' } as const;

function formatCosine(cosine: number): string {
  return cosine
    .toFixed(2)
    .replace(/^-0\.00$/, '0.00')
    .replace('-', '−');
}

function renderOrigin({ table, title, column }: CandidateOrigin, candidate: string): Html {
  const renamed = column !== candidate && html`“${nameHtml(column)}” in `;
  return html`${renamed}${nameHtml(title.trim() === '' ? table : title)}`;
}
