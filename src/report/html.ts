/** Markup that is safe to put into a page: made by `html` or vouched for by `rawHtml`. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** A value in a template: text is escaped, markup is kept, null and false leave nothing, lists are joined. */
export type HtmlValue = string | number | Html | null | false | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// HTML forbids these even as character references; a lone surrogate has no UTF-8 form.
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/gu;

/** Escapes text for element content and for quoted attributes; characters that HTML can't hold become U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(UNPRINTABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function renderValue(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(renderValue).join('');
  return escapeHtml(String(value));
}

/**
 * Template tag: literal parts are markup, interpolated values are escaped unless they are `Html`.
 *
 * @example String(html`<b>${'<script>'}</b>`) // "<b>&lt;script&gt;</b>"
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, i) => part + renderValue(values[i] ?? '')).join(''));
}

/** Vouches for markup (a style sheet, a script) that this program wrote itself; never for anything read. */
export function rawHtml(markup: string): Html {
  return new Html(markup);
}

/**
 * A name from a data set, isolated so that right-to-left characters can't disturb the text around it.
 * An empty or blank name is shown as "(empty)".
 */
export function nameHtml(name: string): Html {
  return name.trim() === '' ? html`<i>(empty)</i>` : html`<bdi>${name}</bdi>`;
}
