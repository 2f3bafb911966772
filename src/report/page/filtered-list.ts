import { countOf, filterFields, onFilter, searchWords } from './dom.js';

function choiceFits(item: HTMLElement, filter: string, wanted: string): boolean {
  return wanted === '' || (item.dataset[filter] ?? '').split('\n').includes(wanted);
}

/**
 * Shows the filters of a list (`renderFilteredList`) and hides the items that they leave out: a choice asks for one of
 * the values in an item's attribute of its name, a search for words in the item's text.
 */
export function offerFilters(box: HTMLElement): void {
  const list = document.getElementById(box.dataset.filters ?? '');
  const count = box.querySelector('output');
  if (list === null || count === null) return;
  const items = [...list.querySelectorAll<HTMLElement>(':scope > *')];
  const texts = new Map<HTMLElement, string>();
  const textOf = (item: HTMLElement): string => {
    const text = texts.get(item) ?? item.textContent.toLowerCase();
    texts.set(item, text);
    return text;
  };
  const fields = filterFields(box);
  const isShown = (item: HTMLElement): boolean =>
    [...fields].every(([filter, { value }]) =>
      filter === 'search'
        ? searchWords(value).every((word) => textOf(item).includes(word))
        : choiceFits(item, filter, value),
    );
  const apply = (): void => {
    for (const item of items) item.hidden = !isShown(item);
    const shown = items.filter((item) => !item.hidden).length;
    const all = countOf(items.length, box.dataset.noun ?? '');
    count.value = shown === items.length ? all : `${shown.toLocaleString('en')} of ${all}`;
  };
  for (const field of fields.values()) onFilter(field, apply);
  for (const hidden of box.querySelectorAll<HTMLElement>('[role=search]')) hidden.hidden = false;
}
