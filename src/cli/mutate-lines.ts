import { formatCount } from '../counts.js';
import { documentLines } from '../report/document/document-lines.js';
import { casesOf } from '../report/document/sections.js';
import type { MutateReport } from '../variants/mutate/mutate-report.js';
import { mutateDocument } from '../variants/report/mutate-document.js';

/** Gold queries and databases with a fault that are shown. */
const MAX_LISTED = 10;

/** Numbers of relations that are applied one after another, and what was made by as many. */
function renderComposed(relations: MutateReport['relations']): readonly string[] {
  const orders = new Map<number, number>();
  for (const [key, { cases }] of Object.entries(relations)) {
    const order = key.split('+').length;
    if (order > 1) orders.set(order, (orders.get(order) ?? 0) + cases);
  }
  return [...orders].map(([order, n]) => `${order} relations one after another: ${formatCount(n)}`);
}

/** The gold queries with another result than their seed's, and the databases that could not be written. */
function renderFaults({ databases }: MutateReport): readonly string[] {
  if (databases === null) return [];
  const { unwritten, verification } = databases;
  return [
    ...verification.items.slice(0, MAX_LISTED).map(({ id, verdict, detail }) => `  ${id}: ${verdict} ${detail ?? ''}`),
    ...unwritten.slice(0, MAX_LISTED).map(({ id, reason }) => `  no database ${id}: ${reason}`),
  ];
}

/** Renders the result of a run of `mutate` as lines; there are a hundred compositions of two relations, told in one. */
export function renderMutateReport(report: MutateReport): readonly string[] {
  const single = Object.entries(report.relations).filter(([key]) => !key.includes('+'));
  const shown = { ...report, relations: Object.fromEntries(single) };
  return [
    ...documentLines(mutateDocument(shown, casesOf([], [], [], null)), ['relations', 'missing', 'details']),
    ...renderComposed(report.relations),
    ...renderFaults(report),
  ];
}
