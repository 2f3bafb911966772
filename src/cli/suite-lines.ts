import { countNoun, formatCount } from '../counts.js';
import { formatBytes } from '../report/figures.js';
import { countedNeighbors } from '../testsuite/suite/suite-manifest.js';
import { documentLines } from '../report/document/document-lines.js';
import { suiteDocument, suiteHeadline } from '../testsuite/report/suite-document.js';
import type { SuiteCounts, SuiteReport } from '../testsuite/report/suite-report.js';

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

/** Renders a summary of a suite in a few lines. */
export function renderSuiteSummary({ totals, schemas }: SuiteReport): readonly string[] {
  const { golds, databases, databasesPerGold, bytes, packedBytes } = totals;
  return [
    `${countNoun(databases, 'database')} for ${countNoun(golds, 'gold query', 'gold queries')} on ${countNoun(schemas.length, 'schema')}, ${databasesPerGold.toFixed(1)} for each query, ${formatBytes(packedBytes)} (${formatBytes(bytes)} unpacked)`,
    `  ${passing(totals)}`,
    ...renderDoubts(totals),
  ];
}

/** Renders what a suite holds: the summary, then the chapters of its page on its schemas and on what all rows keep to. */
export function renderSuite(report: SuiteReport): readonly string[] {
  const [, ...chapters] = documentLines(suiteDocument(report), ['schemas', 'constraints']);
  return [...renderSuiteSummary(report), ...chapters];
}
