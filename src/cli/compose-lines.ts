import { join } from 'node:path';
import type { ComposeOutcome } from '../compositional/compose/compose.js';
import { composeDocument } from '../compositional/compose/report/compose-document.js';
import type { ComposeReport } from '../compositional/compose/report/compose-report.js';
import { documentLines } from '../report/document/document-lines.js';
import { formatCount } from '../counts.js';

const PRODUCTS = ['tables.json', 'examples.json', 'gold.sql', 'provenance.jsonl', 'compositions.jsonl', 'report.html'];
const SPLIT_PRODUCTS = ['train.json', 'test.json'];

/** Reasons for which questions were left out, most frequent first, that are printed; the report has all. */
const MOST_REASONS = 5;

/** The rules that refused most, as a line; none where none refused. */
function renderRefusals({ rules }: ComposeReport): readonly string[] {
  const most = [...rules].sort((a, b) => b.refused - a.refused).filter(({ refused }) => refused > 0);
  if (most.length === 0) return [];
  return [`  refused: ${most.map(({ id, refused }) => `${id} ${formatCount(refused)}`).join(', ')}`];
}

/** What a terminal shows of the document. */
const SHOWN = ['kinds'];

/** Renders the result of a run of compose. */
export function renderComposed({ report, unusable, fresh }: ComposeOutcome, out: string): readonly string[] {
  const { written, made, split, leftOut } = report;
  const total = written.SUB.total + written.APP.total;
  const products = split === null ? PRODUCTS : [...PRODUCTS, ...SPLIT_PRODUCTS];
  const [headline = '', ...shown] = documentLines(composeDocument(report), SHOWN);
  return [
    `${fresh ? '' : 'already complete: '}${headline}`,
    ...shown,
    '',
    ...renderRefusals(report),
    ...(total < made ? [`  kept ${formatCount(total)} of ${formatCount(made)} that could be made`] : []),
    ...(split === null
      ? []
      : [`  by template: ${formatCount(split.train)} for training, ${formatCount(split.test)} for test`]),
    ...leftOut.slice(0, MOST_REASONS).map(({ reason, count }) => `  left out, ${formatCount(count)}: ${reason}`),
    ...unusable.map(({ id, file, reason }) => `  ${file ?? id}: ${reason}, so nothing of it is composed`),
    ...products.map((name) => `  ${join(out, name)}`),
  ];
}
