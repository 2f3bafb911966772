import type { MutantVerification } from '../variants/verify/verify-mutants.js';
import { VERDICTS } from '../variants/verify/verdict.js';
import { otherQueryLines } from './verification-lines.js';

/** Mutants shown at most. */
const MAX_LISTED = 20;

/** A verification of mutants as a table of verdicts by relation, and the mutants that are not equal. */
export function renderMutantVerification(verification: MutantVerification): readonly string[] {
  const { relations, unchanged, withoutDatabase, withoutGold = 0, otherQueries, nonEmpty, items } = verification;
  const tallies = Object.entries(relations);
  const counts = VERDICTS.filter((verdict) => verdict === 'equal' || tallies.some(([, tally]) => tally[verdict] > 0));
  const width = Math.max(20, ...tallies.map(([name]) => name.length + 3));
  const cells = (values: readonly (string | number)[]): string =>
    values.map((value) => String(value).padStart(11)).join('');
  return [
    `${'gold SQL executed'.padEnd(width)}${cells(counts)}`,
    ...tallies.map(([name, tally]) => `  ${name}`.padEnd(width) + cells(counts.map((verdict) => tally[verdict]))),
    ...(nonEmpty === null ? [] : [`  results with rows: ${(100 * nonEmpty).toFixed(1)}%`]),
    ...otherQueryLines(otherQueries),
    ...(unchanged === 0 ? [] : [`  on the seed’s own schema with its own gold: ${unchanged}`]),
    ...(withoutDatabase === 0 ? [] : [`  not executed, no database: ${withoutDatabase}`]),
    ...(withoutGold === 0 ? [] : [`  not executed, no gold query: ${withoutGold}`]),
    ...items.slice(0, MAX_LISTED).map(({ id, verdict, detail }) => `  ${id}: ${verdict}, ${detail ?? ''}`),
    ...(items.length > MAX_LISTED ? [`  and ${items.length - MAX_LISTED} more`] : []),
  ];
}
