import { type Chapter, nameSpan, type Row, type TableSection, type Text } from '../../../report/document/document.js';
import { formatCount, formatNoun } from '../../../counts.js';
import { headed, shareCell, tableOf } from '../../../report/document/sections.js';
import { type AttackReport, answersWithColumns, type Fragility } from '../attack-report.js';

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

function rowOf(row: Fragility, isNamesake: boolean): Row {
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

const COLUMNS = headed('Kind', 'Newly wrong', ['Of', 'cases that were right on the original tables'], 'Share');

/** Rows in which something broke; the worst first. */
function fragilityTable(caption: string, what: string, all: readonly Fragility[]): TableSection {
  const rows = (['RPL', 'ADD'] as const).flatMap((kind) =>
    all.filter((row) => row.kind === kind && row.broken > 0).slice(0, MOST_ROWS),
  );
  const counts = new Map<string, number>();
  for (const key of rows.map(naturalKey)) counts.set(key, (counts.get(key) ?? 0) + 1);
  rows.sort((a, b) => b.broken - a.broken || b.broken / b.cases - a.broken / a.cases);
  const shown = rows.map((row) => rowOf(row, (counts.get(naturalKey(row)) ?? 0) > 1));
  return tableOf(caption, [...headed(what), ...COLUMNS], shown, what.toLowerCase());
}

/** The columns and the new names that turn most answers wrong; none where no answer was right before. */
export function fragilityChapters(report: AttackReport): readonly Chapter[] {
  const { columns, candidates } = report;
  if (columns.length + candidates.length === 0) return [];
  const how = answersWithColumns(report) ? 'all columns right' : 'exact match';
  const quiet = columns.filter(({ broken }) => broken === 0).length;
  const rest = quiet === 0 ? '' : ` ${formatCount(quiet)} of ${formatNoun(columns.length, 'column')} broke nothing.`;
  return [
    {
      id: 'columns',
      heading: 'Columns and names that break most',
      link: 'Columns',
      note: `By ${how}: of the cases that were right on the original tables and whose perturbation includes this, those that turned wrong. A name leads to its cases.${rest}`,
      layout: 'side',
      sections: [
        fragilityTable('Columns that break most', 'Column', columns),
        fragilityTable('New names that break most', 'New name', candidates),
      ],
    },
  ];
}
