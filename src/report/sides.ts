import { type Html, html } from './html.js';
import { diffQueries, type QueryPiece } from './query-diff.js';

/** One of two things to compare, under its label. */
export interface Side {
  readonly label: Html | string;
  readonly content: Html;
}

function renderSide(className: string, { label, content }: Side): Html {
  return html`<div class="${className}">
    <p class="label">${label}</p>
    ${content}
  </div>`;
}

/** Two things next to each other where there is room; one alone has the whole width. */
export function renderSides(before: Side, after: Side | null = null): Html {
  return html`<div class="pair${after === null && ' one'}">
    ${renderSide('before', before)}${after !== null && renderSide('after', after)}
  </div>`;
}

function renderPiece({ text, changed }: QueryPiece): Html {
  return changed && text.trim() !== '' ? html`<mark>${text}</mark>` : html`${text}`;
}

/** Two queries under their labels with what differs marked. */
export function renderQueryPair([labelBefore, before]: LabeledQuery, [labelAfter, after]: LabeledQuery): Html {
  const pieces = diffQueries(before, after);
  return renderSides(
    { label: labelBefore, content: html`<pre>${pieces.before.map(renderPiece)}</pre>` },
    { label: labelAfter, content: html`<pre>${pieces.after.map(renderPiece)}</pre>` },
  );
}

type LabeledQuery = readonly [label: string, sql: string];
