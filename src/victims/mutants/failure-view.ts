import { type Html, html, nameHtml } from '../../report/html.js';
import { diffQueries, type QueryPiece } from '../../report/query-diff.js';
import { renderSides } from '../../report/sides.js';
import type { ReportedFailure, ReportedSide } from './failure-report.js';

type Side = 'before' | 'after';

const renderPieces = (pieces: readonly QueryPiece[], side: Side): Html[] =>
  pieces.map(({ text, changed }) => {
    if (!changed || text.trim() === '') return html`${text}`;
    return side === 'before' ? html`<mark class="stale">${text}</mark>` : html`<mark class="add">${text}</mark>`;
  });

/** Both sides of a text with what differs marked. */
function renderDiff(before: string, after: string, wrap: (content: Html[]) => Html): readonly [Html, Html] {
  const { before: first, after: second } = diffQueries(before, after);
  return [wrap(renderPieces(first, 'before')), wrap(renderPieces(second, 'after'))];
}

const inPre = (content: Html[]): Html => html`<pre>${content}</pre>`;
const inParagraph = (content: Html[]): Html => html`<p>${content}</p>`;

function renderBlock(what: string, [before, after]: readonly [Html, Html]): Html {
  return renderSides({ label: `${what}, seed`, content: before }, { label: `${what}, mutant`, content: after });
}

const verdictOf = (name: string, outcome: string | null): Html | false =>
  outcome !== null && html`<span class="verdict ${outcome === 'correct' ? 'good' : 'bad'}">${name}: ${outcome}</span>`;

function renderAnswer({ exact, execution, failure }: ReportedSide, sql: Html | null): Html {
  const words = sql ?? html`<p class="none">no SQL${failure !== null && html`: ${failure}`}</p>`;
  return html`${words}
    <div class="verdicts">${verdictOf('exact match', exact)}${verdictOf('execution', execution)}</div>`;
}

function renderPredictions({ before, after }: ReportedFailure): readonly [Html, Html] {
  const [first, second] = renderDiff(before.predicted ?? '', after.predicted ?? '', inPre);
  return [
    renderAnswer(before, before.predicted === null ? null : first),
    renderAnswer(after, after.predicted === null ? null : second),
  ];
}

function renderGold(before: string | null, after: string | null): Html | false {
  if (before === null || after === null) return false;
  return before === after
    ? renderSides({ label: 'Gold', content: inPre([html`${after}`]) })
    : renderBlock('Gold', renderDiff(before, after, inPre));
}

/** A mutant next to its seed: question, schema, gold and predictions, with what differs marked. */
export function renderFailure(failure: ReportedFailure, lead: string): Html {
  const { id, dbId, origin, details, shrunkFrom: from, before, after, schema } = failure;
  const lines = (side: Side): string => schema[side].join('\n');
  const hasSchema = schema.before.length + schema.after.length > 0;
  const asked =
    before.question === after.question
      ? html`<p>${after.question}</p>`
      : renderBlock('Question', renderDiff(before.question, after.question, inParagraph));
  return html`<p class="meta">
      ${lead}: ${nameHtml(id)}${from !== null && html`, shrunk from ${nameHtml(from)}`}, database
      ${nameHtml(origin)}${dbId !== origin && html` as ${nameHtml(dbId)}`}. ${details.join('; ')}
    </p>
    ${asked}
    ${hasSchema && renderBlock('What differs in the schema', renderDiff(lines('before'), lines('after'), inPre))}
    ${renderGold(before.gold, after.gold)} ${renderBlock('Predicted', renderPredictions(failure))}`;
}
