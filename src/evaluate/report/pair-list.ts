import { renderFilteredList, renderSelect } from '../../report/filtered-list.js';
import { renderSides } from '../../report/sides.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import { type Html, html, nameHtml, rawHtml } from '../../report/html.js';
import { diffQueries, foldToken, type QueryPiece } from '../../report/query-diff.js';
import type { SuiteFields } from '../kinds/suite-kind.js';
import { OUTCOMES } from '../metric.js';
import type { PairMetric } from '../metrics.js';
import { HARDNESS_LEVELS } from '../exact/hardness.js';
import {
  ONE_OF_SEVERAL,
  type PlainCounterexample,
  type PlainResult,
  shownValue,
} from '../suite/plain-counterexample.js';
import type { PairVerdicts, VerdictEntry } from '../verdict-lines.js';
import { differingRows } from './differing-rows.js';
import { renderResultTable } from './result-table.js';
import { metricTitle } from './score-tables.js';

/** Pairs that a page holds at most: some megabytes. */
const MOST_PAIRS = 2_000;

/** The pairs that some metric does not find correct. */
export function wrongPairs(pairs: readonly PairVerdicts[], metrics: readonly PairMetric[]): readonly PairVerdicts[] {
  return pairs.filter((pair) => metrics.some((metric) => (pair[metric]?.outcome ?? 'correct') !== 'correct'));
}

function resultTable(label: string, result: PlainResult, marked: ReadonlySet<number> = new Set()): Html {
  const { columns, rows, count } = result;
  const cell = (text: string): Html | string => (text === '' ? html`<i>(empty)</i>` : html`<bdi>${text}</bdi>`);
  const row = (values: PlainResult['rows'][number], i: number): Html =>
    html`<tr class="${marked.has(i) ? 'differs' : ''}">
      ${values.map((value) => html`<td class="${value === null ? 'zero' : ''}">${cell(shownValue(value))}</td>`)}
    </tr>`;
  const more = count > rows.length && html`<p class="note">and ${formatNoun(count - rows.length, 'more row')}</p>`;
  return html`${renderResultTable(label, columns, rows.map(row))}${count === 0 && html`<p class="note">no rows</p>`}${more}`;
}

function queryHtml(pieces: readonly QueryPiece[]): Html {
  return html`<pre>${pieces.map(({ text, changed }) => (changed ? html`<u>${text}</u>` : text))}</pre>`;
}

function exampleHtml(example: PlainCounterexample, isAnyColumn: boolean): Html {
  const { database, tables, gold, predicted } = example;
  const hasFailed = 'failure' in predicted;
  const marks = hasFailed ? null : differingRows(gold, predicted, isAnyColumn);
  return html`<h4>Rows of ${nameHtml(database)} that show it</h4>
    <div class="small-tables">
      ${tables.map(
        ({ name, ...content }) =>
          html`<div>
            <p class="label">${name}</p>
            ${resultTable(`Rows of ${name}`, content)}
          </div>`,
      )}
    </div>
    <h4>Results on these rows</h4>
    ${example.isGoldPartial === true && html`<p class="note">${ONE_OF_SEVERAL}</p>`}
    ${renderSides(
      {
        label: `Gold, ${formatNoun(gold.count, 'row')}`,
        content: resultTable('Result of the gold', gold, marks?.gold),
      },
      hasFailed
        ? { label: 'Prediction', content: html`<p class="none">${predicted.failure}</p>` }
        : {
            label: `Prediction, ${formatNoun(predicted.count, 'row')}`,
            content: resultTable('Result of the prediction', predicted, marks?.predicted),
          },
    )}`;
}

function chip(metric: PairMetric, entry: VerdictEntry | undefined): Html | null {
  if (entry === undefined) return null;
  const isCorrect = entry.outcome === 'correct';
  const text = `${isCorrect ? '✓' : '✗'} ${metricTitle(metric)}${isCorrect ? '' : `: ${entry.outcome}`}`;
  return html`<span class="verdict ${isCorrect ? 'good' : 'bad'}">${text}</span>`;
}

