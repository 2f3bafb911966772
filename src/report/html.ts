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

/** What a template may hold: text is escaped, markup is kept, null and false leave nothing, lists are joined. */
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
  return text.replace(UNPRINTABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character]!);
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
  return new Html(parts.map((part, i) => part + (i < values.length ? renderValue(values[i]!) : '')).join(''));
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

/** Keeps a number and its unit or noun on one line. */
export const NO_BREAK = '\u00a0';

/** An integer with a comma between thousands: "12,345". */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A share in [0, 1] as a percentage, "83 %" with a no-break space;  "0.4 %" and "99.6 %" where rounding would say none or all. */
export function formatShare(share: number): string {
  const percent = share * 100;
  const extreme = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
  return `${extreme ? clampTenths(percent) : Math.round(percent)}${NO_BREAK}%`;
}

function clampTenths(percent: number): string {
  return Math.min(99.9, Math.max(0.1, percent)).toFixed(1);
}

/** A count with its noun, a no-break space between: "1 column", "1,204 columns". */
export function formatNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)}${NO_BREAK}${count === 1 ? singular : plural}`;
}
