import { formatPointRange, formatPoints, formatProbability, formatPercent } from '../../report/figures.js';
import { type Chapter, type Column, nameSpan, type Row, type TableSection } from '../../report/document/document.js';
import type { PairedFlips } from './paired-report.js';

const figures = (head: string, title?: string): Column => ({ head, kind: 'figures', ...(title && { title }) });

const COLUMNS: readonly Column[] = [
  { head: 'Relation', kind: 'words' },
  { head: 'Gold', kind: 'words', title: 'whether the change touches the gold query' },
  figures('Questions'),
  figures('Right before', 'right answers on the original tables'),
  figures('After', 'right answers on the mutants; a question counts by the mean over its mutants'),
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
      formatPercent(before),
      formatPercent(after),
      change && { text: formatPoints(change.mean), sub: formatPointRange(change, 'questions'), sort: change.mean },
      broken,
      mended,
      formatProbability(p),
    ],
  };
}

/** Right answers on mutants against those on seeds, question by question: a row where some question turned. */
export function pairedChapters(paired: readonly PairedFlips[]): readonly Chapter[] {
  if (paired.length === 0) return [];
  const turned = paired.filter(({ broken, mended }) => broken + mended > 0);
  const calm = [...new Set(paired.filter((one) => !turned.includes(one)).map(({ relation }) => relation))].filter(
    (relation) => turned.every((one) => one.relation !== relation),
  );
  const table: TableSection = {
    kind: 'table',
    caption: 'Question by question',
    columns: COLUMNS,
    rows: turned.map(rowOf),
  };
  return [
    {
      id: 'paired',
      heading: 'Question by question',
      link: 'Paired',
      note: 'Questions that are right before and wrong on most of their mutants, and the other way round, with McNemar’s test of the two.',
      layout: 'folded',
      sections: [
        ...(turned.length === 0 ? [] : [table]),
        ...(calm.length === 0
          ? []
          : [{ kind: 'list' as const, items: [`No question turns under ${new Intl.ListFormat('en').format(calm)}.`] }]),
      ],
    },
  ];
}
