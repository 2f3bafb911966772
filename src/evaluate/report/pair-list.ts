import { formatCount, formatNoun, type Html, html, nameHtml } from '../../report/html.js';
import { renderScroller } from '../../report/page-parts.js';
import { diffQueries, foldToken, type QueryPiece } from '../../report/query-diff.js';
import { HARDNESS_LEVELS } from '../exact/hardness.js';
import { type PlainCounterexample, type PlainResult, shownValue } from '../suite/plain-counterexample.js';
import type { PairVerdicts, SuiteEntry, VerdictEntry } from '../verdict-lines.js';
import { differingRows } from './differing-rows.js';
import { metricTitle, type PageMetric } from './score-tables.js';

/** Pairs that a page holds at most: some megabytes. */
const MOST_PAIRS = 2_000;

/** A pair that is not correct on the suite. */
interface WrongPair {
  readonly pair: PairVerdicts;
  readonly entry: SuiteEntry;
}

/** The pairs that are not correct on the suite. */
export function wrongPairs(pairs: readonly PairVerdicts[]): readonly WrongPair[] {
  return pairs.flatMap((pair) =>
    pair.suite === undefined || pair.suite.outcome === 'correct' ? [] : [{ pair, entry: pair.suite }],
  );
}

function resultTable(label: string, result: PlainResult, marked: ReadonlySet<number> = new Set()): Html {
  const { columns, rows, count } = result;
  const cell = (text: string): Html | string => (text === '' ? html`<i>(empty)</i>` : html`<bdi>${text}</bdi>`);
  const row = (values: PlainResult['rows'][number], i: number): Html =>
    html`<tr class="${marked.has(i) ? 'differs' : ''}">
      ${values.map((value) => html`<td class="${value === null ? 'zero' : ''}">${cell(shownValue(value))}</td>`)}
    </tr>`;
  const more = count > rows.length && html`<p class="note">and ${formatNoun(count - rows.length, 'more row')}</p>`;
  return html`${renderScroller(
    label,
    html`<table>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col">${nameHtml(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
    </table>`,
  )}${count === 0 && html`<p class="note">no rows</p>`}${more}`;
}

function queryHtml(pieces: readonly QueryPiece[]): Html {
  return html`<pre>${pieces.map(({ text, changed }) => (changed ? html`<u>${text}</u>` : text))}</pre>`;
}

function side(className: string, label: string, content: Html): Html {
  return html`<div class="${className}">
    <p class="label">${label}</p>
    ${content}
  </div>`;
}

function exampleHtml(example: PlainCounterexample, isAnyColumn: boolean): Html {
  const { database, tables, gold, predicted } = example;
  const hasFailed = 'failure' in predicted;
  const marks = hasFailed ? null : differingRows(gold, predicted, isAnyColumn);
  return html`<h4>Rows of ${nameHtml(database)} that show it</h4>
    <div class="small-tables">
      ${tables.map(({ name, ...content }) => side('before', name, resultTable(`Rows of ${name}`, content)))}
    </div>
    <h4>Results on these rows</h4>
    <div class="pair">
      ${side('before', `Gold, ${formatNoun(gold.count, 'row')}`, resultTable('Result of the gold', gold, marks?.gold))}
      ${
        hasFailed
          ? side('after', 'Prediction', html`<p class="none">${predicted.failure}</p>`)
          : side(
              'after',
              `Prediction, ${formatNoun(predicted.count, 'row')}`,
              resultTable('Result of the prediction', predicted, marks?.predicted),
            )
      }
    </div>`;
}

function chip(metric: PageMetric, entry: VerdictEntry | undefined): Html | null {
  if (entry === undefined) return null;
  const isCorrect = entry.outcome === 'correct';
  const text = `${isCorrect ? '✓' : '✗'} ${metricTitle(metric)}${isCorrect ? '' : `: ${entry.outcome}`}`;
  return html`<span class="verdict ${isCorrect ? 'good' : 'bad'}">${text}</span>`;
}

function pairItem({ pair, entry }: WrongPair, metrics: readonly PageMetric[], isAnyColumn: boolean): Html {
  const { id, db_id, hardness, gold, predicted } = pair;
  const { counterexample, outcome, reason, databases, plugged } = entry;
  const shown = plugged ?? predicted;
  const { before, after } = diffQueries(gold, shown, foldToken);
  return html`<li data-hardness="${hardness ?? 'unknown'}" data-outcome="${outcome}" data-database="${db_id}">
    <details>
      <summary>
        <span class="question">${gold}</span>
        <span class="line"
          ><span class="meta">${nameHtml(id)} · ${nameHtml(db_id)} · ${hardness ?? 'unknown'}</span>${metrics.map(
            (metric) => chip(metric, pair[metric]),
          )}</span
        >
      </summary>
      <div class="inside">
        <div class="pair">
          ${side('before', 'Gold', queryHtml(before))}
          ${side(
            'after',
            plugged === undefined ? 'Prediction' : 'Prediction, with the gold’s values',
            shown === '' ? html`<p class="none">No answer.</p>` : queryHtml(after),
          )}
        </div>
        <p class="note">
          Executed on ${formatNoun(databases, 'database')}.
          ${entry.differsOn !== undefined && html`The results first differ on ${nameHtml(entry.differsOn)}.`}
          ${reason !== undefined && html`<br />${reason}`}
        </p>
        ${counterexample !== undefined && exampleHtml(counterexample, isAnyColumn)}
      </div>
    </details>
  </li>`;
}

function select(filter: string, label: string, choices: readonly string[]): Html {
  return html`<label
    >${label}<select data-filter="${filter}">
      <option value="">Any</option>
      ${choices.map((value) => html`<option value="${value}">${value}</option>`)}
    </select></label
  >`;
}

function filters(wrong: readonly WrongPair[]): Html {
  const databases = [...new Set(wrong.map(({ pair }) => pair.db_id))].sort();
  const outcomes = [...new Set(wrong.map(({ entry }) => entry.outcome))].sort();
  const levels = [...HARDNESS_LEVELS, 'unknown'].filter((level) =>
    wrong.some(({ pair }) => (pair.hardness ?? 'unknown') === level),
  );
  return html`<div class="filters" role="search" id="pair-filters" hidden>
    <label class="wide"
      >Search<input
        type="search"
        data-filter="search"
        placeholder="SQL, name, id"
        autocomplete="off"
        spellcheck="false"
    /></label>
    ${select('outcome', 'Outcome', outcomes)} ${select('hardness', 'Hardness', levels)}
    ${select('database', 'Database', databases)}
  </div>`;
}

/** The pairs that are wrong on the suite, each with why; found by filters where scripts run. */
export function renderPairs(
  pairs: readonly PairVerdicts[],
  metrics: readonly PageMetric[],
  { isAnyColumn }: { readonly isAnyColumn: boolean },
): Html {
  const all = wrongPairs(pairs);
  if (all.length === 0) return html`<p class="note">There are none.</p>`;
  const wrong = all.slice(0, MOST_PAIRS);
  const part =
    wrong.length < all.length &&
    html` This page holds the first ${formatCount(wrong.length)} of ${formatNoun(all.length, 'pair')}; --verdicts has
    them all.`;
  return html`<p class="note">
      Each with the fewest rows found on which the results differ; rows that the other result lacks are marked.${part}
    </p>
    <div class="body browser">
      ${filters(wrong)}
      <div class="found"><output aria-live="polite" id="pair-count">${formatNoun(wrong.length, 'pair')}</output></div>
      <ol class="cases" id="pair-list">
        ${wrong.map((one) => pairItem(one, metrics, isAnyColumn))}
      </ol>
    </div>`;
}
