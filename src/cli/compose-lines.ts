import { join } from 'node:path';
import type { ComposeOutcome } from '../compositional/compose/compose.js';
import type { ComposeReport, ReportedKind } from '../compositional/compose/report/compose-report.js';
import { countNoun, formatCount } from '../report/figures.js';

const PRODUCTS = ['tables.json', 'examples.json', 'gold.sql', 'provenance.jsonl', 'compositions.jsonl', 'report.html'];
const SPLIT_PRODUCTS = ['train.json', 'test.json'];

/** Reasons for which questions were left out, most frequent first, that are printed; the report has all. */
const MOST_REASONS = 5;

function renderKind(name: string, { total, hardness }: ReportedKind): string {
  const levels = Object.entries(hardness).map(([level, n]) => `${formatCount(n)} ${level}`);
  return `  CG-${name} ${formatCount(total)}: ${levels.join(', ')}`;
}

/** The rules that refused most, as a line; none where none refused. */
function renderRefusals({ rules }: ComposeReport): readonly string[] {
  const most = [...rules].sort((a, b) => b.refused - a.refused).filter(({ refused }) => refused > 0);
  if (most.length === 0) return [];
  return [`  refused: ${most.map(({ id, refused }) => `${id} ${formatCount(refused)}`).join(', ')}`];
}

/** Renders the result of a run of compose. */
export function renderComposed({ report, unusable, fresh }: ComposeOutcome, out: string): readonly string[] {
  const { written, elements, questions, made, split, executed, warnings, leftOut } = report;
  const total = written.SUB.total + written.APP.total;
  const products = split === null ? PRODUCTS : [...PRODUCTS, ...SPLIT_PRODUCTS];
  return [
    `${fresh ? '' : 'already complete: '}${countNoun(total, 'question')} composed of ${countNoun(elements, 'element')} in ${countNoun(questions, 'question')}${total < made ? `, of ${formatCount(made)} made` : ''}`,
    renderKind('SUB', written.SUB),
    renderKind('APP', written.APP),
    ...renderRefusals(report),
    ...(executed ? [] : ['  gold queries were not executed']),
    ...(split === null
      ? []
      : [`  by template: ${formatCount(split.train)} for training, ${formatCount(split.test)} for test`]),
    ...leftOut.slice(0, MOST_REASONS).map(({ reason, count }) => `  left out, ${formatCount(count)}: ${reason}`),
    ...warnings.map((warning) => `  note: ${warning}`),
    ...unusable.map(({ id, file, reason }) => `  ${file ?? id}: ${reason}, so nothing of it is composed`),
    ...products.map((name) => `  ${join(out, name)}`),
  ];
}
