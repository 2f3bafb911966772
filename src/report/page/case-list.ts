import { formatCount } from '../../counts.js';
import type { CaseData, ReportCase } from '../document/case.js';
import { caseHref, renderCase, renderCaseLine } from '../document/case-html.js';

import { Unpacker } from '../document/pack-values.js';
import { byId, countOf, type FilterField, filterFields, make, onFilter, searchWords } from './dom.js';

/** Pixels of a line of the list, as the page's style has it. */
const LINE = 56;
/** Lines drawn above and below those in view. */
const SPARE = 6;

/** All that a search looks through. */
function searchedText({ id, question, gloss, reason, facets, sides }: ReportCase): string {
  const queries = sides.flatMap((side) => side.queries.map(({ sql }) => sql ?? ''));
  return [id, question, gloss, reason ?? '', ...Object.values(facets), ...queries].join('\n').toLowerCase();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The list of cases with its filters, and the case that is open. Lines are drawn as they come into view. */
export class CaseList {
  readonly #data: CaseData;
  readonly #cases: Unpacker<ReportCase>;
  readonly #texts = new Map<number, string>();
  readonly #fields: ReadonlyMap<string, FilterField>;
  readonly #frame = byId('case-list', HTMLElement);
  readonly #open = byId('case-open', HTMLElement);
  readonly #count = byId('case-count', HTMLOutputElement);
  readonly #lines = make('ol');
  /** Positions of the cases that fit. */
  #found: readonly number[] = [];
  /** Position of the open case. */
  #at = 0;

  constructor(data: CaseData, browser: HTMLElement) {
    this.#data = data;
    this.#cases = new Unpacker(data.packed);
    this.#fields = filterFields(browser);
    for (const field of this.#fields.values()) onFilter(field, () => this.#filter());
    this.#frame.append(this.#lines);
    this.#frame.addEventListener('scroll', () => this.#draw(), { passive: true });
    addEventListener('resize', () => this.#draw());
    addEventListener('hashchange', () => this.#follow());
    addEventListener('keydown', (event) => this.#press(event));
    for (const hidden of browser.querySelectorAll<HTMLElement>('[role=search], .case-list, .keys'))
      hidden.hidden = false;
    this.#at = Math.max(0, this.#indexOf(data.open ?? ''));
    this.#refresh();
    this.#reveal();
    this.#follow();
  }

  #indexOf(id: string): number {
    for (let i = 0; i < this.#cases.length; i++) if (this.#cases.field(i, 'id') === id) return i;
    return -1;
  }

  #textOf(index: number): string {
    const text = this.#texts.get(index) ?? searchedText(this.#cases.at(index));
    this.#texts.set(index, text);
    return text;
  }

  /** Of ten thousand cases only what a choice is about is read. */
  #fits(index: number, choices: readonly (readonly [filter: string, value: string])[]): boolean {
    return choices.every(([filter, value]) => {
      const own = filter === 'status' ? this.#cases.field(index, 'status') : this.#cases.field(index, 'facets')[filter];
      return own === value;
    });
  }

  /** Lists what fits; where the open case doesn't, the first that does is opened. */
  #filter(): void {
    this.#refresh();
    const [first] = this.#found;
    if (first === undefined || this.#found.includes(this.#at)) return;
    this.#show(first);
    history.replaceState(null, '', caseHref(this.#cases.at(first).id));
  }

  #refresh(): void {
    const words = searchWords(this.#fields.get('search')?.value ?? '');
    const choices = [...this.#fields]
      .map(([filter, { value }]) => [filter, value] as const)
      .filter(([filter, value]) => value !== '' && filter !== 'search');
    this.#found = [...Array(this.#cases.length).keys()].filter(
      (index) => this.#fits(index, choices) && words.every((word) => this.#textOf(index).includes(word)),
    );
    const all = countOf(this.#cases.length, this.#data.noun);
    const shown = this.#found.length;
    this.#count.value = shown === this.#cases.length ? all : `${formatCount(shown)} of ${all}`;
    this.#lines.style.height = `${shown * LINE}px`;
    this.#draw();
  }

  #statusOf({ status }: ReportCase): CaseData['statuses'][number] | undefined {
    return this.#data.statuses.find(({ id }) => id === status);
  }

  /** Draws the lines in view. */
  #draw(): void {
    const { scrollTop, clientHeight } = this.#frame;
    const first = Math.max(0, Math.floor(scrollTop / LINE) - SPARE);
    const last = Math.min(this.#found.length, Math.ceil((scrollTop + clientHeight) / LINE) + SPARE);
    this.#lines.replaceChildren(...this.#found.slice(first, last).map((index, i) => this.#line(index, first + i)));
  }

  #line(index: number, place: number): HTMLElement {
    const one = this.#cases.at(index);
    const line = make('li', { 'aria-setsize': this.#found.length, 'aria-posinset': place + 1 });
    line.innerHTML = renderCaseLine(one, this.#statusOf(one), index === this.#at).toString();
    line.style.top = `${place * LINE}px`;
    return line;
  }

  /** Scrolls the list, not the page, until the open case is in view. */
  #reveal(): void {
    const top = this.#found.indexOf(this.#at) * LINE;
    const { scrollTop, clientHeight } = this.#frame;
    if (top >= 0 && (top < scrollTop || top + LINE > scrollTop + clientHeight)) this.#frame.scrollTop = top - LINE;
    this.#draw();
  }

  #show(index: number): void {
    this.#at = index;
    const one = this.#cases.at(index);
    this.#open.innerHTML = renderCase(one, this.#statusOf(one)).toString();
    this.#reveal();
  }

  /** `j` opens the next case, `k` the one before. */
  #press(event: KeyboardEvent): void {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isTyping || ctrlKey || metaKey || altKey || (key !== 'j' && key !== 'k')) return;
    const place = this.#found.indexOf(this.#at);
    const next = this.#found[place < 0 ? 0 : place + (key === 'j' ? 1 : -1)];
    if (next === undefined) return;
    this.#show(next);
    history.replaceState(null, '', caseHref(this.#cases.at(next).id));
    this.#open.scrollIntoView({ block: 'nearest' });
  }

  #clear(): void {
    for (const field of this.#fields.values()) field.value = '';
  }

  /** `#case=ID` opens a case, `#find=WORDS` searches. */
  #follow(): void {
    const [, what, rest = ''] = /^#(case|find)=(.*)$/.exec(location.hash) ?? [];
    if (what === undefined) return;
    if (what === 'find') {
      this.#clear();
      const search = this.#fields.get('search');
      if (search !== undefined) search.value = decode(rest);
      this.#refresh();
      const [first] = this.#found;
      if (first !== undefined) this.#show(first);
    } else {
      const index = this.#indexOf(decode(rest));
      if (index < 0) {
        this.#count.value = `There is no ${this.#data.noun} ${decode(rest)} in this page.`;
        return;
      }
      if (!this.#found.includes(index)) {
        this.#clear();
        this.#refresh();
      }
      this.#show(index);
    }
    this.#open.scrollIntoView({ block: 'nearest' });
  }
}
