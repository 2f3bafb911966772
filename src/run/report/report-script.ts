/** Makes tables marked `data-sortable` searchable and sortable; without it the page reads the same, unsorted. */
export const REPORT_SCRIPT = `
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
