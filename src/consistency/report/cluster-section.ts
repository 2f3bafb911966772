import { groupBy } from '../../run/group-by.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { renderCase } from '../../report/document/case-html.js';
import { failureCase } from '../../victims/mutants/failure-case.js';
import type { ConsistencyReport, FailureCluster } from '../consistency-report.js';
import { COMPOSED } from '../../metamorphic/counted-relation.js';
import { nameOfRelation } from './relation-section.js';

/** Most clusters shown of a relation; report.json has them all. */
const SHOWN = 12;

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
    <div class="inside">${renderCase(failureCase(example, 'broken'), undefined)}</div>
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
