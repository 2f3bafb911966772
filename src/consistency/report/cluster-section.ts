import { renderSides } from '../../report/sides.js';
import { groupBy } from '../../run/group-by.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { diffQueries, type QueryPiece } from '../../report/query-diff.js';
import type { ConsistencyReport, FailureCluster, ReportedFailure, ReportedSide } from '../consistency-report.js';
import { COMPOSED } from '../../metamorphic/counted-relation.js';
import { nameOfRelation } from './relation-section.js';

/** Most clusters shown of a relation; report.json has them all. */
const SHOWN = 12;

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

function renderExample(example: ReportedFailure): Html {
  const { id, dbId, origin, details, shrunkFrom: from, before, after, schema } = example;
  const lines = (side: Side): string => schema[side].join('\n');
  const hasSchema = schema.before.length + schema.after.length > 0;
  const asked =
    before.question === after.question
      ? html`<p>${after.question}</p>`
      : renderBlock('Question', renderDiff(before.question, after.question, inParagraph));
  return html`<p class="meta">
      The smallest example: ${nameHtml(id)}${from !== null && html`, shrunk from ${nameHtml(from)}`}, database
      ${nameHtml(origin)}${dbId !== origin && html` as ${nameHtml(dbId)}`}. ${details.join('; ')}
    </p>
    ${asked}
    ${hasSchema && renderBlock('What differs in the schema', renderDiff(lines('before'), lines('after'), inPre))}
    ${renderGold(before.gold, after.gold)} ${renderBlock('Predicted', renderPredictions(example))}`;
}

function renderCluster(cluster: FailureCluster, heading: string): Html {
  const { relation, changes, errorType: type, failures, seeds, databases, example } = cluster;
  return html`<details>
    <summary>
      <span class="question">${relation !== heading && html`${nameHtml(relation)}: `}${changes.join(', ')}</span>
      <span class="line"
        >${type} · ${formatNoun(failures, 'failure')}, ${formatNoun(seeds, 'seed')},
        ${formatNoun(databases, 'database')}</span
      >
    </summary>
    <div class="inside">${renderExample(example)}</div>
  </details>`;
}

/** Failures in clusters by relation, the largest first, each with its smallest example. */
export function renderClusters({ clusters, relations }: ConsistencyReport): Html {
  if (clusters.length === 0) return html`<p class="note">No prediction changed.</p>`;
  const byRelation = groupBy(clusters, ({ relation }) => (relation in relations ? relation : COMPOSED));
  const shown = Object.keys(relations).flatMap((relation) => {
    const own = byRelation.get(relation);
    return own === undefined ? [] : [renderRelationClusters(relation, own)];
  });
  return html`<p class="note">
      Failures of a relation whose two predictions differ in the same parts of the query, together. The words behind are
      those of the paper’s error analysis; which part counts as which is our choice.
    </p>
    ${shown}`;
}

function renderRelationClusters(relation: string, clusters: readonly FailureCluster[]): Html {
  const failures = clusters.reduce((sum, cluster) => sum + cluster.failures, 0);
  const name = nameOfRelation(relation);
  const rest = clusters.length - SHOWN;
  return html`<div class="body">
    <h3>${nameHtml(relation)}${name !== null && html`, ${name}`}</h3>
    <p class="note">${formatNoun(failures, 'failure')} in ${formatNoun(clusters.length, 'cluster')}</p>
    <div class="cases">${clusters.slice(0, SHOWN).map((cluster) => renderCluster(cluster, relation))}</div>
    ${rest > 0 && html`<p class="note">${formatCount(rest)} smaller ones are in report.json.</p>`}
  </div>`;
}