function suiteNote({ databases, differsOn }: SuiteFields): Html {
  return html`<p class="note">
    Executed on ${formatNoun(databases, 'database')} of the suite.
    ${differsOn !== undefined && html`The results first differ on ${nameHtml(differsOn)}.`}
  </p>`;
}

function reasonNotes(pair: PairVerdicts, metrics: readonly PairMetric[]): (Html | false)[] {
  return metrics.map((metric) => {
    const reason = pair[metric]?.reason;
    return reason !== undefined && html`<p class="note">${metricTitle(metric)}: ${reason}</p>`;
  });
}

function pairItem(pair: PairVerdicts, metrics: readonly PairMetric[], isAnyColumn: boolean): Html {
  const { id, db_id, hardness, gold, predicted, suite } = pair;
  const plugged = (suite ?? pair.execution)?.plugged;
  const shown = plugged ?? predicted;
  const { before, after } = diffQueries(gold, shown, foldToken);
  const outcomes = metrics.map((metric) => html` data-${rawHtml(metric)}="${pair[metric]?.outcome ?? ''}"`);
  return html`<li data-hardness="${hardness ?? 'unknown'}" data-database="${db_id}" ${outcomes}>
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
        ${renderSides(
          { label: 'Gold', content: queryHtml(before) },
          {
            label: plugged === undefined ? 'Prediction' : 'Prediction, with the gold’s values',
            content: shown === '' ? html`<p class="none">No answer.</p>` : queryHtml(after),
          },
        )}
        ${reasonNotes(pair, metrics)} ${suite !== undefined && suiteNote(suite)}
        ${suite?.counterexample !== undefined && exampleHtml(suite.counterexample, isAnyColumn)}
      </div>
    </details>
  </li>`;
}

function selects(pairs: readonly PairVerdicts[], metrics: readonly PairMetric[]): readonly Html[] {
  const databases = [...new Set(pairs.map(({ db_id }) => db_id))].sort();
  const levels = [...HARDNESS_LEVELS, 'unknown'].filter((level) =>
    pairs.some(({ hardness }) => (hardness ?? 'unknown') === level),
  );
  return [
    ...metrics.map((metric) => {
      const met = new Set(pairs.map((pair) => pair[metric]?.outcome));
      return renderSelect(
        metric,
        metricTitle(metric),
        OUTCOMES.filter((outcome) => met.has(outcome)),
      );
    }),
    renderSelect('hardness', 'Hardness', levels),
    renderSelect('database', 'Database', databases),
  ];
}

/** The pairs that some metric does not find correct, each with why; found by filters where scripts run. */
export function renderPairs(
  pairs: readonly PairVerdicts[],
  metrics: readonly PairMetric[],
  { isAnyColumn }: { readonly isAnyColumn: boolean },
): Html {
  const all = wrongPairs(pairs, metrics);
  if (all.length === 0) return html`<p class="note">There are none.</p>`;
  const wrong = all.slice(0, MOST_PAIRS);
  const part =
    wrong.length < all.length &&
    html` This page holds the first ${formatCount(wrong.length)} of ${formatNoun(all.length, 'pair')}; --verdicts has
    them all.`;
  const rows =
    metrics.includes('suite') &&
    html` Where the suite distinguishes gold and prediction, the fewest rows found on which the results differ; rows
    that the other result lacks are marked.`;
  return html`<p class="note">
      Pairs that are not correct by one metric or more. What differs between the queries is underlined.${rows}${part}
    </p>
    <div class="body browser">
      ${renderFilteredList({
        id: 'pair',
        noun: 'pair',
        placeholder: 'SQL, name, id',
        selects: selects(wrong, metrics),
        items: wrong.map((one) => pairItem(one, metrics, isAnyColumn)),
      })}
    </div>`;
}
