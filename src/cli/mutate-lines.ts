import { countNoun, formatCount } from '../counts.js';
import type { MutateReport, ReportedRelation } from '../variants/mutate/mutate-report.js';
import { reasonWords } from '../variants/report/mutate-document.js';
import { NEEDS_GOLD } from '../variants/relations/relation.js';

/** Gold queries and databases with a fault that are shown. */
const MAX_LISTED = 10;

/** `; dropped: 3 (contradicts its seed)`; nothing where there is no reason. */
function renderReasons(what: string, reasons: Readonly<Record<string, number>>): string {
  const parts = Object.entries(reasons).map(([reason, n]) => `${formatCount(n)} (${reasonWords(reason)})`);
  return parts.length === 0 ? '' : `; ${what}: ${parts.join(', ')}`;
}

/** Reasons for which examples without gold have no mutant. */
function lacksOf({ notApplicable }: ReportedRelation): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(notApplicable).filter(([reason]) => reason.startsWith(NEEDS_GOLD)));
}

/** A line per relation: mutants, gold queries that have no form on the changed schema, and what was dropped. */
function renderRelation([id, relation]: [string, ReportedRelation]): string {
  const { name, cases, applied, unexpressible, dropped } = relation;
  const gone =
    renderReasons('not applied', lacksOf(relation)) +
    renderReasons('no gold query', unexpressible) +
    renderReasons('dropped', dropped);
  return `  ${id.padEnd(4)} ${formatCount(cases).padStart(7)}  ${name}, of ${countNoun(applied, 'example')}${gone}`;
}

/** A line for all compositions of as many relations: there are a hundred of two. */
function renderComposed(relations: MutateReport['relations']): readonly string[] {
  const orders = new Map<number, number>();
  for (const [key, { cases }] of Object.entries(relations)) {
    const order = key.split('+').length;
    if (order > 1) orders.set(order, (orders.get(order) ?? 0) + cases);
  }
  return [...orders].map(([order, n]) => `  ${order} relations one after another: ${formatCount(n)}`);
}

function renderExecution({ databases }: MutateReport): readonly string[] {
  if (databases === null) return [];
  const { unwritten, verification } = databases;
  const { withoutGold = 0 } = verification;
  const executed = Object.values(verification.relations).flatMap((tally) => Object.values(tally));
  const total = executed.reduce((sum, n) => sum + n, 0);
  return [
    `  ${countNoun(total, 'gold query', 'gold queries')} executed, ${formatCount(total - verification.items.length)} with the result of their seed’s`,
    ...(withoutGold === 0
      ? []
      : [`  ${countNoun(withoutGold, 'mutant has', 'mutants have')} no gold query to execute`]),
    ...verification.items.slice(0, MAX_LISTED).map(({ id, verdict, detail }) => `  ${id}: ${verdict} ${detail ?? ''}`),
    ...unwritten.slice(0, MAX_LISTED).map(({ id, reason }) => `  no database ${id}: ${reason}`),
  ];
}

/** Renders the result of a run of `mutate` as lines. */
export function renderMutateReport(report: MutateReport): readonly string[] {
  const { relations, total, fluency } = report;
  const kept = total.written === total.cases ? '' : `, ${formatCount(total.written)} kept`;
  const mutants = fluency.mutants === null ? '' : `, of its mutants’ ${fluency.mutants.toFixed(3)}`;
  return [
    `${countNoun(total.cases, 'mutant')}${kept}, on ${countNoun(total.schemas, 'schema')} of their own`,
    ...Object.entries(relations)
      .filter(([key]) => !key.includes('+'))
      .map(renderRelation),
    ...renderComposed(relations),
    `  fluency of the data set’s questions ${fluency.seeds.toFixed(3)}${mutants}`,
    ...renderExecution(report),
    ...report.warnings.map((warning) => `  note: ${warning}`),
  ];
}
