import { formatCount } from './figures.js';
import { type Html, html } from './html.js';

/** A choice: its value, and the words for it if they differ. */
export type Choice = string | readonly [value: string, words: string];

/** A choice of one value; `any` is the words for not choosing. */
export function renderSelect(
  filter: string,
  label: string,
  choices: readonly Choice[],
  any: string | null = 'Any',
): Html {
  const option = (choice: Choice): Html => {
    const [value, words] = typeof choice === 'string' ? [choice, choice] : choice;
    return html`<option value="${value}">${words}</option>`;
  };
  return html`<label
    >${label}<select data-filter="${filter}">
      ${any !== null && option(['', any])}${choices.map(option)}
    </select></label
  >`;
}

/** A search box among filters; the placeholder says what is searched. */
export function renderSearch(placeholder: string): Html {
  return html`<label class="wide"
    >Search<input type="search" data-filter="search" placeholder="${placeholder}" autocomplete="off" spellcheck="false"
  /></label>`;
}

/** A list that a reader narrows down; the page's script filters it. */
export interface FilteredList {
  /** Prefix of its ids: the list is `<id>-list`. */
  readonly id: string;
  /** The noun for an item, "pair". */
  readonly noun: string;
  readonly placeholder: string;
  readonly selects: readonly Html[];
  /** `li` elements; `data-<filter>` has the values of each filter, a line each. */
  readonly items: readonly Html[];
}

/** The filters, shown once scripts run, and the list, which without scripts is whole. */
export function renderFilteredList({ id, noun, placeholder, selects, items }: FilteredList): Html {
  return html`<div data-filters="${id}-list" data-noun="${noun}">
      <div class="filters" role="search" hidden>${renderSearch(placeholder)} ${selects}</div>
      <div class="found">
        <output aria-live="polite" id="${id}-count"
          >${formatCount(items.length)} ${noun}${items.length !== 1 && 's'}</output
        >
      </div>
    </div>
    <ol class="cases" id="${id}-list">
      ${items}
    </ol>`;
}
