import type { ReportedVerification } from '../perturb/report/augment-report.js';

/** Variants shown at most. */
const SHOWN = 20;

/** A verification as a table of verdicts by kind, and the variants that are not equal. */
export function renderVerification(verification: ReportedVerification): readonly string[] {
  const { RPL, ADD, mutant, leftOut, withoutDatabase, nonEmpty, items } = verification;
  const kinds = [RPL, ADD, ...(mutant === undefined ? [] : [mutant])];
  const counts = Object.keys(RPL).filter((verdict) => {
    return verdict === 'equal' || kinds.some((tally) => (tally[verdict] ?? 0) > 0);
  });
  const cell = (value: string | number): string => String(value).padStart(9);
  return [
    `${'gold SQL executed'.padEnd(20)}${cell('RPL')}${cell('ADD')}${mutant === undefined ? '' : cell('mutants')}`,
    ...counts.map((verdict) => `  ${verdict.padEnd(18)}${kinds.map((tally) => cell(tally[verdict] ?? 0)).join('')}`),
    ...(leftOut.RPL + leftOut.ADD === 0 ? [] : [`  ${'left out'.padEnd(18)}${cell(leftOut.RPL)}${cell(leftOut.ADD)}`]),
    ...(nonEmpty === null ? [] : [`  results with rows: ${(100 * nonEmpty).toFixed(1)} %`]),
    ...(withoutDatabase === 0 ? [] : [`  not executed, no database: ${withoutDatabase}`]),
    ...items.slice(0, SHOWN).map((item) => `  ${item.source} ${item.kind}: ${item.verdict}, ${item.detail ?? ''}`),
    ...(items.length > SHOWN ? [`  and ${items.length - SHOWN} more`] : []),
  ];
}
