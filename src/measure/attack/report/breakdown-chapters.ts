import { type AttackBreakdown, type AttackReport, measuredMetrics } from '../attack-report.js';
import { ATTACK_METRIC_TITLES } from '../../../victims/answer-metrics.js';
import { UNKNOWN_HARDNESS, UNKNOWN_HARDNESS_NOTE } from '../../../evaluate/exact/hardness.js';
import type { ExactComponent } from '../../../evaluate/exact/components.js';
import { COMPONENT_NAMES } from '../../../evaluate/report/component-names.js';
import { type Cell, type Chapter, nameSpan, type Row, type TableSection } from '../../../report/document/document.js';
import { headed, shareCell, tableOf } from '../../../report/document/sections.js';
import { formatPercent, formatPoints } from '../../../report/figures.js';

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
  return { id: 'databases', heading: 'By database', link: 'Databases', ...(isCut && { note: cut }), sections: tables };
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
    {
      id: 'hardness',
      heading: 'By hardness',
      link: 'Hardness',
      note: `By Spider’s hardness of the gold query. Right answers; below them the change in points.${hasUnknown ? ` ${UNKNOWN_HARDNESS_NOTE}` : ''}`,
      layout: 'side',
      sections: breakdownTables('Hardness', report.byHardness),
    },
    databaseChapter(report),
    {
      id: 'difficulty',
      heading: 'By difficulty of the new names',
      link: 'Difficulty',
      note: 'By the mean difficulty of the candidates of a perturbation, in parts of about as many cases: new names are hard where they are far from the old one and from the question’s words (RPL), added columns where they are near (ADD).',
      layout: 'folded',
      sections: breakdownTables('Difficulty', difficulty),
    },
    {
      id: 'components',
      heading: 'Exact match by component',
      link: 'Components',
      note: 'Of the gold queries that have a component, the share whose answer matches it.',
      layout: 'folded',
      sections: breakdownTables('Component', components),
    },
  ];
  return chapters.filter(({ sections }) => sections.length > 0);
}
