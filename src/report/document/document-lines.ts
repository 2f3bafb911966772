import { NO_BREAK, formatCount } from '../../counts.js';
import { alignColumns } from '../text-table.js';
import type { CaseQuery, CasesSection, ReportCase } from './case.js';
import { openCase } from './cases-html.js';
import {
  type Cell,
  type Chapter,
  type HistogramSection,
  plainText,
  type PlotSection,
  type ReportDocument,
  type Section,
  type TableSection,
  type Text,
} from './document.js';

/** A text as terminals and their tools read it: a plain minus, and spaces that break. */
function terminalText(text: Text | number): string {
  const plain = typeof text === 'number' ? formatCount(text) : plainText(text);
  return plain.replaceAll('−', '-').replaceAll(NO_BREAK, ' ');
}

function cellText(cell: Cell): string {
  if (cell === null) return '–';
  if (typeof cell !== 'object' || !('text' in cell)) return terminalText(cell);
  const { text, sub } = cell;
  return sub === undefined ? terminalText(text) : `${terminalText(text)} (${terminalText(sub)})`;
}

function tableLines({ columns, rows }: TableSection): readonly string[] {
  return alignColumns([
    columns.map(({ head }) => terminalText(head)),
    ...rows.map(({ cells }) => columns.map((_, i) => (i < cells.length ? cellText(cells[i] ?? null) : ''))),
  ]);
}

function plotLines({ title, groups }: PlotSection): readonly string[] {
  const rows = groups.flatMap(({ heading, lanes }) =>
    lanes.map(({ label, figure }) => [heading, label, figure].map(terminalText)),
  );
  return [terminalText(title), ...alignColumns(rows).map((line) => `  ${line.trim()}`)];
}

function histogramLines({ title, lanes }: HistogramSection): readonly string[] {
  const rows = lanes.map(({ label, bins, below }) => [label, formatCount(bins.reduce((sum, n) => sum + n, below))]);
  return [terminalText(title), ...alignColumns(rows).map((line) => `  ${line.trim()}`)];
}

function queryLine({ label, sql, note }: CaseQuery, side: string): string {
  return `  ${label}, ${side}: ${(sql ?? note ?? 'none').replaceAll(/\s+/g, ' ')}`;
}

function caseLines({ id, question, gloss, reason, sides }: ReportCase): readonly string[] {
  return [
    `${id}: ${question}`,
    ...(gloss === '' ? [] : [`  ${terminalText(gloss)}`]),
    ...sides.flatMap(({ label, queries }) => queries.map((query) => queryLine(query, label))),
    ...(reason === null ? [] : [`  ${terminalText(reason)}`]),
  ];
}

function casesLines(section: CasesSection): readonly string[] {
  const open = openCase(section);
  return open === undefined ? [] : caseLines(open);
}

/** A section for a terminal; of cases the one that a page has open. */
function sectionLines(section: Section): readonly string[] {
  switch (section.kind) {
    case 'facts':
      return section.facts.map(([label, value]) => `${terminalText(label)}: ${terminalText(value)}`);
    case 'table':
      return tableLines(section);
    case 'plot':
      return plotLines(section);
    case 'histogram':
      return histogramLines(section);
    case 'list':
      return section.items.map(terminalText);
    case 'cases':
      return casesLines(section);
  }
}

/** A chapter under its heading; of several tables each under its caption. */
function chapterLines({ heading, sections }: Chapter): readonly string[] {
  const hasTables = sections.filter(({ kind }) => kind === 'table').length > 1;
  const captionOf = (section: Section): string[] =>
    hasTables && section.kind === 'table' ? [terminalText(section.caption)] : [];
  return ['', heading, ...sections.flatMap((section) => [...captionOf(section), ...sectionLines(section)])];
}

/** A document for a terminal: its answer, the chapters of these ids under their headings, and its warnings. */
export function documentLines(document: ReportDocument, chapters: readonly string[]): readonly string[] {
  const shown = document.chapters.filter(({ id }) => chapters.includes(id));
  return [
    terminalText(document.headline),
    ...shown.flatMap(chapterLines),
    ...(document.warnings.length === 0 ? [] : ['']),
    ...document.warnings.map((warning) => `warning: ${warning}`),
  ];
}
