/** Where a reader's choice of light or dark is kept; pages that may not keep anything forget it. */
const THEME_KEY = 'perturbql-theme';

/**
 * Lets the reader choose light or dark, and makes tables marked `data-sortable` searchable and sortable; without it the
 * page reads the same, unsorted, and as light or dark as the reader's system.
 */
export const REPORT_SCRIPT = `
{
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  try {
    const kept = localStorage.getItem('${THEME_KEY}');
    if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  } catch {}
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'theme';
  const name = () => { button.textContent = isDark() ? 'Light mode' : 'Dark mode'; };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try { localStorage.setItem('${THEME_KEY}', root.dataset.theme); } catch {}
    name();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name);
  name();
  document.querySelector('nav').append(button);
}
for (const table of document.querySelectorAll('table[data-sortable]')) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const valueOf = (row, column) => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
  const numeric = (header) => header.classList.contains('num');
  const collator = new Intl.Collator('en', { numeric: true });
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (head.scope !== 'col') return;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const was = head.getAttribute('aria-sort');
      const descending = was === null ? numeric(head) : was === 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      const compare = (a, b) => numeric(head)
        ? Number(valueOf(a, column)) - Number(valueOf(b, column))
        : collator.compare(valueOf(a, column), valueOf(b, column));
      rows.sort((a, b) => (descending ? -compare(a, b) : compare(a, b)));
      body.append(...rows);
    });
  });
  const filter = document.getElementById(table.dataset.sortable);
  const [input, status] = [filter.querySelector('input'), filter.querySelector('output')];
  filter.hidden = false;
  const apply = () => {
    const wanted = input.value.trim().toLowerCase().split(/\\s+/);
    let shown = 0;
    for (const row of rows) {
      const text = row.cells[0].textContent.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      if (!row.hidden) shown++;
    }
    status.value = input.value.trim() === '' ? '' : shown + ' of ' + rows.length;
  };
  input.addEventListener('input', apply);
  apply();
}
`;
