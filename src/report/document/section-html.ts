import { renderTable, type RowGroup, type TableCell, type TableRow } from '../data-table.js';
import { type Html, html, nameHtml } from '../html.js';
import { renderIntervalPlot } from '../interval-plot.js';
import { renderFacts, renderFilter, renderMeters, renderScroller, renderTableFrame } from '../page-parts.js';
import { renderBar, renderHistogram, renderSeriesPlot } from '../svg-plots.js';
import { renderCasesSection } from './cases-html.js';
import {
  type Cell,
  type Column,
  plainText,
  type PlotSection,
  type RichCell,
  type Row,
  type Section,
  type Span,
  type TableSection,
  type Text,
} from './document.js';
import { formatCount } from '../../counts.js';

function renderSpan({ text, as, tone, title, href }: Span): Html {
  const inner = as === 'name' ? nameHtml(text) : html`${text}`;
  const classes = [as === 'tag' && 'tag', as === 'soft' && 'sub', tone !== undefined && `${tone} keyed`];
  const className = classes.filter((name) => name !== false).join(' ');
  const marks = [className !== '' && html` class="${className}"`, title !== undefined && html` title="${title}"`];
  if (href !== undefined) return html`<a href="${href}" ${marks}>${inner}</a>`;
  if (as === 'code') return html`<code${marks}>${inner}</code>`;
  if (as === 'strong') return html`<strong${marks}>${inner}</strong>`;
  return className === '' && title === undefined ? inner : html`<span${marks}>${inner}</span>`;
}

/** A text of a document as markup. */
export function renderText(text: Text | number): Html {
  if (typeof text === 'number') return html`${formatCount(text)}`;
  if (typeof text === 'string') return html`${text}`;
  return html`${text.map((part) => (typeof part === 'string' ? part : renderSpan(part)))}`;
}

function richCell(cell: Cell): RichCell | null {
  if (cell === null) return null;
  if (typeof cell !== 'object') return { text: cell };
  return 'text' in cell ? cell : { text: cell };
}

function renderCell(cell: Cell): TableCell {
  const rich = richCell(cell);
  if (rich === null) return { content: '–', className: 'zero', sort: -2 };
  const { text, sub, tone, sort, bar } = rich;
  const content = html`${renderText(text)}${sub !== undefined && html`<span class="sub">${renderText(sub)}</span>`}${
    bar !== undefined && renderBar([{ share: bar, className: tone ?? 'original' }])
  }`;
  const known = sort ?? (typeof text === 'number' ? text : undefined);
  return { content, className: tone !== undefined && `${tone} keyed`, ...(known !== undefined && { sort: known }) };
}

function renderRowName(cell: Cell): Html {
  const rich = richCell(cell) ?? { text: '–' };
  return html`${renderText(rich.text)}${rich.sub !== undefined && html`<span class="sub">${renderText(rich.sub)}</span>`}`;
}

function renderRow({ cells: [name = null, ...cells] }: Row): TableRow {
  return [renderRowName(name), ...cells.map(renderCell)];
}

function renderHead({ head, title }: Column): Html {
  return title === undefined ? renderText(head) : html`<abbr title="${title}">${renderText(head)}</abbr>`;
}

/** Rows under their headings; those before the first heading have none. */
function groupsOf(rows: readonly Row[]): readonly RowGroup[] {
  const groups: { heading: Html | undefined; rows: TableRow[] }[] = [];
  for (const row of rows) {
    if (row.as === 'heading') groups.push({ heading: renderRowName(row.cells[0] ?? null), rows: [] });
    else {
      if (groups.length === 0) groups.push({ heading: undefined, rows: [] });
      groups.at(-1)?.rows.push(renderRow(row));
    }
  }
  return groups as readonly RowGroup[];
}

/** Rows of a table beyond which it scrolls in a frame of its own. */
const MOST_ROWS = 20;

function renderTableSection({ caption, columns, rows, searched }: TableSection, id: string): Html {
  const total = rows.find(({ as }) => as === 'total');
  const body = rows.filter(({ as }) => as !== 'total');
  const [name = { head: '', kind: 'words' as const }, ...others] = columns;
  // Among one row there is nothing to find.
  const filter = searched === undefined || body.length < 2 ? null : `${id}-filter`;
  const table = renderTable({
    className: 'report-table',
    caption,
    filter,
    heads: [
      renderHead(name),
      ...others.map((column) =>
        column.kind === 'words' ? { content: renderHead(column), kind: 'words' as const } : renderHead(column),
      ),
    ],
    groups: groupsOf(body),
    ...(total !== undefined && { foot: renderRow(total) }),
  });
  const label = `Table: ${caption}`;
  const framed = body.length > MOST_ROWS ? renderScroller(label, table) : renderTableFrame(label, table);
  return html`${filter !== null && renderFilter(filter, `Find a ${searched ?? ''}`)}${framed}`;
}

function renderBars({ title, groups, axis }: PlotSection): Html {
  const meters = groups.flatMap(({ lanes }) =>
    lanes.map(({ label, figure, tone, value }) => ({
      label,
      figure,
      gloss: '',
      share: axis.to === 0 ? 0 : Math.min(1, Math.max(0, value / axis.to)),
      className: tone,
    })),
  );
  return html`<figcaption>${title}<span>${axis.title}</span></figcaption>
    ${renderMeters(meters)}`;
}

function renderLines({ title, groups, axis }: PlotSection, id: string): Html {
  const lines = groups.map(({ heading, lanes }, i) =>
    renderSeriesPlot({
      id: `${id}-${i + 1}`,
      title,
      heading,
      axis,
      className: lanes[0]?.tone ?? 'original',
      points: lanes,
    }),
  );
  return html`<figcaption>${title}</figcaption>
    ${lines}`;
}

/** A plot with its title; `id` is unique within the page. */
export function renderPlot(plot: PlotSection, id: string): Html {
  const { mark, title, groups, axis, ticks } = plot;
  if (mark === 'bar') return html`<figure>${renderBars(plot)}</figure>`;
  if (mark === 'line') return html`<figure>${renderLines(plot, id)}</figure>`;
  const labels = new Map(ticks);
  const drawn = renderIntervalPlot({
    id,
    title,
    groups: groups.map(({ heading, lanes }) => ({
      heading,
      lanes: lanes.map(({ tone, ends, ...lane }) => ({
        ...lane,
        className: tone,
        interval: ends === null ? null : { low: ends[0], high: ends[1] },
      })),
    })),
    axis: { from: axis.from, to: axis.to, ticks: ticks.map(([at]) => at) },
    formatTick: (at) => labels.get(at) ?? '',
    axisTitle: axis.title,
  });
  return html`<figure>${drawn}</figure>`;
}

/** A section as markup; `id` is unique within the page, and the start of its ids. */
export function renderSection(section: Section, id: string): Html {
  switch (section.kind) {
    case 'facts':
      return renderFacts(section.facts.map(([label, value]) => [plainText(label), renderText(value)] as const));
    case 'table':
      return renderTableSection(section, id);
    case 'plot':
      return renderPlot(section, id);
    case 'histogram':
      return html`<figure>
        <figcaption>${section.title}<span>${section.note}</span></figcaption>
        ${renderHistogram({ ...section, id })}
      </figure>`;
    case 'list':
      return html`<ul class="texts">
        ${section.items.map((item) => html`<li>${renderText(item)}</li>`)}
      </ul>`;
    case 'cases':
      return renderCasesSection(section);
  }
}
