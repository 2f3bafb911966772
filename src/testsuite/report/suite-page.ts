import { renderTable, type TableCell, type TableRow } from '../../report/data-table.js';
import { formatBytes, formatCount, formatLeft, formatNoun, NO_BREAK } from '../../report/figures.js';
import { type Html, html, nameHtml } from '../../report/html.js';
import {
  type Card,
  type PageSection,
  renderCards,
  renderFacts,
  renderFilter,
  renderPage,
  renderScroller,
} from '../../report/page-parts.js';
import { countedNeighbors } from '../suite/suite-counts.js';
import { axesOf, renderCurve } from './curve-plot.js';
import { renderConstraints, renderDoubts, renderLeft } from './left-section.js';
import type { ReportedSchema, SuiteCounts, SuiteReport } from './suite-report.js';
import { SUITE_STYLE } from './suite-style.js';

/** Test-suite accuracy, Table 4 (Spider) and §6.1, §6.4. */
const PUBLISHED = {
  databases: 695,
  size: '3.27 GB',
  perGold: 42,
  neighbors: 94,
  leftAtFirst: 0.05,
  left: 0.0044,
  reliable: 1,
};

const CURVE_HEIGHT = 300;
const SMALL_HEIGHT = 90;

const unbroken = (text: string): string => text.replace(/ /g, NO_BREAK);
const percentText = (share: number): string => unbroken(`${(100 * share).toFixed(1)} %`);
const shareText = (share: number | null): string => (share === null ? '–' : unbroken(formatLeft(share)));

const sizeText = (bytes: number): string => unbroken(formatBytes(bytes));

/**
 * Renders `report.html` of `perturbql suite build`: one file that loads nothing and works without scripts. The same
 * report gives the same bytes.
 */
export function renderSuitePage(report: SuiteReport): string {
  const { totals, schemas, settings, perturbql } = report;
  const counted = countedNeighbors(totals);
  return renderPage({
    title: `Test suite, ${String(settings['dataset'])}`,
    eyebrow: html`perturbql suite build · data set ${nameHtml(String(settings['dataset']))}`,
    headline: headlineOf(totals),
    lede: html`${formatNoun(totals.databases, 'database')} on ${formatNoun(schemas.length, 'schema')} tell
    ${formatCount(counted - totals.left)} of ${formatNoun(counted, 'neighbor')} from their
    ${formatNoun(totals.golds, 'gold query', 'gold queries')}: a prediction that agrees with its gold on all of them
    hardly differs from it.`,
    warnings: [],
    version: perturbql,
    sections: pageSections(report),
    style: SUITE_STYLE,
  });
}

function headlineOf({ shareLeft }: SuiteCounts): string {
  if (shareLeft === null) return 'There are no neighbors to distinguish';
  return `${unbroken(`${(100 * (1 - shareLeft)).toFixed(2)} %`)} of the neighbors are distinguished`;
}

function pageSections(report: SuiteReport): PageSection[] {
  return [
    {
      id: 'figures',
      heading: 'Key figures',
      body: html`<div class="body">${renderCards(cardsOf(report.totals))}</div>`,
    },
    { id: 'curve', heading: 'Neighbors left', body: renderCurves(report) },
    { id: 'published', heading: 'Next to the paper', body: renderPublished(report) },
    { id: 'schemas', heading: 'Schemas', body: renderSchemas(report.schemas) },
    { id: 'left', heading: 'What is left', body: renderLeft(report) },
    { id: 'constraints', heading: 'What the data keeps to', link: 'Constraints', body: renderConstraints(report) },
    { id: 'golds', heading: 'Gold queries to look at', link: 'Gold queries', body: renderDoubts(report) },
    { id: 'settings', heading: 'Settings', body: renderSettings(report) },
  ];
}

function cardsOf(totals: SuiteCounts): readonly Card[] {
  const { golds, equivalent, equivalentUnderData, left, databases, databasesPerGold } = totals;
  const counted = countedNeighbors(totals);
  const doubtful = totals.indeterminate + totals.empty + totals.unread;
  return [
    {
      label: 'Neighbors left',
      figure: shareText(totals.shareLeft),
      gloss: `${formatCount(left)} of ${formatCount(counted)}`,
      className: 'add',
    },
    {
      label: 'Neighbors',
      figure: formatCount(counted),
      gloss: `${(counted / Math.max(1, golds)).toFixed(1)} per gold query`,
    },
    {
      label: 'Shown to be equivalent',
      figure: formatCount(equivalent),
      gloss: 'listed separately, not counted: nothing can tell them from the gold',
    },
    {
      label: 'Equivalent under the data',
      figure: formatCount(equivalentUnderData),
      gloss: 'listed separately, not counted: only data that breaks a constraint tells them from the gold',
    },
    {
      label: 'Databases',
      figure: formatCount(databases),
      gloss: `${databasesPerGold.toFixed(1)} compared per gold query`,
      className: 'rpl',
    },
    { label: 'On disk', figure: sizeText(totals.packedBytes), gloss: `${sizeText(totals.bytes)} unpacked` },
    {
      label: 'Gold queries to look at',
      figure: formatCount(doubtful),
      gloss: 'depend on the order of rows, find nothing, or can’t be read',
    },
  ];
}

/** Random databases that the build was allowed, where the suite says so: a transferred one does not. */
function randomDatabases({ settings }: SuiteReport): number {
  const budget = settings['budget'];
  const random: unknown =
    typeof budget === 'object' && budget !== null && 'randomDatabases' in budget && budget.randomDatabases;
  return typeof random === 'number' ? random : 0;
}

