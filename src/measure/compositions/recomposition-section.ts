import { METRIC_TITLES } from '../../evaluate/metric.js';
import type { Chapter, Row, TableSection, Text } from '../../report/document/document.js';
import { chapterOf, headed, tableOf } from '../../report/document/sections.js';
import { countNoun, formatCount } from '../../counts.js';
import { formatPercent, formatPointRange, formatPoints, formatRange, negated } from '../../report/figures.js';
import type { RecompositionFailure, RecompositionFigures, RecompositionReport } from './recomposition-report.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/scoring.js';
import type { CompositionKind } from '../../formats/artifacts/compositions.js';
import type { CaseStatus, ReportCase } from '../../report/document/case.js';
import { answerQuery, differenceRows, goldQuery } from '../judged-answer.js';

/** The accuracy of a model in the paper on Spider dev and on its compositions, in percent. */
interface PublishedAccuracy {
  readonly model: string;
  readonly dev: number;
  readonly SUB: number;
  readonly APP: number;
}

/**
 * Spider-SS Table 5 (exact match) and Table 7 (execution), the columns of dev. (N): the model gives NatSQL; (S): it is
 * asked sub-sentence by sub-sentence, too (§4).
 */
export const PUBLISHED: Readonly<Record<AnswerMetric, readonly PublishedAccuracy[]>> = {
  exact: [
    { model: 'RATSQL_G', dev: 72.7, SUB: 70.3, APP: 44.2 },
    { model: 'RATSQL_G(N)', dev: 73.9, SUB: 75.0, APP: 60.5 },
    { model: 'RATSQL_G(S)', dev: 74.5, SUB: 76.7, APP: 68.3 },
    { model: 'RATSQL_B', dev: 72.0, SUB: 72.0, APP: 47.2 },
    { model: 'RATSQL_B(N)', dev: 72.1, SUB: 69.4, APP: 53.1 },
    { model: 'RATSQL_B(S)', dev: 71.9, SUB: 72.6, APP: 61.5 },
    { model: 'RATSQL(N)', dev: 63.2, SUB: 60.7, APP: 34.5 },
    { model: 'RATSQL(S)', dev: 64.7, SUB: 63.3, APP: 44.1 },
    { model: 'GNN(N)', dev: 54.4, SUB: 57.5, APP: 25.1 },
    { model: 'GNN(S)', dev: 49.3, SUB: 51.8, APP: 34.6 },
  ],
  execution: [
    { model: 'RATSQL_G(N)', dev: 75.8, SUB: 78.0, APP: 68.9 },
    { model: 'RATSQL_B(S)', dev: 74.7, SUB: 76.4, APP: 72.5 },
    { model: 'RATSQL_G(S)', dev: 76.7, SUB: 80.4, APP: 75.1 },
  ],
};

/** Points that the paper's models lose from dev to a set composed of it, on average. */
function publishedDrop(metric: AnswerMetric, kind: CompositionKind): number {
  const models = PUBLISHED[metric];
  return models.reduce((sum, accuracy) => sum + accuracy.dev - accuracy[kind], 0) / models.length;
}

/** How the intervals of composed questions are found. */
export const COMPOSED_INTERVALS = '95% intervals by bootstrap over bases, the compositions of one together';

type Kind = RecompositionFailure['kind'];

/** The action of each rule, in words. */
const KIND_WORDS: Readonly<Record<Kind, string>> = { SUB: 'substituted', APP: 'appended' };

/** The result as a sentence; null where nothing was measured: by execution, else by exact match. */
export function describeRecomposition({ all }: RecompositionReport): string | null {
  const { bothRight = 0, broken = 0 } = all.execution ?? all.exact ?? {};
  if (bothRight === 0) return null;
  const are = broken === 1 ? 'is' : 'are';
  return `${formatCount(broken)} of ${countNoun(bothRight, 'composed question')} ${are} wrong though both of their parts are answered right`;
}

/** "20 questions composed of the parts of 12 questions". */
export function describeComposed({ all }: RecompositionReport): string {
  return `${countNoun(all.cases, 'question')} composed of the parts of ${countNoun(all.parents, 'question')}`;
}

