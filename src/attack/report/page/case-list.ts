import { byId, countOf, type FilterField, filterFields, onFilter } from '../../../report/page/dom.js';
import { caseItem, fillItem } from './case-item.js';
import { type CaseStore, type Focus, type FoundCase, KINDS } from './case-store.js';

/** Examples on one page of the list. */
const PAGE = 20;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The list of cases with its filters and pages; addresses of the page open one case, or ask for those of a column. */
export class CaseList {
  readonly #store: CaseStore;
  readonly #fields: ReadonlyMap<string, FilterField>;
  readonly #section = byId('cases', HTMLElement);
  readonly #list = byId('case-list', HTMLOListElement);
  readonly #count = byId('case-count', HTMLOutputElement);
  readonly #clearButton = byId('case-clear', HTMLButtonElement);
  readonly #previous = byId('case-previous', HTMLButtonElement);
  readonly #next = byId('case-next', HTMLButtonElement);
  #found: readonly FoundCase[] = [];
  #page = 0;
  #focus: Focus | null = null;

  constructor(store: CaseStore, browser: HTMLElement) {
    this.#store = store;
    this.#fields = filterFields(browser);
    for (const field of this.#fields.values()) onFilter(field, () => this.#refresh());
    this.#clearButton.addEventListener('click', () => {
      this.#clear();
      this.#refresh();
    });
    this.#previous.addEventListener('click', () => this.#turn(-1));
    this.#next.addEventListener('click', () => this.#turn(1));
    addEventListener('hashchange', () => this.#follow());
    browser.hidden = false;
    this.#refresh();
    this.#follow();
  }

  #value(filter: string): string {
    return this.#fields.get(filter)?.value ?? '';
  }

  #set(filter: string, value: string): void {
    const field = this.#fields.get(filter);
    if (field !== undefined) field.value = value;
  }

  /** All filters but the metric, which narrows nothing. */
  #narrowing(): readonly FilterField[] {
    return [...this.#fields].flatMap(([filter, field]) => (filter === 'metric' ? [] : [field]));
  }

  #find(): void {
    this.#store.metric = this.#value('metric');
    this.#found = this.#store.find({
      search: this.#value('search'),
      status: this.#value('status'),
      kind: this.#value('kind'),
      seed: this.#value('seed'),
      database: this.#value('database'),
      hardness: this.#value('hardness'),
      focus: this.#focus,
    });
  }

  #render(): void {
    const pages = Math.max(1, Math.ceil(this.#found.length / PAGE));
    this.#page = Math.min(Math.max(this.#page, 0), pages - 1);
    const start = this.#page * PAGE;
    this.#list.replaceChildren(...this.#found.slice(start, start + PAGE).map((found) => caseItem(this.#store, found)));
    this.#list.start = start + 1;
    const variants = this.#found.reduce((sum, found) => sum + found.variants.length, 0);
    this.#count.value =
      this.#found.length === 0
        ? 'No case fits.'
        : `${countOf(this.#found.length, 'example')}, ${countOf(variants, 'perturbed case')}`;
    byId('case-page', HTMLElement).textContent = `Page ${this.#page + 1} of ${pages}`;
    this.#previous.disabled = this.#page === 0;
    this.#next.disabled = this.#page === pages - 1;
    this.#renderClearButton();
  }

  #renderClearButton(): void {
    const focus = this.#focus;
    this.#clearButton.hidden = focus === null && this.#narrowing().every(({ value }) => value === '');
    const candidate = focus?.candidate == null ? '' : `: ${focus.candidate}`;
    this.#clearButton.textContent =
      focus === null ? 'Clear filters' : `Only ${focus.table} . ${focus.column}${candidate} ×`;
  }

  #refresh(): void {
    this.#page = 0;
    this.#find();
    this.#render();
  }

  #clear(): void {
    this.#focus = null;
    for (const field of this.#narrowing()) field.value = '';
  }

  #turn(by: number): void {
    this.#page += by;
    this.#render();
    this.#section.scrollIntoView();
  }

  #openCase([id = '', kind, seed]: readonly string[]): void {
    const index = this.#store.data.cases.findIndex((one) => this.#store.text(one[0]) === id);
    if (index < 0) {
      this.#count.value = `There is no case ${id} in this page.`;
      this.#section.scrollIntoView();
      return;
    }
    this.#clear();
    this.#find();
    const at = this.#found.findIndex((found) => found.index === index);
    this.#page = Math.floor(at / PAGE);
    this.#render();
    const [found, details] = [this.#found[at], this.#list.querySelector<HTMLDetailsElement>(`[data-index="${index}"]`)];
    const body = details?.querySelector<HTMLElement>('.inside');
    if (found === undefined || details == null || body == null) return;
    const variants = this.#store.data.cases[index]?.[6] ?? [];
    const variant = variants.findIndex((one) => KINDS[one[0]] === kind && String(one[1]) === seed);
    fillItem(this.#store, body, found, variant < 0 ? undefined : variant);
    details.open = true;
    details.scrollIntoView();
    details.querySelector('summary')?.focus({ preventScroll: true });
  }

  #openColumn([kind = '', database = '', table = '', column = '', candidate]: readonly string[]): void {
    this.#clear();
    this.#set('kind', kind);
    this.#set('database', database);
    this.#focus = { table, column, candidate: candidate ?? null };
    this.#refresh();
    this.#section.scrollIntoView();
  }

  /** `#case=ID/KIND/SEED` or `#find=KIND/DATABASE/TABLE/COLUMN[/CANDIDATE]`. */
  #follow(): void {
    const [, what, rest = ''] = /^#(case|find)=(.*)$/.exec(location.hash) ?? [];
    const parts = rest.split('/').map(decode);
    if (what === 'case') this.#openCase(parts);
    else if (what === 'find') this.#openColumn(parts);
  }
}
