import { formatCount } from '../../counts.js';
/** The values that an element may hold; null and false leave nothing. */
export type Child = Node | string | null | false;

/** An element with attributes, of which those that are null or false are left out; text is never read as markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number | null | false>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/**
 * The element of an id, which the page's renderer wrote.
 * @throws Error where the page has none of that type.
 */
export function byId<E extends HTMLElement>(id: string, type: abstract new () => E): E {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`this page has no ${type.name} "${id}"`);
}

/** A field of a list's filters. */
export type FilterField = HTMLInputElement | HTMLSelectElement;

/** The fields of a box by the name of their filter. */
export function filterFields(box: ParentNode): ReadonlyMap<string, FilterField> {
  return new Map(
    [...box.querySelectorAll<FilterField>('[data-filter]')].map((field) => [field.dataset.filter ?? '', field]),
  );
}

/** Milliseconds without a key before a search starts. */
const SEARCH_PAUSE_MS = 120;

/** Calls back once a field has another value; of a search box, once its reader pauses. */
export function onFilter(field: FilterField, changed: () => void): void {
  if (field instanceof HTMLSelectElement) {
    field.addEventListener('input', changed);
    return;
  }
  let waiting: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(changed, SEARCH_PAUSE_MS);
  });
}

/** The words of a search in lower case; quotes keep words together. */
export function searchWords(wanted: string): readonly string[] {
  const words = wanted.toLowerCase().match(/"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replaceAll('"', '')).filter((word) => word !== '');
}

/** A count with its noun: "1 pair", "1,204 pairs". */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
