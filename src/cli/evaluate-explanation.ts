import type { EvaluationReport } from '../evaluate/evaluation-report.js';
import type { Counterexample } from '../evaluate/suite/counterexample.js';
import { ONE_OF_SEVERAL } from '../evaluate/suite/suite-task.js';
import type { VerdictEntries } from '../evaluate/verdict-lines.js';
import { countNoun, formatCount } from '../counts.js';
import { alignColumns } from '../report/text-table.js';
import { type PlainResult, shownValue } from '../sql/execution/query-outcome.js';

/** Characters of a value that are shown. */
const WIDEST = 40;

function cellOf(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}

/** Rows below the names of their columns. */
function table({ columns, rows, count }: PlainResult): string[] {
  const cells = [columns, ...rows.map((row) => row.map(shownValue))].map((row) => row.map(cellOf));
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => row[c]?.length ?? 0)));
  const lines = alignColumns(cells, ' | ');
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  const more = count > rows.length ? [`… ${formatCount(count - rows.length)} more rows`] : [];
  return [lines[0] ?? '', rule, ...lines.slice(1), ...(count === 0 ? ['(no rows)'] : []), ...more];
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

/** Returns the differences in width, which rows can't show. */
function widthLines(gold: PlainResult, predicted: Counterexample['predicted']): string[] {
  if ('failure' in predicted || predicted.columns.length === gold.columns.length) return [];
  return [`  the gold query has ${gold.columns.length} result columns, the prediction ${predicted.columns.length}`];
}

function exampleLines({ database, tables, gold, isGoldPartial, predicted }: Counterexample): string[] {
  return [
    ...widthLines(gold, predicted),
    `  few rows of ${database}, the smallest database on which it differs:`,
    ...tables.flatMap(({ name, ...content }) => [`  ${name}`, ...indented(table(content))]),
    ...(isGoldPartial === true ? [`  ${ONE_OF_SEVERAL}`] : []),
    '  result of the gold',
    ...indented(table(gold)),
    '  result of the prediction',
    ...indented('failure' in predicted ? [predicted.failure] : table(predicted)),
  ];
}

function suiteEntryLines(entry: VerdictEntries['suite']): string[] {
  if (entry === undefined) return [];
  const { outcome, reason, databases, differsOn, counterexample, plugged } = entry;
  const executed = counterexample?.predictedSql ?? plugged;
  // A counterexample names its own database: a smaller one, on which few rows show it.
  const where = differsOn === undefined || counterexample !== undefined ? '' : `, the results differ on ${differsOn}`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return [
    `  suite       ${outcome}${why}; executed on ${countNoun(databases, 'database')}${where}`,
    ...(executed === undefined ? [] : [`  executed as ${executed}`]),
    ...(counterexample === undefined ? [] : exampleLines(counterexample)),
  ];
}

function answerLines(label: string, sql: string, entries: VerdictEntries): string[] {
  return [`  ${label.padEnd(12)}${sql === '' ? '(none)' : sql}`, ...suiteEntryLines(entries.suite)];
}

/** Renders the suite's verdict on the requested pair, and if it is wrong the reason: few rows, and both results. */
export function renderExplanation({ explained }: EvaluationReport): readonly string[] {
  if (explained === undefined) return [];
  const { id, db_id, hardness, gold, predicted, other, question } = explained;
  return [
    '',
    `${id}, ${db_id}${hardness === null ? '' : `, ${hardness}`}`,
    ...(question === undefined ? [] : [`  question    ${question}`]),
    `  gold        ${gold}`,
    ...answerLines('predicted', predicted, explained),
    ...(other === undefined ? [] : answerLines('compared', other.predicted, other)),
  ];
}
