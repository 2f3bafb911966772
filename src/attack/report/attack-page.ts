import { ATTACK_METRIC_TITLES } from '../attack-metrics.js';
import { countNoun, formatNoun, formatPercent, formatRange, formatTenths } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import {
  type PageContent,
  type PageSection,
  renderFacts,
  renderPage,
  renderPageData,
} from '../../report/page-parts.js';
import type { Database } from '../../schema/schema.js';
import { type AttackLinking, type AttackReport, answersWithColumns } from '../attack-report.js';
import { ATTACK_STYLE } from '../../report/result-style.js';
import { WIDE_TABLE_STYLE } from '../../report/wide-table-style.js';
import {
  composedSections,
  describeComposed,
  describeRecomposition,
} from '../../victims/recomposition/recomposition-section.js';
import { renderComponents, renderDatabases, renderDifficulty, renderHardness } from './breakdown-sections.js';
import { renderCaseBrowser } from './case-browser.js';
import { packCases } from './case-data.js';
import { describeMutantDrop, describeMutants, mutantSections } from '../mutants/mutant-section.js';
import { DRAWN, measuredMetrics } from './case-status.js';
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
  const { victim, dataset, settings, compositions, mutants } = report;
  const data = packCases(report, databases, measuredMetrics(report.scores));
  const composed = alsoAsked(report);
  const browser = settings.candidates !== null && { script: 'cases' as const, data: renderPageData('case-data', data) };
  const page: PageContent = {
    title: `${victim.id} on ${dataset.format}: attack`,
    eyebrow: html`perturbql attack · victim ${nameHtml(victim.id)} · data set ${nameHtml(dataset.format)}`,
    headline: describeDrop(report),
    lede: html`${formatNoun(dataset.examples, 'question')} to ${formatNoun(dataset.databases, 'database')}, each asked
    of its original tables and of tables with renamed columns (RPL) and with misleading columns added (ADD),
    ${formatNoun(settings.seeds.length, 'seed')}. Victim: ${nameHtml(victim.description)}.${composed}`,
    warnings: report.warnings,
    version: report.perturbql,
    sections: pageSections(report, data),
    style: compositions === undefined && mutants === undefined ? ATTACK_STYLE : ATTACK_STYLE + WIDE_TABLE_STYLE,
    ...browser,
  };
  return renderPage(settings.candidates === null ? withoutPerturbation(page, report) : page);
}

/** What is asked besides the examples, as a further sentence. */
function alsoAsked({ compositions, mutants }: AttackReport): string {
  const asked = [
    ...(compositions === undefined ? [] : [describeComposed(compositions)]),
    ...(mutants === undefined ? [] : [describeMutants(mutants)]),
  ];
  return asked.length === 0 ? '' : ` Also asked: ${asked.join(', and ')}.`;
}

/** The page of an attack that perturbs no tables. */
function withoutPerturbation(page: PageContent, report: AttackReport): PageContent {
  const { dataset, victim, compositions, mutants } = report;
  const asked = `${countNoun(dataset.examples, 'question')} to ${countNoun(dataset.databases, 'database')}`;
  return {
    ...page,
    lede: html`${asked}. Victim: ${nameHtml(victim.description)}.${alsoAsked(report)}`,
    sections: [
      { id: 'accuracy', heading: 'Accuracy', body: renderOriginalScores(report) },
      ...mutantSections(mutants),
      ...composedSections(compositions),
      { id: 'outcomes', heading: 'Outcomes and failures', link: 'Outcomes', body: renderOutcomes(report) },
      { id: 'settings', heading: 'Settings', body: renderAttackSettings(report) },
    ],
  };
}

/** Accuracy on all examples, on the original tables. */
function renderOriginalScores({ scores }: AttackReport): Html {
  const facts = scores.map(({ metric, accuracy, interval }): readonly [string, string] => {
    const ends = interval === null ? '' : ` (${formatRange(interval, formatTenths)})`;
    return [ATTACK_METRIC_TITLES[metric], `${formatTenths(accuracy)}${ends}`];
  });
  return html`<p class="note">
      Percent right on the examples, each asked of its own tables; in parentheses the 95 % interval, by bootstrap over
      ${DRAWN}.
    </p>
    <div class="body">${renderFacts(facts)}</div>`;
}

