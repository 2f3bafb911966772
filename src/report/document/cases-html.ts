import { type Html, html } from '../html.js';
import { formatCount } from '../../counts.js';
import { renderPageData } from '../page-parts.js';
import type { CaseData, CasesSection, Facet, ReportCase } from './case.js';
import { renderCase } from './case-html.js';
import { type PackedValues, packValues } from './pack-values.js';

/** A choice: its value, and the words for it if they differ. */
type Choice = string | readonly [value: string, words: string];

/** A choice of one value; `any` is the words for not choosing. */
function renderSelect(filter: string, label: string, choices: readonly Choice[], any: string | null = 'Any'): Html {
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
function renderSearch(placeholder: string): Html {
  return html`<label class="wide"
    >Search<input type="search" data-filter="search" placeholder="${placeholder}" autocomplete="off" spellcheck="false"
  /></label>`;
}

/** Most characters of cases in a page: a browser reads that much in well under a second. */
const MOST_CHARACTERS = 8_000_000;

/** Cases in the order of their statuses. */
function sortCases({ statuses, cases }: CasesSection): readonly ReportCase[] {
  const ranks = new Map(statuses.map(({ id }, i) => [id, i]));
  const rankOf = ({ status }: ReportCase): number => ranks.get(status) ?? statuses.length;
  return [...cases].sort((a, b) => rankOf(a) - rankOf(b));
}

/** As many cases as fit, the first ones; the open one is among them. */
function packCases(section: CasesSection, most: number): PackedValues {
  const sorted = sortCases(section);
  let packed = packValues(sorted);
  let kept = sorted.length;
  for (let size = JSON.stringify(packed).length; size > most && kept > 1; size = JSON.stringify(packed).length) {
    kept = Math.max(1, Math.floor((kept * most) / size) - 1);
    const open = sorted.findIndex(({ id }) => id === section.open);
    packed = packValues([...sorted.slice(0, kept), ...(open >= kept ? sorted.slice(open, open + 1) : [])]);
  }
  return packed;
}

/** Values of a facet, numbers in their order. */
function choicesOf({ id }: Facet, cases: readonly ReportCase[]): readonly string[] {
  const values = new Set(cases.flatMap(({ facets }) => facets[id] ?? []));
  return [...values].sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** Choices of a facet beyond which it is left to the search. */
const MOST_CHOICES = 2_000;

function renderFilters({ statuses, statusLabel = 'Result', facets, cases }: CasesSection): Html {
  const present = new Set(cases.map(({ status }) => status));
  const shown = statuses.filter(({ id }) => present.has(id));
  const offered = facets.flatMap((facet) => {
    const choices = choicesOf(facet, cases);
    return choices.length < 2 || choices.length > MOST_CHOICES ? [] : [renderSelect(facet.id, facet.label, choices)];
  });
  return html`<div class="filters" role="search" hidden>
    ${renderSearch('question, SQL, name, id')}
    ${
      shown.length > 1 &&
      renderSelect(
        'status',
        statusLabel,
        shown.map(({ id, label }) => [id, label] as const),
      )
    }
    ${offered}
  </div>`;
}

/** The case that is open at first. */
export function openCase(section: CasesSection): ReportCase | undefined {
  return section.cases.find(({ id }) => id === section.open) ?? sortCases(section)[0];
}

/** Cases with their filters and their list, for the page's script, and the one that is open. */
export function renderCasesSection(section: CasesSection, most = MOST_CHARACTERS): Html {
  const { noun, statuses, cases, allIn = 'report.json' } = section;
  const open = openCase(section);
  if (open === undefined) return html`<p class="note">There is no ${noun}.</p>`;
  const packed = packCases(section, most);
  const kept = packed.roots.length;
  const data: CaseData = { noun, statuses, open: open.id, packed };
  return html`<div class="browser" id="case-browser">
    ${renderFilters(section)}
    <div class="found">
      <output aria-live="polite" id="case-count"
        >${formatCount(cases.length)} ${noun}${cases.length !== 1 && 's'}</output
      >
      <span class="keys" id="case-keys" hidden><kbd>j</kbd> next · <kbd>k</kbd> previous</span>
    </div>
    ${
      kept < cases.length &&
      html`<p class="note">This page holds the first ${formatCount(kept)}; ${allIn} has them all.</p>`
    }
    <div class="panes">
      <div class="case-list" id="case-list" role="region" aria-label="List of ${noun}s" tabindex="0" hidden></div>
      <div class="case-open" id="case-open">
        ${renderCase(
          open,
          statuses.find(({ id }) => id === open.status),
        )}
      </div>
    </div>
    ${renderPageData('case-data', data)}
  </div>`;
}
