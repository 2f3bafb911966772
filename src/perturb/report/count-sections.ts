import { BUCKETS } from '../../formats/artifacts/candidates.js';
import type { CandidatesReport, ColumnCounts, TableCounts } from './candidates-report.js';
import type { BucketCounts } from '../../report/column-tally.js';
import { abbreviation, MIX_HEAD, renderTable, type TableCell } from '../../report/data-table.js';
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
      ${renderTable({
        className: 'counts',
        heads: ['Source', ...BUCKET_HEADS],
        rows: sources.map(({ source, ...counts }) => [source, ...bucketCells(counts)]),
      })}
    </div>`;
}

const BUCKET_HEADS = ['RPL', 'ADD', 'Rejected'] as const;

const sortedCount = (count: number): TableCell => ({
  content: formatCount(count),
  className: count === 0 && 'zero',
  sort: count,
});

function bucketCells(counts: BucketCounts): readonly TableCell[] {
  return BUCKETS.map((bucket) => sortedCount(counts[bucket]));
}

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
  return renderTable({
    className: 'counts',
    filter: 'table-filter',
    heads: ['Table', abbreviation('Targets', 'columns that were to be perturbed'), ...BUCKET_HEADS, MIX_HEAD],
    rows: tables.map((counts) => [
      html`${renderName(counts.table, counts.tableOriginal)} <span class="sub">${nameHtml(counts.dbId)}</span>`,
      sortedCount(counts.targetColumns),
      ...bucketCells(counts),
      renderMix(counts, most),
    ]),
  });
}

function renderColumnCounts(columns: readonly ColumnCounts[]): Html {
  const most = Math.max(1, ...columns.map(total));
  return renderTable({
    className: 'counts',
    filter: 'column-filter',
    heads: ['Column', ...BUCKET_HEADS, MIX_HEAD],
    rows: columns.map((counts) => [
      html`${renderColumnName(counts)} <span class="sub">${nameHtml(counts.dbId)}</span>`,
      ...bucketCells(counts),
      renderMix(counts, most),
    ]),
  });
}

/** The row's counts as a bar, as long as its share of the fullest row; the numbers next to it say the same. */
function renderMix(counts: BucketCounts, most: number): Html {
  const parts = BUCKETS.map((bucket) => ({ share: counts[bucket] / most, className: bucket.toLowerCase() }));
  return renderBar(parts, 'bare');
}
