import { countNoun, formatCount, formatNoun, formatPercent, formatShare } from '../../report/figures.js';
import { HARDNESS_LEVELS } from '../../evaluate/exact/hardness.js';
import { groupBy } from '../../run/group-by.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageContent, type PageSection, renderFacts, renderMeters, renderPage } from '../../report/page-parts.js';
import {
  composedCases,
  composedChapters,
  describeComposed,
  describeRecomposition,
} from '../../victims/recomposition/recomposition-section.js';
import { CAPABILITIES } from '../capabilities.js';
import { ERROR_TYPES, type QueryChange } from '../clusters/query-change.js';
import type { ExpectedAnswer } from '../../metamorphic/expected-answer.js';
import type { ConsistencyReport } from '../consistency-report.js';
import { expectedIn, figuresExpecting, relationsExpecting } from '../expected-figures.js';
import { QUERY_FEATURES } from '../query-features.js';
import { renderAccuracy } from './accuracy-section.js';
import { renderClusters } from './cluster-section.js';
import { WIDE_TABLE_STYLE } from '../../report/wide-table-style.js';
import { CONSISTENCY_STYLE } from './consistency-style.js';
import { renderHeatMap } from './heat-map.js';
import { executionFacts } from '../../victims/executions/execution-figures.js';
import { renderCase } from '../../report/document/case-html.js';
import { DOCUMENT_STYLE } from '../../report/document/document-style.js';
import { renderChapter } from '../../report/document/render-document.js';
import { renderSection } from '../../report/document/section-html.js';
import { pairedTable } from '../../victims/mutants/paired-section.js';
import { apartSections, renderRelations } from './relation-section.js';

/**
 * Renders `report.html` of `perturbql consistency`: one file that loads nothing and works without scripts. The same report
 * gives the same bytes.
 */
export function renderConsistencyPage(report: ConsistencyReport): string {
  const { victim, dataset, compositions } = report;
  const composed = compositions === undefined ? '' : ` Also asked: ${describeComposed(compositions)}.`;
  const page: PageContent = {
    title: `${victim.id} on ${dataset.format}: consistency`,
    eyebrow: html`perturbql consistency · victim ${nameHtml(victim.id)} · data set ${nameHtml(dataset.format)}`,
    headline: headlineOf(report),
    lede: html`${describeAsked(report)} Victim: ${nameHtml(victim.description)}.${composed}`,
    warnings: report.warnings,
    version: report.perturbql,
    sections: pageSections(report),
    style: WIDE_TABLE_STYLE + CONSISTENCY_STYLE + DOCUMENT_STYLE,
  };
  if (report.mutants !== null || compositions === undefined) return renderPage(page);
  const asked = `${describeComposed(compositions)}, to ${countNoun(dataset.databases, 'database')}`;
  return renderPage({ ...page, lede: html`${asked}. Victim: ${nameHtml(victim.description)}.` });
}

function headlineOf({ all, victim, mutants, compositions }: ConsistencyReport): string {
  if (mutants === null && compositions !== undefined) {
    return describeRecomposition(compositions) ?? `${victim.id}: nothing could be told`;
  }
  const [expected = 'kept'] = expectedIn({ all });
  const rate = figuresExpecting(all, expected)?.rate ?? null;
  if (rate === null) return `${victim.id}: nothing could be told`;
  return `${formatPercent(rate)} of the ${HEADLINES[expected]}`;
}

/** What the headline's figure is of: mutants whose answer must stay, where there are some. */
const HEADLINES: Readonly<Record<ExpectedAnswer, string>> = {
  kept: 'predictions change though they must not',
  'other-query': 'changed questions are answered wrong',
  unanswerable: 'unanswerable questions are not refused',
};

/** What was asked: mutants whose answer must stay first, those of which another or none is right apart. */
function describeAsked(report: ConsistencyReport): string {
  const { dataset, all } = report;
  const { cases, schemas } = report.mutants ?? { cases: 0, schemas: 0 };
  const [questions, changed] = [formatNoun(dataset.seeds, 'question'), formatNoun(schemas, 'changed schema')];
  const mutants = `${questions} to ${formatNoun(dataset.databases, 'database')}, and ${formatNoun(cases, 'mutant')} of them`;
  const expected = expectedIn(report);
  if (expected.every((answer) => answer === 'kept'))
    return `${mutants} that ask the same in other words or of tables on ${changed}.`;
  const apart = expected.map((answer) => {
    const { cases: own = 0, judged = 0, inconsistent = 0 } = figuresExpecting(all, answer) ?? {};
    const right = `${formatCount(judged - inconsistent)} of ${formatCount(judged)}`;
    const names = relationsExpecting(report, answer).map(([relation]) => relation);
    const these = `${formatCount(own)} (${names.join(', ')})`;
    if (answer === 'unanswerable') return `${these} lack what the question needs, and are refused in ${right} cases`;
    if (answer === 'other-query') return `${these} ask something else, and are answered right in ${right} cases`;
    return `${formatCount(own)} ask the same in other words or of changed tables: the rate is of these`;
  });
  return `${mutants}, on ${changed}. ${apart.join('; apart, ')}.`;
}

function pageSections(report: ConsistencyReport): PageSection[] {
  const { mutants, compositions } = report;
  return [
    ...(mutants === null ? [] : mutantSections(report)),
    ...composedChapters(compositions).map(renderChapter),
    ...brokenSection(compositions),
    { id: 'settings', heading: 'Settings', body: renderSettings(report) },
  ];
}

/** The questions composed of two that are answered right, and answered wrong themselves. */
function brokenSection(compositions: ConsistencyReport['compositions']): PageSection[] {
  const status = { id: 'broken', label: 'Newly wrong', tone: 'bad' } as const;
  const cases = composedCases(compositions, status.id);
  if (cases.length === 0) return [];
  const body = html`${cases.map((one) => renderCase(one, status))}`;
  return [{ id: 'broken', heading: 'Wrong though both parents are right', link: 'Broken', body }];
}

function mutantSections(report: ConsistencyReport): PageSection[] {
  const order = { features: QUERY_FEATURES, hardness: HARDNESS_LEVELS };
  return [
    { id: 'relations', heading: 'By relation', link: 'Relations', body: renderRelations(report) },
    ...apartSections(report),
    { id: 'heat', heading: 'Relation and query', link: 'Heat map', body: renderHeatMap(report, order) },
    { id: 'accuracy', heading: 'Accuracy, apart', link: 'Accuracy', body: renderAccuracy(report) },
    {
      id: 'paired',
      heading: 'Question by question',
      link: 'Paired',
      body: renderSection(pairedTable(report.paired ?? []), 'paired-1'),
    },
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
      map; where a question is unanswerable or another, the share that is not refused or answered wrong. Good, neutral
      and bad are told by comparison: perturbql consistency compare with three or more models.
    </p>
    <div class="body stacked">${renderMeters(meters)}</div>`;
}

/** Failures that are no change of a query: see `CHANGES`. */
const isApart = (change: QueryChange): boolean => change === 'not refused' || change === 'wrong answer';

function renderErrorTypes({ clusters }: ConsistencyReport): Html {
  const changed = clusters.filter(({ changes }) => !changes.some(isApart));
  const total = changed.reduce((sum, { failures }) => sum + failures, 0);
  if (total === 0) return html`<p class="note">No prediction changed.</p>`;
  const byType = groupBy(changed, ({ errorType }) => errorType);
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
