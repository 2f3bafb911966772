import { formatCount } from '../counts.js';
import { type OtherQueries, VERDICTS } from '../variants/verify/verdict.js';
import type { MutantVerification } from '../variants/verify/verify-mutants.js';
import type { Verification } from '../variants/verify/verify-run.js';

/** Variants, or mutants, shown at most. */
const MAX_LISTED = 20;

/** Renders the counts of mutants that ask something else; nothing if there are none. */
function otherQueryLines(others: OtherQueries | undefined): readonly string[] {
  if (others === undefined) return [];
  const { run, nonEmpty, differing } = others;
  return [
    `  ask something else: ${run} gold queries run, ${nonEmpty} with rows, ${differing} with another result than their original’s`,
  ];
}

/** A verification as a table of verdicts by kind, and the variants that are not equal. */
export function renderVerification(verification: Verification): readonly string[] {
  const {
    RPL,
    ADD,
    mixed,
    mutant,
    goldUnchanged = {},
    leftOut,
    withoutDatabase,
    otherQueries,
    nonEmpty,
    items,
  } = verification;
  const columns = Object.entries({ RPL, ADD, mixed, mutants: mutant }).flatMap(([head, tally]) =>
    tally === undefined ? [] : [{ head, tally }],
  );
  const kinds = columns.map(({ tally }) => tally);
  const counts = VERDICTS.filter((verdict) => {
    return verdict === 'equal' || kinds.some((tally) => tally[verdict] > 0);
  });
  const cell = (value: string | number): string => String(value).padStart(9);
  return [
    `${'gold SQL executed'.padEnd(20)}${columns.map(({ head }) => cell(head)).join('')}`,
    ...counts.map((verdict) => `  ${verdict.padEnd(18)}${kinds.map((tally) => cell(tally[verdict])).join('')}`),
    ...(leftOut.RPL + leftOut.ADD === 0 ? [] : [`  ${'left out'.padEnd(18)}${cell(leftOut.RPL)}${cell(leftOut.ADD)}`]),
    ...Object.entries(goldUnchanged).map(
      ([kind, count]) => `  ${kind} with the gold query of the original: ${formatCount(count)}`,
    ),
    ...(nonEmpty === null ? [] : [`  results with rows: ${(100 * nonEmpty).toFixed(1)}%`]),
    ...otherQueryLines(otherQueries),
    ...(withoutDatabase === 0 ? [] : [`  not executed, no database: ${withoutDatabase}`]),
    ...items.slice(0, MAX_LISTED).map((item) => `  ${item.source} ${item.kind}: ${item.verdict}, ${item.detail ?? ''}`),
    ...(items.length > MAX_LISTED ? [`  and ${items.length - MAX_LISTED} more`] : []),
  ];
}

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
