function renderReasons({ totals, reasonDescriptions }: CandidatesReport): Html {
  const reasons = totals.reasons.filter(({ bucket }) => bucket === 'rejected');
  if (reasons.length === 0) return html`<p class="note">Nothing was rejected.</p>`;
  const { rejected } = totals.buckets;
  const most = reasons[0]!.count;
  const row = ({ reason, count }: ReasonCount): Html =>
    html`<tr>
      <th scope="row">
        ${describeReason(reason, reasonDescriptions)}<span class="sub"><code>${reason}</code></span
        >${renderBar([{ share: share(count, most), className: 'rejected' }])}
      </th>
      <td class="num">${formatCount(count)}<span class="sub">${formatShare(share(count, rejected))}</span></td>
    </tr>`;
  return html`<p class="note">${formatNoun(rejected, 'rejected name')}, by the rule that rejected each first.</p>
    <div class="body">
      <table class="meters">
        <thead hidden>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col">Names</th>
          </tr>
        </thead>
        <tbody>
          ${reasons.map(row)}
        </tbody>
      </table>
    </div>`;
}

function renderSources(sources: CandidatesReport['totals']['sources']): Html {
  return html`<p class="note">Where the names came from, and what became of them.</p>
    <div class="body">
      <table>
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
  return (['RPL', 'ADD', 'rejected'] as const).map((bucket) => renderNumberCell(counts[bucket]));
}

function renderNumberCell(count: number): Html {
  return html`<td class="num${count === 0 ? ' zero' : ''}" data-sort="${count}">${formatCount(count)}</td>`;
}

const BUCKET_HEADS: Html = html`<th scope="col" class="num">RPL</th>
  <th scope="col" class="num">ADD</th>
  <th scope="col" class="num">Rejected</th>`;

function renderCounts({ tables, columns }: CandidatesReport): Html {
  const tableRow = (counts: TableCounts): Html =>
    html`<tr>
      <th scope="row">${nameHtml(counts.table)}<span class="sub">${nameHtml(counts.dbId)}</span></th>
      ${renderNumberCell(counts.targetColumns)}${renderBucketCells(counts)}
    </tr>`;
  const columnRow = (counts: ColumnCounts): Html =>
    html`<tr>
      <th scope="row">
        ${nameHtml(counts.table)}<span class="dot"> . </span>${nameHtml(counts.column)}<span class="sub"
          >${nameHtml(counts.dbId)}</span
        >
      </th>
      ${renderBucketCells(counts)}
    </tr>`;
  const tableList = html`<table data-sortable="table-filter">
    <thead>
      <tr>
        <th scope="col">Table</th>
        <th scope="col" class="num"><abbr title="columns that were to be perturbed">Targets</abbr></th>
        ${BUCKET_HEADS}
      </tr>
    </thead>
    <tbody>
      ${tables.map(tableRow)}
    </tbody>
  </table>`;
  const columnList = html`<table data-sortable="column-filter">
    <thead>
      <tr>
        <th scope="col">Column</th>
        ${BUCKET_HEADS}
      </tr>
    </thead>
    <tbody>
      ${columns.map(columnRow)}
    </tbody>
  </table>`;
  return html`<p class="note">${formatNoun(tables.length, 'table')} with target columns or candidates.</p>
    <div class="body">
      ${renderFilter('table-filter', 'Find a table or database')}${renderScroller('Counts per table', tableList)}
    </div>
    <details class="more">
      <summary>Counts per column (${formatCount(columns.length)})</summary>
      <div class="inside">
        ${renderFilter('column-filter', 'Find a column')}${renderScroller('Counts per column', columnList)}
      </div>
    </details>`;
}

