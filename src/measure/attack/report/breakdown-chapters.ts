import {
  type AttackBreakdown,
  type AttackReport,
  measuredMetrics,
  answersWithColumns,
  type Fragility,
} from '../attack-report.js';
import { ATTACK_METRIC_TITLES } from '../../../victims/scoring.js';
import { UNKNOWN_HARDNESS, UNKNOWN_HARDNESS_NOTE } from '../../../evaluate/exact/hardness.js';
import { COMPONENT_NAMES, type ExactComponent } from '../../../evaluate/exact/components.js';
import {
  type Cell,
  type Chapter,
  nameSpan,
  type Row,
  type TableSection,
  type Text,
} from '../../../report/document/document.js';
import { chapterOf, headed, shareCell, tableOf } from '../../../report/document/sections.js';
import { formatPercent, formatPoints } from '../../../report/figures.js';
import { formatCount, formatNoun, tally } from '../../../counts.js';

function rowOf({ key, examples, accuracy }: AttackBreakdown): Row {
  const { original, RPL, ADD } = accuracy;
  const cell = (value: number | null): Cell => {
    if (value === null) return null;
    return shareCell(value, original === null ? {} : { sub: formatPoints(value - original) });
  };
  return {
    cells: [[nameSpan(key)], examples, original === null ? null : formatPercent(original), cell(RPL), cell(ADD)],
  };
}

/** Accuracy by condition of groups of examples: a table for each metric. */
function breakdownTables(what: string, rows: readonly AttackBreakdown[], searched?: string): readonly TableSection[] {
  return measuredMetrics(rows).map((metric) => {
    const caption = `${ATTACK_METRIC_TITLES[metric]} by ${what.toLowerCase()}`;
    const own = rows.filter((row) => row.metric === metric).map(rowOf);
    return tableOf(caption, headed(what, 'Examples', 'Original', 'RPL', 'ADD'), own, searched);
  });
}

/** Databases shown, those with the most examples; single-table data sets have thousands. */
const MOST_DATABASES = 300;

/** The largest groups, in their own order. */
function largest(rows: readonly AttackBreakdown[]): readonly AttackBreakdown[] {
  const kept = new Set([...rows].sort((a, b) => b.examples - a.examples).slice(0, MOST_DATABASES));
  return rows.filter((row) => kept.has(row));
}

function databaseChapter({ byDatabase }: AttackReport): Chapter {
  const tables = measuredMetrics(byDatabase).flatMap((metric) =>
    breakdownTables('Database', largest(byDatabase.filter((row) => row.metric === metric)), 'database'),
  );
  const isCut = tables.some(({ rows }) => rows.length === MOST_DATABASES);
  const cut = `The ${MOST_DATABASES} databases with the most examples; report.json has the others.`;
  return chapterOf('databases', 'By database', tables, { link: 'Databases', ...(isCut && { note: cut }) });
}

/** Returns the share of right answers by common features of examples; chapters without figures are left out. */
export function breakdownChapters(report: AttackReport): readonly Chapter[] {
  const difficulty = (report.byDifficulty ?? []).map(({ kind, from, to, cases, ...row }) => {
    return { ...row, key: `${kind}, ${from.toFixed(2)} to ${to.toFixed(2)}`, examples: cases };
  });
  const components = report.byComponent.map((row) => {
    return { ...row, key: COMPONENT_NAMES[row.key as ExactComponent] ?? row.key };
  });
  const hasUnknown = report.byHardness.some(({ key }) => key === UNKNOWN_HARDNESS);
  const chapters: readonly Chapter[] = [
    chapterOf('hardness', 'By hardness', breakdownTables('Hardness', report.byHardness), {
      link: 'Hardness',
      note: `By Spider’s hardness of the gold query. Right answers; below them the change in points.${hasUnknown ? ` ${UNKNOWN_HARDNESS_NOTE}` : ''}`,
      layout: 'side',
    }),
    databaseChapter(report),
    chapterOf('difficulty', 'By difficulty of the new names', breakdownTables('Difficulty', difficulty), {
      link: 'Difficulty',
      note: 'By the mean difficulty of the candidates of a perturbation, in parts of about as many cases: new names are hard where they are far from the old one and from the question’s words (RPL), added columns where they are near (ADD).',
      layout: 'folded',
    }),
    chapterOf('components', 'Exact match by component', breakdownTables('Component', components), {
      link: 'Components',
      note: 'Of the gold queries that have a component, the share whose answer matches it.',
      layout: 'folded',
    }),
  ];
  return chapters.filter(({ sections }) => sections.length > 0);
}

