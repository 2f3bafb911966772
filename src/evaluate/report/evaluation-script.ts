/** Shows the filters of the pairs and hides the pairs that they leave out; without it the page lists all. */
export const EVALUATION_SCRIPT = `
{
  const box = document.getElementById('pair-filters');
  if (box !== null) {
    const fields = [...box.querySelectorAll('[data-filter]')];
    const items = [...document.getElementById('pair-list').children];
    const texts = new Map();
    const textOf = (item) => {
      if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
      return texts.get(item);
    };
    const isShown = (item) => fields.every(({ dataset: { filter }, value }) => {
      if (value.trim() === '') return true;
      if (filter !== 'search') return item.dataset[filter] === value;
      return value.trim().toLowerCase().split(/\\s+/).every((word) => textOf(item).includes(word));
    });
    const apply = () => {
      let shown = 0;
      for (const item of items) {
        item.hidden = !isShown(item);
        if (!item.hidden) shown++;
      }
      const all = items.length.toLocaleString('en') + (items.length === 1 ? ' pair' : ' pairs');
      document.getElementById('pair-count').value = shown === items.length ? all : shown.toLocaleString('en') + ' of ' + all;
    };
    let waiting = 0;
    for (const field of fields) {
      field.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
    }
    box.hidden = false;
  }
}
`;