function renderCurves(report: SuiteReport): Html {
  const { curve, schemas } = report;
  const random = randomDatabases(report);
  const axes = axesOf([curve, ...schemas.map((schema) => schema.curve)], random);
  const down = axes.most > random && random > 0 ? { down: { tried: random, label: 'targeted from here' } } : {};
  return html`<p class="note">
      Share of the neighbors that no database so far tells from their gold, by databases tried; 0 is the original alone.
      As Figure 5 of the paper, which has ${shareText(PUBLISHED.left)} left after 1,000 random databases.
    </p>
    <div class="body">
      <figure>
        <figcaption>All schemas<span>by number of databases tried for each schema</span></figcaption>
        ${renderCurve({
          ...{ id: 'all', title: 'Neighbors left, all schemas', points: curve, axes, height: CURVE_HEIGHT },
          across: { share: PUBLISHED.left, label: `the paper’s ${shareText(PUBLISHED.left)}` },
          ...down,
        })}
      </figure>
    </div>
    ${schemas.length > 1 && html`<div class="later multiples">${schemas.map((schema, i) => renderSmall(schema, i, axes))}</div>`}`;
}

function renderSmall({ dbId, curve, shareLeft }: ReportedSchema, i: number, axes: ReturnType<typeof axesOf>): Html {
  const title = `Neighbors left, ${dbId}`;
  return html`<figure>
    <figcaption>${nameHtml(dbId)} <span>${shareText(shareLeft)}</span></figcaption>
    ${renderCurve({ id: `schema-${i}`, title, points: curve, axes, height: SMALL_HEIGHT })}
  </figure>`;
}

function renderPublished({ totals, curve }: SuiteReport): Html {
  const { databases, packedBytes, bytes, databasesPerGold, golds } = totals;
  const rows: readonly (readonly [string, string, string])[] = [
    ['Databases', formatCount(databases), formatCount(PUBLISHED.databases)],
    ['Size', `${sizeText(packedBytes)}, ${sizeText(bytes)} unpacked`, unbroken(PUBLISHED.size)],
    ['Databases per gold query', databasesPerGold.toFixed(1), String(PUBLISHED.perGold)],
    [
      'Neighbors per gold query',
      (countedNeighbors(totals) / Math.max(1, golds)).toFixed(1),
      String(PUBLISHED.neighbors),
    ],
    [
      'Left by the original alone',
      shareText(curve.find(({ tried }) => tried === 0)?.share ?? null),
      shareText(PUBLISHED.leftAtFirst),
    ],
    ['Left by the suite', shareText(totals.shareLeft), shareText(PUBLISHED.left)],
    [
      'Gold queries judged reliably',
      golds === 0 ? '–' : percentText(totals.reliable / golds),
      percentText(PUBLISHED.reliable),
    ],
  ];
  return html`<p class="note">
      The paper’s figures are for Spider’s dev set, per example and for neighbors of another make; ours are per distinct
      gold query, without the neighbors that are shown to be equivalent.
    </p>
    <div class="body">${renderTable({ className: 'published', heads: ['Figure', 'This suite', 'Paper'], rows })}</div>`;
}

function renderSchemas(schemas: readonly ReportedSchema[]): Html {
  const figures = ['Golds', 'Neighbors', 'Per gold', 'Equivalent', 'Under the data', 'Left', 'Databases', 'Size'];
  const table = renderTable({
    className: 'suites',
    filter: 'schema-filter',
    heads: ['Schema', ...figures],
    rows: schemas.map(schemaRow),
  });
  return html`<div class="body">
    ${renderFilter('schema-filter', 'Find a schema')} ${renderScroller('Schemas', table)}
  </div>`;
}

function schemaRow(schema: ReportedSchema): TableRow {
  const { dbId, golds, equivalent, equivalentUnderData, shareLeft, databases, packedBytes } = schema;
  const counted = countedNeighbors(schema);
  const count = (value: number): TableCell => ({ content: formatCount(value), sort: value });
  const perGold = Number((counted / Math.max(1, golds)).toFixed(1));
  const origin =
    schema.carriedFrom !== null && html`<span class="sub">transferred from ${nameHtml(schema.carriedFrom)}</span>`;
  return [
    html`${nameHtml(dbId)}${origin}`,
    ...[golds, counted].map(count),
    { content: perGold.toFixed(1), sort: perGold },
    ...[equivalent, equivalentUnderData].map(count),
    { content: shareText(shareLeft), sort: shareLeft ?? -1 },
    count(databases),
    { content: sizeText(packedBytes), sort: packedBytes },
  ];
}

/** Settings as the page calls them; what a later version adds keeps its own name. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  suiteFormat: 'Format of the suite',
  dataset: 'Data set',
  data: 'Databases keep to constraints',
  randomDatabases: 'Random databases, at most',
  aimedDatabases: 'Targeted databases per neighbor left, at most',
  redundancy: 'Databases kept per neighbor, if there are',
  allRound: 'Random databases kept whole, at most',
  sqlite: 'SQLite',
  compressionLevel: 'Level of compression',
};

function renderSettings({ seed, settings }: SuiteReport): Html {
  const { budget, ...rest } = settings;
  const all: Readonly<Record<string, unknown>> = { ...rest, ...(typeof budget === 'object' ? budget : {}) };
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const facts = Object.entries(all).map(([name, value]) => [SETTING_NAMES[name] ?? name, text(value)] as const);
  return html`<div class="body">${renderFacts([['Seed', seed], ...facts])}</div>`;
}
