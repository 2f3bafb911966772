import { METRIC_TITLES } from '../../evaluate/metric.js';
import { RELATIONS } from '../../variants/relations/relations.js';
import { type Chapter, nameSpan, type Row, type TableSection } from '../../report/document/document.js';
import { formatNoun } from '../../counts.js';
import { formatPercent, formatPointRange, formatPoints } from '../../report/figures.js';
import { ANSWER_METRICS, type AnswerMetric } from '../../victims/answer-metrics.js';
import { pairedChapters } from './paired-section.js';
import type { MutantReport, MutantScore } from './mutant-report.js';

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
      change && { text: formatPoints(change.mean), sub: formatPointRange(change, 'questions'), sort: change.mean },
    ],
  };
}

/** Scores of a metric: all of them, then the relations that cost most. */
function scoreTable(metric: AnswerMetric, scores: readonly MutantScore[]): TableSection {
  const rank = ({ relation, change }: MutantScore): number => (relation === 'all' ? -2 : (change?.mean ?? 0));
  return {
    kind: 'table',
    caption: `${METRIC_TITLES[metric]} by kind of change`,
    columns: [
      { head: 'Kind of change', kind: 'words' },
      { head: 'Questions', kind: 'figures' },
      { head: 'Original', kind: 'figures' },
      { head: 'Mutants', kind: 'figures' },
      { head: 'Change', kind: 'figures', title: 'points, with the 95% interval by bootstrap over questions' },
    ],
    rows: [...scores].sort((a, b) => rank(a) - rank(b)).map(rowOf),
  };
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
    {
      id: 'mutants',
      heading: 'By kind of change',
      link: 'Kinds',
      note: 'Right answers on mutants and, over the same questions, on the original tables, the costliest kinds first. A question that its schema no longer answers is right where the model says that it can’t be answered.',
      sections: tables,
    },
    ...pairedChapters(paired),
  ];
}