/** Rows shown of each kind; report.json has them all. */
const MOST_ROWS = 100;

/** The search that finds the cases of a row. */
function hrefOf({ kind, dbId, column, candidate }: Fragility): string {
  const arrow = kind === 'RPL' ? '→' : '+';
  const change = candidate === null ? `${column} ${arrow}` : `${column} ${arrow} ${candidate}`;
  return `#find=${encodeURIComponent(`"${change.replaceAll('"', '')}" "${dbId.replaceAll('"', '')}"`)}`;
}

/** Returns the key shared by rows of columns with one natural name. */
const naturalKey = ({ kind, dbId, table, column, candidate }: Fragility): string =>
  JSON.stringify([kind, dbId, table, column, candidate]);

/** `isNamesake`: another row has its natural names, so those in SQL are shown, too. */
function nameOf(row: Fragility, isNamesake: boolean): Text {
  const { kind, table, column, candidate, columnOriginal } = row;
  const original = isNamesake && columnOriginal !== undefined ? ` (${columnOriginal})` : '';
  const arrow = candidate === null ? '' : `${kind === 'RPL' ? ' → ' : ' + '}${candidate}`;
  return [{ ...nameSpan(`${table} . ${column}${original}${arrow}`), href: hrefOf(row) }];
}

function fragilityRow(row: Fragility, isNamesake: boolean): Row {
  const { dbId, cases, broken, kind } = row;
  const share = cases === 0 ? 0 : broken / cases;
  return {
    cells: [
      { text: nameOf(row, isNamesake), sub: [nameSpan(dbId)] },
      kind,
      broken,
      cases,
      shareCell(share, { tone: kind === 'RPL' ? 'rpl' : 'add', bar: share }),
    ],
  };
}

const FRAGILITY_COLUMNS = headed(
  'Kind',
  'Newly wrong',
  ['Of', 'cases that were right on the original tables'],
  'Share',
);

/** Rows in which something broke; the worst first. */
function fragilityTable(caption: string, what: string, all: readonly Fragility[]): TableSection {
  const rows = (['RPL', 'ADD'] as const).flatMap((kind) =>
    all.filter((row) => row.kind === kind && row.broken > 0).slice(0, MOST_ROWS),
  );
  const counts = tally(rows.map(naturalKey));
  rows.sort((a, b) => b.broken - a.broken || b.broken / b.cases - a.broken / a.cases);
  const shown = rows.map((row) => fragilityRow(row, (counts.get(naturalKey(row)) ?? 0) > 1));
  return tableOf(caption, [...headed(what), ...FRAGILITY_COLUMNS], shown, what.toLowerCase());
}

/** The columns and the new names that turn most answers wrong; none where no answer was right before. */
export function fragilityChapters(report: AttackReport): readonly Chapter[] {
  const { columns, candidates } = report;
  if (columns.length + candidates.length === 0) return [];
  const how = answersWithColumns(report) ? 'all columns right' : 'exact match';
  const quiet = columns.filter(({ broken }) => broken === 0).length;
  const rest = quiet === 0 ? '' : ` ${formatCount(quiet)} of ${formatNoun(columns.length, 'column')} broke nothing.`;
  const tables = [
    fragilityTable('Columns that break most', 'Column', columns),
    fragilityTable('New names that break most', 'New name', candidates),
  ];
  return [
    chapterOf('columns', 'Columns and names that break most', tables, {
      link: 'Columns',
      note: `By ${how}: of the cases that were right on the original tables and whose perturbation includes this, those that turned wrong. A name leads to its cases.${rest}`,
      layout: 'side',
    }),
  ];
}
