import { formatCount } from '../counts.js';
import { type OtherQueries, type Tally, VERDICTS } from '../variants/verify/verdict.js';
import type { MutantVerification } from '../variants/verify/verify-mutants.js';
import type { Verification } from '../variants/verify/verify-run.js';

/** Variants, or mutants, shown at most. */
const MAX_LISTED = 20;

const otherQueryLine = ({ run, nonEmpty, differing }: OtherQueries): string =>
  `ask something else: ${run} gold queries run, ${nonEmpty} with rows, ${differing} with another result than their original’s`;

/** Verdicts by name as a table, what `found` and `notes` say besides, and the first of what is not equal. */
function verdictLines(
  tallies: readonly (readonly [name: string, tally: Tally])[],
  { nonEmpty, otherQueries, withoutDatabase }: Pick<Verification, 'nonEmpty' | 'otherQueries' | 'withoutDatabase'>,
  notes: readonly string[],
  unequal: readonly string[],
): readonly string[] {
  const counts = VERDICTS.filter((verdict) => verdict === 'equal' || tallies.some(([, tally]) => tally[verdict] > 0));
  const width = Math.max(20, ...tallies.map(([name]) => name.length + 3));
  const cells = (values: readonly (string | number)[]): string =>
    values.map((value) => String(value).padStart(11)).join('');
  const lines = [
    ...notes,
    ...(nonEmpty === null ? [] : [`results with rows: ${(100 * nonEmpty).toFixed(1)}%`]),
    ...(otherQueries === undefined ? [] : [otherQueryLine(otherQueries)]),
    ...(withoutDatabase === 0 ? [] : [`not executed, no database: ${withoutDatabase}`]),
    ...unequal.slice(0, MAX_LISTED),
    ...(unequal.length > MAX_LISTED ? [`and ${unequal.length - MAX_LISTED} more`] : []),
  ];
  return [
    `${'gold SQL executed'.padEnd(width)}${cells(counts)}`,
    ...tallies.map(([name, tally]) => `  ${name}`.padEnd(width) + cells(counts.map((verdict) => tally[verdict]))),
    ...lines.map((line) => `  ${line}`),
  ];
}

/** A verification as a table of verdicts by kind, and the variants that are not equal. */
export function renderVerification(verification: Verification): readonly string[] {
  const { RPL, ADD, mixed, mutant, goldUnchanged = {}, leftOut, items } = verification;
  return verdictLines(
    Object.entries({ RPL, ADD, mixed, mutants: mutant }).flatMap(([kind, tally]) => (tally ? [[kind, tally]] : [])),
    verification,
    [
      ...(leftOut.RPL + leftOut.ADD === 0 ? [] : [`left out: ${leftOut.RPL} RPL, ${leftOut.ADD} ADD`]),
      ...Object.entries(goldUnchanged).map(
        ([kind, count]) => `${kind} with the gold query of the original: ${formatCount(count)}`,
      ),
    ],
    items.map(({ source, kind, verdict, detail }) => `${source} ${kind}: ${verdict}, ${detail ?? ''}`),
  );
}

/** A verification of mutants as a table of verdicts by relation, and the mutants that are not equal. */
export function renderMutantVerification(verification: MutantVerification): readonly string[] {
  const { relations, unchanged, withoutGold = 0, items } = verification;
  return verdictLines(
    Object.entries(relations),
    verification,
    [
      ...(unchanged === 0 ? [] : [`on the seed’s own schema with its own gold: ${unchanged}`]),
      ...(withoutGold === 0 ? [] : [`not executed, no gold query: ${withoutGold}`]),
    ],
    items.map(({ id, verdict, detail }) => `${id}: ${verdict}, ${detail ?? ''}`),
  );
}