function rowsOf(
  name: Text,
  figures: RecompositionFigures,
  metric: AnswerMetric,
  published: number | null,
): readonly Row[] {
  const own = figures[metric];
  if (own === null) return [];
  const { cases, parents, children, drop, rate, broken, bothRight, mended } = own;
  const change = { mean: -drop.mean, ...negated(drop) };
  return [
    {
      cells: [
        name,
        { text: cases, sub: `of ${formatCount(figures.parents)}` },
        formatPercent(parents),
        formatPercent(children),
        {
          text: formatPoints(-drop.mean),
          sub: formatPointRange(change, 'bases'),
          sort: -drop.mean,
        },
        rate && {
          text: formatPercent(rate.mean),
          sub: `${formatCount(broken)} of ${formatCount(bothRight)}; ${formatRange(rate, 'bases', formatPercent)}`,
          sort: rate.mean,
        },
        mended,
        published === null ? null : formatPoints(-published / 100),
      ],
    },
  ];
}

const COLUMNS = headed(
  'Rule',
  ['Composed', 'compositions, and the questions they were made of'],
  ['Parents', 'right answers to the questions they were made of'],
  ['Right', 'right answers to the compositions'],
  'Change',
  ['Newly wrong', 'wrong, of those whose parents are both right'],
  ['Newly right', 'right though a parent is wrong'],
  ['Paper', 'Spider-SS Tables 5 and 7, mean of the models, from dev'],
);

const kindName = (kind: string): string => `CG-${kind}, ${KIND_WORDS[kind as Kind]}`;

function ruleTable(metric: AnswerMetric, { all, kinds }: RecompositionReport): readonly TableSection[] {
  const total = rowsOf('All', all, metric, null).map((row) => ({ ...row, as: 'total' as const }));
  if (total.length === 0) return [];
  const rows = Object.entries(kinds).flatMap(([kind, figures]) =>
    rowsOf(kindName(kind), figures, metric, publishedDrop(metric, kind as Kind)),
  );
  return [tableOf(`${METRIC_TITLES[metric]} on composed questions`, COLUMNS, [...rows, ...total])];
}

/** The same by the hardness of what was composed. */
function hardnessTable(metric: AnswerMetric, { hardness }: RecompositionReport): readonly TableSection[] {
  const rows = hardness.flatMap(({ kind, level, ...figures }) => rowsOf(`CG-${kind}, ${level}`, figures, metric, null));
  const caption = `${METRIC_TITLES[metric]} on composed questions by hardness`;
  return rows.length === 0 ? [] : [tableOf(caption, COLUMNS, rows)];
}

/** The chapters on compositions; none where nothing composed was asked. */
export function composedChapters(report: RecompositionReport | undefined): readonly Chapter[] {
  if (report === undefined) return [];
  const { exact, execution } = report.accuracy;
  const accuracy = [exact, execution].flatMap((share) => (share === null ? [] : [formatPercent(share)])).join(' and ');
  const tables = ANSWER_METRICS.flatMap((metric) => ruleTable(metric, report));
  const byHardness = ANSWER_METRICS.flatMap((metric) => hardnessTable(metric, report));
  const hardnessChapter = chapterOf('composed-hardness', 'Composed questions by hardness', byHardness, {
    link: 'Their hardness',
    layout: 'folded',
  });
  return [
    chapterOf('composed', 'Composed questions', tables, {
      link: 'Composed',
      note: `Right answers on composed questions and, over the same ones, on the two questions that each was made of, with ${COMPOSED_INTERVALS}. On these parents, each once, the model is right in ${accuracy}.`,
    }),
    ...(byHardness.length === 0 ? [] : [hardnessChapter]),
  ];
}

/** Of a composition whose parts are both answered right. */
export const COMPOSED_STATUS: CaseStatus = { id: 'composed', label: 'Right in parts, wrong composed', tone: 'bad' };

/** Compositions that are wrong though both parents are right, as cases: the right answers to the parts first. */
export function composedCases(report: RecompositionReport | undefined): readonly ReportCase[] {
  return (report?.failures ?? []).map(
    ({ kind, dbId, hardness, child, parents: [base, element], rows }): ReportCase => ({
      id: child.id,
      question: child.question,
      gloss: `composed of “${base.question}” and “${element.question}”`,
      status: COMPOSED_STATUS.id,
      facets: { condition: `CG-${kind}`, database: dbId, ...(hardness !== null && { hardness }) },
      given: differenceRows(rows, 'on its database'),
      reason: 'The model answers both parts right, and the question composed of them wrong.',
      sides: [
        {
          label: 'composed',
          question: null,
          tables: [],
          marks: [],
          queries: [
            answerQuery(`First part: “${base.question}”`, base, null),
            answerQuery(`Second part: “${element.question}”`, element, null),
            goldQuery('Composed, gold SQL', child.gold),
            answerQuery('Composed, answer', child, child.gold),
          ],
          results: [],
        },
      ],
      notes: [],
    }),
  );
}
