import { type Html, html } from './html.js';

/** A cell's content, alone or with what is particular about the cell. */
export type TableCell = Html | string | number | CellParts;

interface CellParts {
  readonly content: Html | string | number;
  readonly className?: string | false;
  /** The key that the rows are sorted by. */
  readonly sort?: number | string;
  /** Shown where the cell is pointed at. */
  readonly title?: string;
}

/** The head of a column; of a text alone, one of figures. */
type TableHead = Html | string | number | HeadParts;

interface HeadParts {
  readonly content: Html | string;
  readonly kind: 'words';
}

type Cells = readonly [name: Html | string | number, ...cells: readonly TableCell[]];

/** A row: its name, then its cells; where it has a class, with that. */
export type TableRow = Cells | { readonly className: string; readonly cells: Cells };

/** Rows under a heading of their own. */
export interface RowGroup {
  readonly heading: Html | string;
  readonly rows: readonly TableRow[];
}

/** A table whose first column names its rows. */
export interface DataTable {
  readonly className?: string;
  readonly caption?: Html | string;
  /** Id of the filter that searches the table, whose heads then sort it. */
  readonly filter?: string | null;
  readonly heads: readonly [name: Html | string, ...heads: readonly TableHead[]];
  /** The rows, or groups of them. */
  readonly rows?: readonly TableRow[];
  readonly groups?: readonly RowGroup[];
  readonly foot?: TableRow;
}

/** A column of words, with `abbr` where its title says more. */
export function words(content: Html | string): HeadParts {
  return { content, kind: 'words' };
}

/** A short text with what it means. */
export function abbreviation(text: string, title: string): Html {
  return html`<abbr title="${title}">${text}</abbr>`;
}

/** A figure, or a dash where there is none. */
export function figureCell(value: number | null, format: (value: number) => string): TableCell {
  if (value === null) return { content: '–', className: 'zero', sort: -2 };
  return { content: format(value), sort: Number(value.toFixed(6)) };
}

function kindOf(head: TableHead): 'figures' | HeadParts['kind'] {
  return typeof head === 'object' && 'kind' in head ? head.kind : 'figures';
}

/** The common class of cells in each kind of column. */
const CLASSES = { figures: 'num', words: '' } as const;

function renderHead(head: TableHead): Html {
  const content = typeof head === 'object' && 'content' in head ? head.content : head;
  const kind = kindOf(head);
  return html`<th scope="col" ${kind === 'figures' && html` class="num"`}>${content}</th>`;
}

function renderCell(cell: TableCell, head: TableHead): Html {
  const parts: CellParts = typeof cell === 'object' && 'content' in cell ? cell : { content: cell };
  const { content, className, sort, title } = parts;
  const kind = kindOf(head);
  const classes = [CLASSES[kind], className || ''].filter((name) => name !== '').join(' ');
  const attributes = [
    classes !== '' && html` class="${classes}"`,
    sort !== undefined && html` data-sort="${sort}"`,
    title !== undefined && html` title="${title}"`,
  ];
  return html`<td${attributes}>${content}</td>`;
}

function renderRow(row: TableRow, [, ...heads]: DataTable['heads']): Html {
  const [name, ...cells] = 'cells' in row ? row.cells : row;
  return html`<tr${'cells' in row && html` class="${row.className}"`}>
    <th scope="row">${name}</th>
    ${cells.map((cell, i) => renderCell(cell, heads[i] ?? ''))}
  </tr>`;
}

function renderBody(rows: readonly TableRow[], heads: DataTable['heads'], heading?: RowGroup['heading']): Html {
  const title =
    heading !== undefined &&
    html`<tr>
      <th scope="rowgroup" colspan="${heads.length}">${heading}</th>
    </tr>`;
  return html`<tbody>
    ${title}${rows.map((row) => renderRow(row, heads))}
  </tbody>`;
}

/** Renders a table. */
export function renderTable({ className, caption, filter, heads, rows = [], groups, foot }: DataTable): Html {
  const [name, ...others] = heads;
  const bodies = groups?.map((group) => renderBody(group.rows, heads, group.heading));
  const sortable = filter != null && html` data-sortable="${filter}"`;
  return html`<table${className !== undefined && html` class="${className}"`}${sortable}>
    ${
      caption !== undefined &&
      html`<caption>
        ${caption}
      </caption>`
    }
    <thead>
      <tr>
        ${String(name) === '' ? html`<td></td>` : html`<th scope="col">${name}</th>`}
        ${others.map(renderHead)}
      </tr>
    </thead>
    ${bodies ?? renderBody(rows, heads)}
    ${
      foot !== undefined &&
      html`<tfoot>
        ${renderRow(foot, heads)}
      </tfoot>`
    }
  </table>`;
}
