import { METRIC_TITLES } from '../../evaluate/metric.js';
import { formatCount, formatNoun, formatPercent } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import { type PageSection, renderFacts, renderPage, renderPageData } from '../../report/page-parts.js';
import type { Database } from '../../schema/schema.js';
import type { AttackReport } from '../attack-report.js';
import { ATTACK_STYLE } from '../../report/result-style.js';
import { renderComponents, renderDatabases, renderHardness } from './breakdown-sections.js';
import { renderCaseBrowser } from './case-browser.js';
import { packCases } from './case-data.js';
import { measuredMetrics } from './case-status.js';
import { renderContrast } from './contrast-section.js';
import { renderFragileCandidates, renderFragileColumns } from './fragility-sections.js';
import { findScore, renderHeadline } from './headline-section.js';
import { renderOutcomes } from './outcome-section.js';
import type { CaseData } from './packed-cases.js';

/**
 * Renders `report.html` of `perturbql attack`: one file that loads nothing. Figures and tables work without scripts, the
 * cases are browsed with one. With the original `databases` a case shows the whole of its changed tables, without them
 * the changed columns. The same report gives the same bytes.
 */
export function renderAttackPage(report: AttackReport, databases: readonly Database[] = []): string {
  const { victim, dataset, settings } = report;
  const data = packCases(report, databases, measuredMetrics(report.scores));
  return renderPage({
    title: `${victim.id} on ${dataset.format}: attack`,
    eyebrow: html`perturbql attack · victim ${nameHtml(victim.id)} · data set ${nameHtml(dataset.format)}`,
    headline: describeDrop(report),
    lede: html`${formatNoun(dataset.examples, 'question')} to ${formatNoun(dataset.databases, 'database')}, each asked
    of its original tables and of tables with renamed columns (RPL) and with misleading columns added (ADD),
    ${formatNoun(settings.seeds.length, 'seed')}. Victim: ${nameHtml(victim.description)}.`,
    warnings: report.warnings,
    version: report.perturbql,
    sections: pageSections(report, data),
    style: ATTACK_STYLE,
    script: 'cases',
    data: renderPageData('case-data', data),
  });
}

/** The main result as a sentence: "Exact match falls from 70.8 % to 27.6 % (RPL) and 39.9 % (ADD)". */
function describeDrop({ scores, victim }: AttackReport): string {
  const [metric] = measuredMetrics(scores);
  const original = metric && findScore(scores, metric, 'original');
  if (metric === undefined || original === undefined) return `${victim.id} under attack`;
  const perturbed = (['RPL', 'ADD'] as const).flatMap((condition) => {
    const score = findScore(scores, metric, condition);
    return score === undefined ? [] : [`${formatPercent(score.accuracy)} (${condition})`];
  });
  if (perturbed.length === 0) return `${METRIC_TITLES[metric]} of ${formatPercent(original.accuracy)}`;
  const accuracies = scores.filter((score) => score.metric === metric && score.condition !== 'original');
  const verb = accuracies.every(({ accuracy }) => accuracy < original.accuracy) ? 'falls' : 'goes';
  return `${METRIC_TITLES[metric]} ${verb} from ${formatPercent(original.accuracy)} to ${perturbed.join(' and ')}`;
}

function pageSections(report: AttackReport, data: CaseData): PageSection[] {
  return [
    { id: 'accuracy', heading: 'Accuracy', body: renderHeadline(report) },
    { id: 'hardness', heading: 'By hardness', link: 'Hardness', body: renderHardness(report) },
    { id: 'components', heading: 'Exact match by component', link: 'Components', body: renderComponents(report) },
    { id: 'contrast', heading: 'RPL against ADD', body: renderContrast(report) },
    { id: 'databases', heading: 'By database', link: 'Databases', body: renderDatabases(report) },
    { id: 'columns', heading: 'Columns that break most', link: 'Columns', body: renderFragileColumns(report) },
    {
      id: 'candidates',
      heading: 'Candidates that break most',
      link: 'Candidates',
      body: renderFragileCandidates(report),
    },
    { id: 'outcomes', heading: 'Outcomes and failures', link: 'Outcomes', body: renderOutcomes(report) },
    { id: 'cases', heading: 'Cases', body: renderCaseBrowser(report, data) },
    { id: 'settings', heading: 'Settings', body: renderAttackSettings(report) },
  ];
}

function renderHash(hash: string): Html {
  return html`<code title="${hash}">${hash.slice(0, 12)}</code>`;
}

function renderAttackSettings({ settings, victim, dataset }: AttackReport): Html {
  const { strategy, budget, seeds, candidates, metrics, databases } = settings;
  const limit = budget === null ? '' : `, at most ${formatNoun(budget, 'question')} each`;
  return html`<div class="body">
    ${renderFacts([
      ['Victim', nameHtml(victim.id)],
      ['Victim’s fingerprint', renderHash(victim.fingerprint)],
      ['Data set', html`${nameHtml(dataset.format)}, ${formatCount(dataset.examples)} examples`],
      ['Data set’s fingerprint', renderHash(dataset.fingerprint)],
      ['Candidates', nameHtml(candidates)],
      ['Strategy', `${strategy}${limit}`],
      ['Seeds', seeds.join(', ')],
      ['Linked keys', settings.linkedKeys],
      ['Place of added columns', settings.addPosition],
      ...Object.entries(metrics).map(([metric, mode]) => [`Mode of ${metric}`, html`<code>${mode}</code>`] as const),
      ['Databases', databases === null ? 'not executed' : renderHash(databases)],
    ])}
  </div>`;
}
