import { BUCKETS } from '../../formats/candidates-file.js';
import type { CandidatesReport, ColumnCounts, TableCounts } from './candidates-report.js';
import type { BucketCounts } from '../../report/column-tally.js';
import { formatCount, formatNoun, formatShare } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderColumnName, renderFilter, renderMeters, renderName, renderScroller } from '../../report/page-parts.js';
import { describeReason } from './reason-text.js';
import { renderBar } from '../../report/svg-plots.js';

/** Why names were rejected, the most frequent reason first. */
export function renderReasons({ totals, reasonDescriptions }: CandidatesReport): Html {
  const reasons = totals.reasons.filter(({ bucket }) => bucket === 'rejected');
  if (reasons.length === 0) return html`<p class="note">Nothing was rejected.</p>`;
  const { rejected } = totals.buckets;
  const meters = reasons.map(({ reason, count }) => ({
    label: html`${describeReason(reason, reasonDescriptions)} <code>${reason}</code>`,
    figure: formatCount(count),
    gloss: formatShare(count / rejected),
    share: count / rejected,
    className: 'rejected',
  }));
  return html`<p class="note">${formatNoun(rejected, 'rejected name')}, each by the rule that rejected it.</p>
    <div class="body">${renderMeters(meters)}</div>`;
}

/** Where the names came from, by bucket. */
export function renderSources(sources: CandidatesReport['totals']['sources']): Html {
  return html`<p class="note">Where the names came from, and what became of them.</p>
    <div class="body">
      <table class="counts">
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" class="num">RPL</th>
            <th scope="col" class="num">ADD</th>
            <th scope="col" class="num">Rejected</th>
          </tr>
        </thead>
        <tbody>
          ${sources.map(
            ({ source, ...counts }) =>
              html`<tr>
                <th scope="row">${source}</th>
                ${renderBucketCells(counts)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function renderBucketCells(counts: BucketCounts): Html[] {
  return BUCKETS.map((bucket) => renderNumberCell(counts[bucket]));
}

function renderNumberCell(count: number): Html {
  return html`<td class="num${count === 0 ? ' zero' : ''}" data-sort="${count}">${formatCount(count)}</td>`;
}

const BUCKET_HEADS: Html = html`<th scope="col" class="num">RPL</th>
  <th scope="col" class="num">ADD</th>
  <th scope="col" class="num">Rejected</th>
  <td class="mix" aria-hidden="true"></td>`;

/** Counts per table, and folded away per column, both to be searched and sorted. */
export function renderCounts({ tables, columns }: CandidatesReport): Html {
  return html`<p class="note">${formatNoun(tables.length, 'table')} with target columns or candidates.</p>
    <div class="body">
      ${renderFilter('table-filter', 'Find a table or database')}
      ${renderScroller('Counts per table', renderTableCounts(tables))}
    </div>
    <details class="more">
      <summary>Counts per column (${formatCount(columns.length)})</summary>
      <div class="inside">
        ${renderFilter('column-filter', 'Find a column')}
        ${renderScroller('Counts per column', renderColumnCounts(columns))}
      </div>
    </details>`;
}

const total = ({ RPL, ADD, rejected }: BucketCounts): number => RPL + ADD + rejected;

function renderTableCounts(tables: readonly TableCounts[]): Html {
  const most = Math.max(1, ...tables.map(total));
  return html`<table class="counts" data-sortable="table-filter">
    <thead>
      <tr>
        <th scope="col">Table</th>
        <th scope="col" class="num"><abbr title="columns that were to be perturbed">Targets</abbr></th>
        ${BUCKET_HEADS}
      </tr>
    </thead>
    <tbody>
      ${tables.map((counts) => renderTableRow(counts, most))}
    </tbody>
  </table>`;
}

function renderTableRow(counts: TableCounts, most: number): Html {
  const table = renderName(counts.table, counts.tableOriginal);
  const name = html`${table} <span class="sub">${nameHtml(counts.dbId)}</span>`;
  return html`<tr>
    <th scope="row">${name}</th>
    ${renderNumberCell(counts.targetColumns)}${renderBucketCells(counts)}${renderMix(counts, most)}
  </tr>`;
}

function renderColumnCounts(columns: readonly ColumnCounts[]): Html {
  const most = Math.max(1, ...columns.map(total));
  return html`<table class="counts" data-sortable="column-filter">
    <thead>
      <tr>
        <th scope="col">Column</th>
        ${BUCKET_HEADS}
      </tr>
    </thead>
    <tbody>
      ${columns.map((counts) => renderColumnRow(counts, most))}
    </tbody>
  </table>`;
}

function renderColumnRow(counts: ColumnCounts, most: number): Html {
  return html`<tr>
    <th scope="row">${renderColumnName(counts)} <span class="sub">${nameHtml(counts.dbId)}</span></th>
    ${renderBucketCells(counts)}${renderMix(counts, most)}
  </tr>`;
}

/** The row's counts as a bar, as long as its share of the fullest row; the numbers next to it say the same. */
function renderMix(counts: BucketCounts, most: number): Html {
  const parts = BUCKETS.map((bucket) => ({ share: counts[bucket] / most, className: bucket.toLowerCase() }));
  return html`<td class="mix" aria-hidden="true">${renderBar(parts, 'bare')}</td>`;
}
