import { formatCount } from '../../counts.js';
import { type Html, html, nameHtml } from '../html.js';
import type {
  CaseColumn,
  CaseQuery,
  CaseRows,
  CaseSide,
  CaseStatus,
  CaseTable,
  QuestionPart,
  ReportCase,
} from './case.js';
import { renderDifference, renderQuery } from './query-html.js';

// The page's script renders cases too: nothing here may need Node.

/** The address of a case in its page. */
export function caseHref(id: string): string {
  return `#case=${encodeURIComponent(id)}`;
}

/** A verdict as a small tag. */
function renderVerdict({ label, tone }: Pick<CaseStatus, 'label' | 'tone'>): Html {
  return html`<span class="verdict ${tone}">${label}</span>`;
}

const SIGNS = { renamed: '', added: '+ ', removed: '− ' } as const;

function renderColumn({ name, change }: CaseColumn): Html {
  if (change === null) return nameHtml(name);
  return html`<mark class="${change}">${SIGNS[change]}${nameHtml(name)}</mark>`;
}

function renderCaseTable({ name, columns }: CaseTable): Html {
  const listed = columns.map((column, i) => html`${i > 0 && ' · '}${renderColumn(column)}`);
  return html`<p class="table"><span class="dot">${nameHtml(name)}: </span>${listed}</p>`;
}

/** A question with the parts that come from two others distinguished by line and by shade. */
function renderParts(parts: readonly QuestionPart[]): Html {
  return html`${parts.map(({ text, of }) =>
    of === null ? text : html`<mark class="${of}" title="from the ${of} parent">${text}</mark>`,
  )}`;
}

function renderAnswer({ asked, sql, against, note, verdicts }: CaseQuery, { marks }: CaseSide): Html {
  return html`${asked !== undefined && html`<p class="asked">${renderParts(asked)}</p>`}
  ${sql !== null && renderQuery(sql, marks, against)}
  ${note !== null && html`<p class="${sql === null ? 'none' : 'sub'}">${note}</p>`}
  ${verdicts.length > 0 && html`<p class="verdicts">${verdicts.map((verdict) => renderVerdict(verdict))}</p>`}`;
}

function cellText(value: string | number | null): Html {
  if (value === null) return html`<i>NULL</i>`;
  return value === '' ? html`<i>(empty)</i>` : html`<bdi>${value}</bdi>`;
}

/** Characters of a cell from which on it needs the room of a few words in a line, where a phone has little. */
const LONG = 40;

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length >= LONG;

function renderRows({ label, columns, rows, count, differing }: CaseRows, side?: string): Html {
  const rest = count - rows.length;
  const marked = new Set(differing);
  return html`<div
      class="result"
      role="region"
      aria-label="${side === undefined ? label : `${label}, ${side}`}"
      tabindex="0"
    >
      <table>
        <thead>
          <tr>
            ${columns.map((name) => html`<th scope="col">${nameHtml(name)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row, i) =>
              html`<tr ${marked.has(i) && html`class="differs"`}>
                ${row.map((value) => html`<td ${isLong(value) && html`class="long"`}>${cellText(value)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      (count === 0 || rest > 0) &&
      html`<p class="sub">
        ${count === 0 ? 'No rows.' : `and ${formatCount(rest)} more of ${formatCount(count)} rows`}
      </p>`
    }`;
}

/** A part of each side under its label, next to each other where there is room; once where both sides have the same. */
function renderPair(label: string, parts: readonly (Html | false | null)[], sides: readonly string[]): Html | false {
  const [first = null, ...others] = parts;
  if (parts.every((part) => part === false || part === null)) return false;
  const isShared = others.length > 0 && others.every((part) => String(part) === String(first));
  if (isShared) return renderPair(`${label}, the same in both`, [first], []);
  return html`<div class="pair${parts.length === 1 && ' one'}">
    ${parts.map(
      (part, i) =>
        html`<div class="${i === 0 ? 'before' : 'after'}">
          <p class="label">${label}${parts.length > 1 && html`<span class="of">, ${sides[i] ?? ''}</span>`}</p>
          ${part === false || part === null ? html`<p class="sub">none</p>` : part}
        </div>`,
    )}
  </div>`;
}

/** Labels of the queries or results of all sides, in order. */
function labelsOf(parts: readonly (readonly { readonly label: string }[])[]): readonly string[] {
  return [...new Set(parts.flatMap((list) => list.map(({ label }) => label)))];
}

/** Rows that belong to no side alone, next to each other where there is room. */
function renderGiven(given: readonly CaseRows[]): Html | false {
  if (given.length === 0) return false;
  return html`<div class="given">
    ${given.map(
      (rows) =>
        html`<div>
          <p class="label">${rows.label}</p>
          ${renderRows(rows)}
        </div>`,
    )}
  </div>`;
}

/** A case with all that is known of it. */
export function renderCase(one: ReportCase, status: CaseStatus | undefined): Html {
  const { sides } = one;
  const names = sides.map(({ label }) => label);
  const asked = sides.map(({ question }, i) => {
    const other = sides[1 - i]?.question ?? null;
    return question !== null && html`<p>${other === null ? question : renderDifference(question, other)}</p>`;
  });
  const tables = sides.map((side) => side.tables.length > 0 && html`${side.tables.map(renderCaseTable)}`);
  const queries = labelsOf(sides.map((side) => side.queries)).map((label) =>
    renderPair(
      label,
      sides.map((side) => {
        const query = side.queries.find((own) => own.label === label);
        return query !== undefined && renderAnswer(query, side);
      }),
      names,
    ),
  );
  const results = labelsOf(sides.map((side) => side.results)).map((label) =>
    renderPair(
      label,
      sides.map((side) => {
        const result = side.results.find((own) => own.label === label);
        return result !== undefined && renderRows(result, side.label);
      }),
      names,
    ),
  );
  return html`<article class="case" aria-label="Case ${one.id}">
    <h3>${one.parts === undefined ? one.question : renderParts(one.parts)}</h3>
    <p class="verdicts">${status !== undefined && renderVerdict(status)} <span class="meta">${one.gloss}</span></p>
    ${one.reason !== null && html`<p class="reason">${one.reason}</p>`}
    ${
      sides.length > 1 &&
      html`<div class="pair heads">
        ${names.map((name, i) => html`<h4 class="${i === 0 ? 'before' : 'after'}">${name}</h4>`)}
      </div>`
    }
    ${renderPair('Question', asked, names)} ${renderPair('Tables', tables, names)} ${queries}
    ${renderGiven(one.given ?? [])} ${results}
    <p class="meta">
      ${one.notes.map((note) => `${note} `)}${nameHtml(Object.values(one.facets).join(' · '))} ·
      <a href="${caseHref(one.id)}">Link to this case</a>
    </p>
  </article>`;
}

/** A case as a line of the list. */
export function renderCaseLine(one: ReportCase, status: CaseStatus | undefined, isOpen: boolean): Html {
  return html`<a href="${caseHref(one.id)}" class="${status?.tone ?? 'soft'}" ${isOpen && html` aria-current="true"`}>
    <span class="question">${one.question}</span>
    <span class="line">${status !== undefined && html`<b>${status.label}</b> · `}${one.gloss}</span>
  </a>`;
}
