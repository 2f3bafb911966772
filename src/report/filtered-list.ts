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
