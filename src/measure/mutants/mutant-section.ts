import { formatPointRange, formatPoints, formatProbability, formatPercent } from '../../report/figures.js';
import {
  type Cell,
  type Chapter,
  type Column,
  nameSpan,
  type Row,
  type TableSection,
} from '../../report/document/document.js';
import type { PairedFlips, MutantReport, MutantScore } from './mutant-report.js';
import { METRIC_TITLES } from '../../evaluate/metric.js';
import { RELATIONS } from '../../variants/relations/relations.js';
import { listOfNames, chapterOf, figures, headed, tableOf } from '../../report/document/sections.js';
import { formatNoun } from '../../counts.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/scoring.js';

const PAIRED_COLUMNS: readonly Column[] = [
  ...headed('Relation'),
  { head: 'Gold', kind: 'words', title: 'whether the change touches the gold query' },
  figures('Questions'),
  figures('Right before', 'right answers on the original tables'),
  figures('After', 'right answers on the mutants; a question counts by the mean over its mutants'),
  figures('Change', 'points, with the 95% interval by bootstrap over questions'),
  figures('Newly wrong', 'questions right before and wrong on most of their mutants'),
  figures('Newly right'),
  figures('p', 'exact McNemar test, two-sided'),
];

/** Points with their interval. */
const changeCell = (change: MutantScore['change']): Cell =>
  change && { text: formatPoints(change.mean), sub: formatPointRange(change, 'questions'), sort: change.mean };

function pairedRow({
  relation,
  level,
  touched,
  questions,
  before,
  after,
  change,
  broken,
  mended,
  p,
}: PairedFlips): Row {
  return {
    cells: [
      level === null ? [nameSpan(relation)] : { text: [nameSpan(relation)], sub: level },
      touched ? 'another' : 'the same',
      questions,
      formatPercent(before),
      formatPercent(after),
      changeCell(change),
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
  const table = tableOf('Question by question', PAIRED_COLUMNS, turned.map(pairedRow));
  const sections = [...(turned.length === 0 ? [] : [table]), ...listOfNames('No question turns under', calm)];
  return [
    chapterOf('paired', 'Question by question', sections, {
      link: 'Paired',
      note: 'Questions that are right before and wrong on most of their mutants, and the other way round, with McNemar’s test of the two.',
      layout: 'folded',
    }),
  ];
}

/** "1,204 mutants on 310 changed schemas". */
export function describeMutants({ mutants, schemas }: MutantReport): string {
  return `${formatNoun(mutants, 'mutant')} on ${formatNoun(schemas, 'changed schema')}`;
}

/** The result as a sentence; null where nothing was measured: by execution, else by exact match. */
export function describeMutantDrop({ scores }: MutantReport): string | null {
  const metric = ANSWER_METRICS.toReversed().find((name) => scores.some((score) => score.metric === name));
  const all = scores.find((score) => score.relation === 'all' && score.metric === metric);
  if (all === undefined) return null;
  const verb = all.accuracy < all.original ? 'falls' : 'goes';
  const [from, to] = [formatPercent(all.original), formatPercent(all.accuracy)];
  return `${METRIC_TITLES[all.metric]} ${verb} from ${from} to ${to} on changed schemas and questions`;
}

const nameOf = (relation: string): string =>
  (RELATIONS as Readonly<Record<string, { readonly name: string } | undefined>>)[relation]?.name ?? '';

function rowOf({ relation, level, questions, mutants, original, accuracy, change }: MutantScore): Row {
  const name = relation === 'all' ? 'all of them' : [nameSpan(relation)];
  return {
    cells: [
      { text: name, sub: level ?? nameOf(relation) },
      { text: questions, sub: formatNoun(mutants, 'mutant') },
      formatPercent(original),
      formatPercent(accuracy),
      changeCell(change),
    ],
  };
}

/** Scores of a metric: all of them, then the relations that cost most. */
function scoreTable(metric: AnswerMetric, scores: readonly MutantScore[]): TableSection {
  const rank = ({ relation, change }: MutantScore): number => (relation === 'all' ? -2 : (change?.mean ?? 0));
  const columns = headed('Kind of change', 'Questions', 'Original', 'Mutants', [
    'Change',
    'points, with the 95% interval by bootstrap over questions',
  ]);
  const rows = [...scores].sort((a, b) => rank(a) - rank(b)).map(rowOf);
  return tableOf(`${METRIC_TITLES[metric]} by kind of change`, columns, rows);
}

/** Chapters on mutants; none where none were asked. */
export function mutantChapters(report: MutantReport | undefined): readonly Chapter[] {
  if (report === undefined) return [];
  const { scores, paired } = report;
  const tables = ANSWER_METRICS.toReversed().flatMap((metric) => {
    const own = scores.filter((score) => score.metric === metric);
    return own.length === 0 ? [] : [scoreTable(metric, own)];
  });
  return [
    chapterOf('mutants', 'By kind of change', tables, {
      link: 'Kinds',
      note: 'Right answers on mutants and, over the same questions, on the original tables, the costliest kinds first. A question that its schema no longer answers is right where the model says that it can’t be answered.',
    }),
    ...pairedChapters(paired),
  ];
}
