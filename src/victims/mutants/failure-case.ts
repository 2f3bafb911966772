import { METRIC_TITLES } from '../../evaluate/metric.js';
import type { CaseQuery, CaseSide, CaseTable, ReportCase } from '../../report/document/case.js';
import { ANSWER_METRICS } from '../answer-metrics.js';
import type { ReportedFailure, ReportedSide } from './failure-report.js';

/** "singer(id, name)" as a table; another line, such as a key, as a table without columns. */
function tableOf(line: string, other: readonly CaseTable[], change: 'added' | 'removed'): CaseTable {
  const [, name = line, listed = ''] = /^(.+?)\((.*)\)$/.exec(line) ?? [];
  const twin = other.find((table) => table.name === name);
  const known = new Set(twin?.columns.map((column) => column.name));
  const columns = listed === '' ? [] : listed.split(', ');
  return { name, columns: columns.map((column) => ({ name: column, change: known.has(column) ? null : change })) };
}

function tablesOf({ before, after }: ReportedFailure['schema']): readonly [readonly CaseTable[], readonly CaseTable[]] {
  const [first, second] = [before, after].map((lines) => lines.map((line) => tableOf(line, [], 'added')));
  return [
    before.map((line) => tableOf(line, second ?? [], 'removed')),
    after.map((line) => tableOf(line, first ?? [], 'added')),
  ];
}

function queriesOf(side: ReportedSide, other: ReportedSide): readonly CaseQuery[] {
  const { gold, predicted, failure } = side;
  const verdicts = ANSWER_METRICS.flatMap((metric) => {
    const outcome = side[metric];
    if (outcome === null) return [];
    const isRight = outcome === 'correct';
    const label = isRight ? `✓ ${METRIC_TITLES[metric]}` : `✗ ${METRIC_TITLES[metric]}: ${outcome}`;
    return [{ label, tone: isRight ? ('good' as const) : ('bad' as const) }];
  });
  return [
    ...(gold === null ? [] : [{ label: 'Gold SQL', sql: gold, against: other.gold, note: null, verdicts: [] }]),
    {
      label: 'Answer',
      sql: predicted,
      against: other.predicted,
      note: predicted === null ? `No SQL${failure === null ? '' : `: ${failure}`}.` : null,
      verdicts,
    },
  ];
}

/** A mutant next to its seed: question, schema, gold query and predictions. */
export function failureCase(failure: ReportedFailure, status: string): ReportCase {
  const { id, dbId, origin, relations, details, shrunkFrom, before, after, schema } = failure;
  const [first, second] = tablesOf(schema);
  const isSameQuestion = before.question === after.question;
  const side = (label: string, own: ReportedSide, other: ReportedSide, tables: readonly CaseTable[]): CaseSide => ({
    label,
    question: isSameQuestion ? null : own.question,
    tables,
    marks: [],
    queries: queriesOf(own, other),
    results: [],
  });
  return {
    id,
    question: after.question,
    gloss: `${relations.join('+')}: ${details.join('; ')}`,
    status,
    facets: { condition: relations.join('+'), database: origin },
    reason: null,
    sides: [side('original', before, after, first), side('mutant', after, before, second)],
    notes: [
      ...(dbId === origin ? [] : [`Database ${dbId}.`]),
      ...(shrunkFrom === null ? [] : [`Shrunk from ${shrunkFrom}.`]),
    ],
  };
}