/** The main result as a sentence: "Exact match falls from 70.8 % to 27.6 % (RPL) and 39.9 % (ADD)". */
function describeDrop(report: AttackReport): string {
  const { scores, linking = [], victim, compositions, mutants } = report;
  const linked = answersWithColumns(report) ? describeLinking(linking) : null;
  if (linked !== null) return linked;
  const [metric] = measuredMetrics(scores);
  const original = metric && findScore(scores, metric, 'original');
  if (metric === undefined || original === undefined) return `${victim.id} under attack`;
  const perturbed = (['RPL', 'ADD'] as const).flatMap((condition) => {
    const score = findScore(scores, metric, condition);
    return score === undefined ? [] : [`${formatPercent(score.accuracy)} (${condition})`];
  });
  const mutated = mutants === undefined ? null : describeMutantDrop(mutants);
  if (perturbed.length === 0 && mutated !== null) return mutated;
  const composed = perturbed.length === 0 && compositions !== undefined ? describeRecomposition(compositions) : null;
  if (composed !== null) return composed;
  if (perturbed.length === 0) return `${ATTACK_METRIC_TITLES[metric]} of ${formatPercent(original.accuracy)}`;
  const accuracies = scores.filter((score) => score.metric === metric && score.condition !== 'original');
  const verb = accuracies.every(({ accuracy }) => accuracy < original.accuracy) ? 'falls' : 'goes';
  return `${ATTACK_METRIC_TITLES[metric]} ${verb} from ${formatPercent(original.accuracy)} to ${perturbed.join(' and ')}`;
}

/** Answers with columns have no components. */
function componentSections(report: AttackReport): PageSection[] {
  if (answersWithColumns(report)) return [];
  const body = renderComponents(report);
  return [{ id: 'components', heading: 'Exact match by component', link: 'Components', body }];
}

/** What a victim that answers with columns falls to, as a sentence; null where nothing was perturbed. */
function describeLinking(linking: readonly AttackLinking[]): string | null {
  const [original, ...perturbed] = linking;
  if (original === undefined || perturbed.length === 0) return null;
  const verb = perturbed.every(({ f1 }) => f1 < original.f1) ? 'falls' : 'goes';
  const ends = perturbed.map(({ f1, condition }) => `${formatPercent(f1)} (${condition})`);
  return `Column F1 ${verb} from ${formatPercent(original.f1)} to ${ends.join(' and ')}`;
}

function pageSections(report: AttackReport, data: CaseData): PageSection[] {
  return [
    { id: 'accuracy', heading: 'Accuracy', body: renderHeadline(report) },
    ...mutantSections(report.mutants),
    ...composedSections(report.compositions),
    { id: 'hardness', heading: 'By hardness', link: 'Hardness', body: renderHardness(report) },
    { id: 'difficulty', heading: 'By difficulty', link: 'Difficulty', body: renderDifficulty(report) },
    ...componentSections(report),
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

function renderAttackSettings({ settings, victim, dataset, compositions, mutants }: AttackReport): Html {
  const { strategy, budget, seeds, candidates, metrics, databases } = settings;
  const limit = budget === null ? '' : `, at most ${formatNoun(budget, 'question')} each`;
  return html`<div class="body">
    ${renderFacts([
      ['Victim', nameHtml(victim.id)],
      ['Victim’s fingerprint', renderHash(victim.fingerprint)],
      ['Data set', html`${nameHtml(dataset.format)}, ${formatNoun(dataset.examples, 'example')}`],
      ['Data set’s fingerprint', renderHash(dataset.fingerprint)],
      ...(compositions === undefined ? [] : [['Compositions', renderHash(compositions.fingerprint)] as const]),
      ...(mutants === undefined ? [] : [['Mutants', renderHash(mutants.fingerprint)] as const]),
      ...(seeds.length === 0
        ? []
        : ([
            ['Strategy', `${strategy}${limit}`],
            ['Seeds', seeds.join(', ')],
          ] as const)),
      ...(candidates === null
        ? []
        : ([
            ['Candidates', nameHtml(candidates)],
            ['Sample', settings.sample ?? 'random'],
            ['Linked keys', settings.linkedKeys],
            ['Abbreviate new names', settings.abbreviate ?? 'never'],
            ['Place of added columns', settings.addPosition],
          ] as const)),
      ...Object.entries(metrics).map(([metric, mode]) => [`Mode of ${metric}`, html`<code>${mode}</code>`] as const),
      ['Databases', databases === null ? 'not executed' : renderHash(databases)],
    ])}
  </div>`;
}
