import { formatPointRange, formatPoints, formatProbability, formatTenths } from '../../report/figures.js';
import { type Column, nameSpan, type Row, type TableSection } from '../../report/document/document.js';
import type { PairedFlips } from './paired-report.js';

const figures = (head: string, title?: string): Column => ({ head, kind: 'figures', ...(title && { title }) });

const COLUMNS: readonly Column[] = [
  { head: 'Relation', kind: 'words' },
  { head: 'Gold', kind: 'words', title: 'whether the change touches the gold query' },
  figures('Questions'),
  figures('Right before', 'percent right on the original tables'),
  figures('After', 'percent right on the mutants; a question counts by the mean over its mutants'),
  figures('Change', 'points, with the 95% interval by bootstrap over questions'),
  figures('Newly wrong', 'questions right before and wrong on most of their mutants'),
  figures('Newly right'),
  figures('p', 'exact McNemar test, two-sided'),
];

function rowOf({ relation, level, touched, questions, before, after, change, broken, mended, p }: PairedFlips): Row {
  return {
    cells: [
      level === null ? [nameSpan(relation)] : { text: [nameSpan(relation)], sub: level },
      touched ? 'another' : 'the same',
      questions,
      formatTenths(before),
      formatTenths(after),
      change && { text: formatPoints(change.mean), sub: formatPointRange(change, 'questions'), sort: change.mean },
      broken,
      mended,
      formatProbability(p),
    ],
  };
}

/** Right answers on mutants against those on seeds, question by question, by kind and level. */
export function pairedTable(paired: readonly PairedFlips[]): TableSection {
  return { kind: 'table', caption: 'Question by question', columns: COLUMNS, rows: paired.map(rowOf) };
}
