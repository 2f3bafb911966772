import { countNoun, formatCount } from '../counts.js';
import { formatBytes, formatLeft } from '../report/figures.js';
import { countedNeighbors } from '../testsuite/suite/suite-manifest.js';
import { describeConstraint } from '../testsuite/report/constraint-text.js';
import { suiteHeadline } from '../testsuite/report/suite-document.js';
import type { ReportedSchema, SuiteCounts, SuiteReport } from '../testsuite/report/suite-report.js';

const leftShare = (share: number | null): string => (share === null ? 'none' : formatLeft(share));

/** How often a wrong query passes, as the page says it, and how many there are. */
function passing(counts: SuiteCounts): string {
  const { equivalent, equivalentUnderData, left } = counts;
  const headline = suiteHeadline(counts);
  const said = `${headline.charAt(0).toLowerCase()}${headline.slice(1)}`;
  return `${said}: ${formatCount(left)} of ${formatCount(countedNeighbors(counts))}; ${formatCount(equivalent)} more are shown to be equivalent, ${formatCount(equivalentUnderData)} under the data`;
}

/** Gold queries that are worth a look; nothing where there is none. */
function renderDoubts({ indeterminate, partial, empty, unread }: SuiteCounts): readonly string[] {
  const doubts = [
    [indeterminate, 'depend on the order of rows'],
    [partial, 'judged by the part of their result that does not depend on it'],
    [empty, 'find no row on any database'],
    [unread, 'can’t be read or executed'],
  ] as const;
  const parts = doubts.filter(([n]) => n > 0).map(([n, what]) => `${formatCount(n)} ${what}`);
  return parts.length === 0 ? [] : [`  gold queries: ${parts.join(', ')}`];
}

function renderSchema(schema: ReportedSchema, width: number, seconds: number | undefined): string {
  const { dbId, golds, equivalent, databases, packedBytes } = schema;
  const counted = countedNeighbors(schema);
  const cells = [golds, counted, leftShare(schema.shareLeft), equivalent, databases, formatBytes(packedBytes)];
  const time = seconds === undefined ? '' : `${seconds.toFixed(1)} s`.padStart(10);
  return `  ${dbId.padEnd(width)}${cells.map((cell) => (typeof cell === 'number' ? formatCount(cell) : cell).padStart(11)).join('')}${time}`;
}

/** Renders a summary of a suite in a few lines. */
export function renderSuiteSummary({ totals, schemas }: SuiteReport): readonly string[] {
  const { golds, databases, databasesPerGold, bytes, packedBytes } = totals;
  return [
    `${countNoun(databases, 'database')} for ${countNoun(golds, 'gold query', 'gold queries')} on ${countNoun(schemas.length, 'schema')}, ${databasesPerGold.toFixed(1)} for each query, ${formatBytes(packedBytes)} (${formatBytes(bytes)} unpacked)`,
    `  ${passing(totals)}`,
    ...renderDoubts(totals),
  ];
}

/** A line for each schema, under a heading. */
export function renderSuiteSchemas(
  { schemas }: SuiteReport,
  seconds: Readonly<Record<string, number>>,
): readonly string[] {
  const width = Math.max(8, ...schemas.map(({ dbId }) => dbId.length));
  const heads = ['golds', 'neighbors', 'left', 'equivalent', 'databases', 'packed']
    .map((head) => head.padStart(11))
    .join('');
  const time = Object.keys(seconds).length === 0 ? '' : 'built in'.padStart(10);
  return [
    `  ${'schema'.padEnd(width)}${heads}${time}`,
    ...schemas.map((one) => renderSchema(one, width, seconds[one.dbId])),
  ];
}

/** Renders the constraints that all databases of each schema satisfy, a line for each. */
export function renderConstraints({ schemas }: SuiteReport): readonly string[] {
  return schemas.flatMap(({ dbId, constraints }) =>
    constraints.length === 0
      ? []
      : [`  ${dbId}: all databases keep to`, ...constraints.map((one) => `    ${describeConstraint(one)}`)],
  );
}
