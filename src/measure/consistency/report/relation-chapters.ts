import {
  type Chapter,
  nameSpan,
  type Row,
  type Section,
  type TableSection,
} from '../../../report/document/document.js';
import { listOfNames, chapterOf, figures, headed, shareCell, tableOf } from '../../../report/document/sections.js';
import { formatCount, formatNoun } from '../../../counts.js';
import { formatPercent, formatRange } from '../../../report/figures.js';
import type { ExpectedAnswer } from '../../../variants/relations/relation.js';
import {
  type ConsistencyReport,
  type ExpectedFigures,
  figuresExpecting,
  type RankedRelation,
  rankRelations,
} from '../consistency-report.js';
import { deedOf, nameOfRelation, publishedRateOf, wordsOf } from '../../../variants/relations/counted-relation.js';

/** Error rate in percent over all relations, the mean of the paper's nine models on its mutants of Spider dev (MT-TEQL Table 7). */
const PUBLISHED_RATE = 3.1;

/** Headings of a chapter on mutants that ask for one kind of answer, and the names of its counts. */
const WORDS: Readonly<
  Record<ExpectedAnswer, { id: string; heading: string; link: string; counted: string; calm: string; note: string }>
> = {
  kept: {
    id: 'relations',
    heading: 'Relations by harm',
    link: 'Relations',
    counted: 'Changed',
    calm: 'No answer changes under',
    note: 'Mutants whose answer changed though the relation says that it must not. Where the gold query is unchanged both answers must be the same query by exact match; where it was rewritten they must give the same result. Intervals (95%) are by bootstrap over questions, all mutants of one together. Paper: the mean of the nine models of MT-TEQL, by exact match, on its own mutants.',
  },
  unanswerable: {
    id: 'unanswerable',
    heading: 'Questions without an answer',
    link: 'Unanswerable',
    counted: 'Not refused',
    calm: 'Every question is refused under',
    note: 'A column or table that the question needs is gone, and nothing else of the schema has it: a model should refuse it. These count in no other rate.',
  },
  'other-query': {
    id: 'other-query',
    heading: 'Questions with another answer',
    link: 'Other answers',
    counted: 'Wrong',
    calm: 'Every question is answered right under',
    note: 'Question and gold query are changed together, so that another answer is right. These count in no other rate.',
  },
};

function rateCells({ rate, interval, by }: ExpectedFigures, hasMetrics: boolean): Row['cells'] {
  const metric = (share: number | null): string | null => (share === null ? null : formatPercent(share));
  return [
    rate === null
      ? null
      : shareCell(rate, interval === null ? {} : { sub: formatRange(interval, 'questions', formatPercent) }),
    ...(hasMetrics ? [metric(by.exact.rate), metric(by.execution.rate)] : []),
  ];
}

function rowOf(name: Row['cells'][number], figures: ExpectedFigures, published: number | null, isKept: boolean): Row {
  return {
    cells: [
      name,
      { text: figures.inconsistent, sub: `of ${formatCount(figures.judged)}` },
      ...rateCells(figures, isKept),
      ...(isKept ? [published === null ? null : `${published.toFixed(1)}%`] : []),
    ],
  };
}

/** The search that finds a relation's cases. */
function hrefOf(relation: string): string {
  return `#find=${encodeURIComponent(`"${wordsOf(relation)}"`)}`;
}

const KEPT_COLUMNS = [
  figures('Exact match', 'percent by exact match alone'),
  figures('Execution', 'percent by execution alone'),
  figures('Paper', 'MT-TEQL Table 7, average'),
];

function relationTable(rows: readonly RankedRelation[], all: ExpectedFigures, expected: ExpectedAnswer): TableSection {
  const isKept = expected === 'kept';
  const columns = [
    ...headed('Relation', [WORDS[expected].counted, 'of the mutants that can be judged'], 'Percent'),
    ...(isKept ? KEPT_COLUMNS : []),
  ];
  const own = rows.map(({ relation, figures }) => {
    const name = { text: [{ ...nameSpan(relation), href: hrefOf(relation) }], sub: nameOfRelation(relation) ?? '' };
    return rowOf(name, figures, publishedRateOf(relation), isKept);
  });
  const total = { ...rowOf('All', all, PUBLISHED_RATE, isKept), as: 'total' as const };
  return tableOf(`${WORDS[expected].counted}, by relation`, columns, [...own, total]);
}

/** Relations in one line, with what each does. */
function listOf(what: string, relations: readonly RankedRelation[]): readonly Section[] {
  const named = relations.map(({ relation, figures }) => {
    const deed = deedOf(relation);
    return `${relation} (${deed.charAt(0).toLowerCase()}${deed.slice(1)}, ${formatNoun(figures.judged, 'mutant')})`;
  });
  return listOfNames(what, named);
}

/** A chapter on the mutants that ask for one kind of answer; none where there are none. */
export function relationChapter(report: ConsistencyReport, expected: ExpectedAnswer): readonly Chapter[] {
  const all = figuresExpecting(report.all, expected);
  if (all === null) return [];
  const { harmful, calm, untold } = rankRelations(report, expected);
  const { id, heading, link, calm: calmWords, note } = WORDS[expected];
  const sections = [
    ...(harmful.length === 0 ? [] : [relationTable(harmful, all, expected)]),
    ...listOf(calmWords, calm),
    ...listOf('Nothing could be told of', untold),
  ];
  return [chapterOf(id, heading, sections, { link, note })];
}
