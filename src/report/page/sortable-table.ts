import { searchWords } from './dom.js';

const COLLATOR = new Intl.Collator('en', { numeric: true });

function valueOf(row: HTMLTableRowElement, column: number): string {
  const cell = row.cells[column];
  return cell?.dataset.sort ?? cell?.textContent.trim() ?? '';
}

function sortByHead(head: HTMLTableCellElement, heads: readonly HTMLTableCellElement[], body: HTMLElement): void {
  const isNumeric = head.classList.contains('num');
  const was = head.getAttribute('aria-sort');
  const isDescending = was === null ? isNumeric : was === 'ascending';
  for (const other of heads) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
  const compare = (a: HTMLTableRowElement, b: HTMLTableRowElement): number => {
    const [left, right] = [valueOf(a, head.cellIndex), valueOf(b, head.cellIndex)];
    return isNumeric ? Number(left) - Number(right) : COLLATOR.compare(left, right);
  };
  const rows = [...body.querySelectorAll('tr')];
  body.append(...rows.sort((a, b) => (isDescending ? -compare(a, b) : compare(a, b))));
}

function offerSearch(filter: HTMLElement, rows: readonly HTMLTableRowElement[]): void {
  const [input, status] = [filter.querySelector('input'), filter.querySelector('output')];
  if (input === null || status === null) return;
  input.addEventListener('input', () => {
    const words = searchWords(input.value);
    for (const row of rows) {
      const text = row.cells[0]?.textContent.toLowerCase() ?? '';
      row.hidden = !words.every((word) => text.includes(word));
    }
    const shown = rows.filter((row) => !row.hidden).length;
    status.value = words.length === 0 ? '' : `${shown} of ${rows.length}`;
  });
  filter.hidden = false;
}

/** Makes a table marked `data-sortable` sortable by its heads, and searchable by the box whose id the mark names. */
export function offerSorting(table: HTMLTableElement): void {
  const [body, headRow] = [table.tBodies[0], table.tHead?.rows[0]];
  if (body === undefined || headRow === undefined) return;
  const heads = [...headRow.cells];
  for (const head of heads.filter(({ scope }) => scope === 'col')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => sortByHead(head, heads, body));
  }
  const filter = document.getElementById(table.dataset.sortable ?? '');
  if (filter !== null) offerSearch(filter, [...body.rows]);
}
