import { describeConstraint } from './constraint-text.js';
import { groupBy } from '../../run/group-by.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import { renderQueryPair } from '../../report/sides.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import type { ReportedNeighbor, ReportedSchema, SuiteReport } from './suite-report.js';

/** Most queries shown of a schema; report.json has them all. */
const SHOWN = 60;

function renderNeighbor({ gold, neighbor, kind, detail, reason }: ReportedNeighbor): Html {
  return html`<li>
    <p><span class="tag">${kind}</span> ${detail}</p>
    <p class="note">${reason}</p>
    ${renderQueryPair(['Gold SQL', gold], ['Neighbor', neighbor])}
  </li>`;
}

function renderMore(all: number): Html | false {
  return all > SHOWN && html`<p class="note">${formatCount(all - SHOWN)} more are in report.json.</p>`;
}

function renderFold(name: string, count: number, inside: Html): Html {
  return html`<details>
    <summary>${nameHtml(name)} <span class="dot">${formatCount(count)}</span></summary>
    <div class="inside">${inside}</div>
  </details>`;
}

function renderBySchema(neighbors: readonly ReportedNeighbor[]): Html {
  return html`<div class="body">
    ${[...groupBy(neighbors, ({ dbId }) => dbId)].map(([dbId, own]) =>
      renderFold(
        dbId,
        own.length,
        html`<ul class="neighbors">
            ${own.slice(0, SHOWN).map(renderNeighbor)}
          </ul>
          ${renderMore(own.length)}`,
      ),
    )}
  </div>`;
}

/** What no database tells from its gold, schema by schema. */
export function renderLeft({ left, totals }: SuiteReport): Html {
  if (left.length === 0) return html`<p class="note">Every neighbor that is not equivalent is distinguished.</p>`;
  return html`<p class="note">
      ${formatNoun(totals.left, 'neighbor')} that no database of the suite tells from the gold, and what was tried. Many
      mean the same in ways that nothing here proves.
    </p>
    ${renderBySchema(left)}`;
}

/** What the databases keep to, and the neighbors that are equivalent under it. */
export function renderConstraints({ schemas, equivalentUnderData }: SuiteReport): Html {
  const constrained = schemas.filter(({ constraints }) => constraints.length > 0);
  if (constrained.length === 0) return html`<p class="note">Databases keep to what SQLite itself asks for.</p>`;
  return html`<p class="note">
      Every database keeps to what the schema declares and what all rows of the original show, with the evidence for
      each.
    </p>
    <div class="body">
      ${constrained.map(({ dbId, constraints }) =>
        renderFold(
          dbId,
          constraints.length,
          html`<ul>
            ${constraints.map((one) => html`<li>${describeConstraint(one)}</li>`)}
          </ul>`,
        ),
      )}
    </div>
    ${
      equivalentUnderData.length > 0 &&
      html`<p class="note">
          ${formatNoun(equivalentUnderData.length, 'neighbor')} that no database can tell from the gold that keeps to
          it, with the reason. They are counted apart.
        </p>
        ${renderBySchema(equivalentUnderData)}`
    }`;
}

interface DoubtfulGold {
  readonly dbId: string;
  readonly sql: string;
  readonly reason: string | null;
}

function renderGolds(heading: string, note: string, golds: readonly DoubtfulGold[]): Html | false {
  if (golds.length === 0) return false;
  return html`<details>
    <summary>${formatNoun(golds.length, 'gold query', 'gold queries')} ${heading}</summary>
    <div class="inside">
      <p class="note">${note}</p>
      <ul class="neighbors">
        ${golds.slice(0, SHOWN).map(
          ({ dbId, sql, reason }) =>
            html`<li>
              <p class="note">${nameHtml(dbId)}${reason !== null && `: ${reason}`}</p>
              <pre>${sql}</pre>
            </li>`,
        )}
      </ul>
      ${renderMore(golds.length)}
    </div>
  </details>`;
}

/** Golds whose verdicts want a second look. */
export function renderDoubts({ schemas }: SuiteReport): Html {
  const plain = (of: (schema: ReportedSchema) => readonly string[]): readonly DoubtfulGold[] =>
    schemas.flatMap((schema) => of(schema).map((sql) => ({ dbId: schema.dbId, sql, reason: null })));
  const unread = schemas.flatMap(({ dbId, unreadGolds }) => unreadGolds.map((gold) => ({ dbId, ...gold })));
  const parts = [
    renderGolds(
      'whose result depends on the order of rows',
      'Ties at a LIMIT, or columns next to GROUP BY that are not grouped, on every database: a query that means the same may give another result.',
      plain(({ indeterminateGolds }) => indeterminateGolds),
    ),
    renderGolds(
      'judged by a part of the result',
      'The order of rows decides some of it on these databases. What counts: the number of rows, the columns that do not depend on it, and that all values are among those that some order gives.',
      plain(({ partialGolds }) => partialGolds),
    ),
    renderGolds(
      'without a row on any database',
      'A wrong prediction that finds nothing agrees with it everywhere.',
      plain(({ emptyGolds }) => emptyGolds),
    ),
    renderGolds('that can’t be read or executed', 'They have no neighbors.', unread),
  ];
  if (parts.every((part) => part === false)) {
    return html`<p class="note">
      None: every gold query finds rows, and gives one result whatever the order of rows.
    </p>`;
  }
  return html`<div class="body">${parts}</div>`;
}
