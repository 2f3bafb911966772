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
function offerSorting(table: HTMLTableElement): void {
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

/** Where a reader's choice of light or dark is kept; pages that may not keep anything forget it. */
const THEME_KEY = 'perturbql-theme';

const DARK_SYSTEM = matchMedia('(prefers-color-scheme: dark)');

function keptTheme(): string | null {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function keepTheme(theme: string): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // The page still changes; only the next one does not know.
  }
}

/** Lets the reader choose light or dark with a button in the page's navigation. */
function offerTheme(): void {
  const root = document.documentElement;
  const isDark = (): boolean => (root.dataset.theme ?? (DARK_SYSTEM.matches ? 'dark' : 'light')) === 'dark';
  const kept = keptTheme();
  if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'theme';
  const name = (): void => {
    button.textContent = isDark() ? 'Light mode' : 'Dark mode';
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    keepTheme(root.dataset.theme);
    name();
  });
  DARK_SYSTEM.addEventListener('change', name);
  name();
  document.querySelector('nav')?.append(button);
}

// Runs on every page. Without it a page reads the same, unsorted, as light or dark as the reader's system.
offerTheme();
for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) offerSorting(table);
