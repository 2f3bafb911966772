import { countNoun, formatCount, formatNoun, formatPercent, formatShare } from '../../report/figures.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { groupBy } from '../../run/group-by.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageContent, type PageSection, renderFacts, renderMeters, renderPage } from '../../report/page-parts.js';
import {
  composedSections,
  describeComposed,
  describeRecomposition,
} from '../../victims/recomposition/recomposition-section.js';
import { CAPABILITIES } from '../capabilities.js';
import { ERROR_TYPES } from '../clusters/query-change.js';
import type { ConsistencyReport } from '../consistency-report.js';
import { QUERY_FEATURES } from '../query-features.js';
import { renderAccuracy } from './accuracy-section.js';
import { renderClusters } from './cluster-section.js';
import { WIDE_TABLE_STYLE } from '../../report/wide-table-style.js';
import { CONSISTENCY_STYLE } from './consistency-style.js';
import { renderHeatMap } from './heat-map.js';
import { executionFacts } from '../../victims/executions/execution-figures.js';
import { renderPaired } from '../../victims/mutants/paired-section.js';
import { renderRelations } from './relation-section.js';

/**
 * Renders `report.html` of `perturbql consistency`: one file that loads nothing and works without scripts. The same report
 * gives the same bytes.
 */
export function renderConsistencyPage(report: ConsistencyReport): string {
  const { victim, dataset, compositions } = report;
  const mutants = report.mutants ?? { cases: 0, schemas: 0 };
  const composed = compositions === undefined ? '' : ` Also asked: ${describeComposed(compositions)}.`;
  const page: PageContent = {
    title: `${victim.id} on ${dataset.format}: consistency`,
    eyebrow: html`perturbql consistency · victim ${nameHtml(victim.id)} · data set ${nameHtml(dataset.format)}`,
    headline: headlineOf(report),
    lede: html`${formatNoun(dataset.seeds, 'question')} to ${formatNoun(dataset.databases, 'database')}, and
    ${formatNoun(mutants.cases, 'mutant')} of them that ask the same in other words or of tables on
    ${formatNoun(mutants.schemas, 'changed schema')}. Victim: ${nameHtml(victim.description)}.${composed}`,
    warnings: report.warnings,
    version: report.perturbql,
    sections: pageSections(report),
    style: WIDE_TABLE_STYLE + CONSISTENCY_STYLE,
  };
  if (report.mutants !== null || compositions === undefined) return renderPage(page);
  const asked = `${describeComposed(compositions)}, to ${countNoun(dataset.databases, 'database')}`;
  return renderPage({ ...page, lede: html`${asked}. Victim: ${nameHtml(victim.description)}.` });
}

function headlineOf({ all, victim, mutants, compositions }: ConsistencyReport): string {
  if (mutants === null && compositions !== undefined) {
    return describeRecomposition(compositions) ?? `${victim.id}: nothing could be told`;
  }
  if (all.rate === null) return `${victim.id}: nothing could be told`;
  return `${formatPercent(all.rate)} of the predictions change though they must not`;
}

function pageSections(report: ConsistencyReport): PageSection[] {
  const { mutants, compositions } = report;
  return [
    ...(mutants === null ? [] : mutantSections(report)),
    ...composedSections(compositions),
    { id: 'settings', heading: 'Settings', body: renderSettings(report) },
  ];
}

function mutantSections(report: ConsistencyReport): PageSection[] {
  const order = { features: QUERY_FEATURES, hardness: HARDNESS_LEVELS };
  return [
    { id: 'relations', heading: 'By relation', link: 'Relations', body: renderRelations(report) },
    { id: 'heat', heading: 'Relation and query', link: 'Heat map', body: renderHeatMap(report, order) },
    { id: 'accuracy', heading: 'Accuracy, apart', link: 'Accuracy', body: renderAccuracy(report) },
    { id: 'paired', heading: 'Question by question', link: 'Paired', body: renderPaired(report.paired ?? []) },
    { id: 'capabilities', heading: 'Capabilities', half: true, body: renderCapabilities(report) },
    { id: 'errors', heading: 'Kinds of errors', link: 'Errors', half: true, body: renderErrorTypes(report) },
    { id: 'clusters', heading: 'Failures in clusters', link: 'Clusters', body: renderClusters(report) },
  ];
}

function renderCapabilities({ capabilities }: ConsistencyReport): Html {
  const meters = capabilities.flatMap(({ id, rate, relations }) => {
    if (rate === null) return [];
    const category = CAPABILITIES.find((one) => one.id === id)?.category ?? '';
    const label = html`${id} <span class="sub">${category}: ${relations.join(', ')}</span>`;
    return [{ label, figure: formatPercent(rate), gloss: '', share: rate, className: 'add' }];
  });
  return html`<p class="note">
      The mean rate of the relations that ask for a capability; less is better. Which relation asks for which is our
      map. Good, neutral and bad are told by comparison: perturbql consistency compare with three or more models.
    </p>
    <div class="body stacked">${renderMeters(meters)}</div>`;
}

function renderErrorTypes({ clusters }: ConsistencyReport): Html {
  const total = clusters.reduce((sum, { failures }) => sum + failures, 0);
  if (total === 0) return html`<p class="note">No prediction changed.</p>`;
  const byType = groupBy(clusters, ({ errorType }) => errorType);
  const meters = ERROR_TYPES.map((type) => {
    const failures = (byType.get(type) ?? []).reduce((sum, cluster) => sum + cluster.failures, 0);
    const share = failures / total;
    return { label: type, figure: formatCount(failures), gloss: formatShare(share), share, className: 'rpl' };
  });
  return html`<p class="note">What changed between the two predictions, in the words of the paper’s Table 8.</p>
    <div class="body stacked">${renderMeters(meters)}</div>`;
}

function renderHash(hash: string): Html {
  return html`<code title="${hash}">${hash.slice(0, 12)}</code>`;
}

function renderSettings({ settings, victim, dataset, mutants, compositions, usage }: ConsistencyReport): Html {
  const { values, metrics, fold, seed, shrinkQuestions: shrinking } = settings;
  const failed = Object.entries(usage.failures).map(([kind, count]) => `${kind} ${formatCount(count)}`);
  return html`<div class="body">
    ${renderFacts([
      ['Victim', nameHtml(victim.id)],
      ['Victim’s fingerprint', renderHash(victim.fingerprint)],
      ['Data set’s fingerprint', renderHash(dataset.fingerprint)],
      ...(mutants === null ? [] : [['Mutants', renderHash(mutants.fingerprint)] as const]),
      ...(compositions === undefined ? [] : [['Compositions', renderHash(compositions.fingerprint)] as const]),
      ['Fold', fold === null ? 'all examples' : `${fold.index} of ${fold.of}, seed ${fold.seed}`],
      ['Values in exact match', values],
      ...Object.entries(metrics).map(([metric, mode]) => [`Mode of ${metric}`, html`<code>${mode}</code>`] as const),
      ['Seed of the intervals', seed],
      ['Questions', formatCount(usage.questions)],
      ['Of them to shrink failures', `${formatCount(usage.shrinking)}, at most ${formatCount(shrinking)}`],
      ...(usage.calls === 0 ? [] : [['Calls', formatCount(usage.calls)] as const]),
      ...executionFacts(usage),
      ['Answers without SQL', failed.length === 0 ? 'none' : failed.join(', ')],
    ])}
  </div>`;
}
