import { join } from 'node:path';
import type { AugmentOutcome } from '../variants/augment/augment.js';
import { countVariants } from '../variants/augment/variant-summary.js';
import { isVerified } from '../variants/verify/verdict.js';
import { countNoun, formatCount } from '../counts.js';
import { firstOfGroups } from '../report/left-out.js';
import { renderVerification } from './verification-lines.js';

const PRODUCTS = ['tables.json', 'examples.json', 'provenance.jsonl', 'report.html'];

/** Returns the output of a run of augment. */
export function augmentOutput(
  outcome: AugmentOutcome,
  out: string,
): { readonly lines: readonly string[]; readonly failedCheck: boolean } {
  const { verification, unusable } = outcome;
  const isRefuted = verification !== null && !isVerified(verification);
  return { lines: renderAugmented(outcome, out), failedCheck: isRefuted || unusable.length > 0 };
}

function renderAugmented(outcome: AugmentOutcome, out: string): readonly string[] {
  const { written, leftOut, skipped, redraws, warnings, unusable, verification, fresh } = outcome;
  const { original, rpl, rplUnchanged = 0, add, mixed, mixedUnchanged = 0, mutants } = written;
  const same = (count: number, kind: string): string =>
    count === 0 ? '' : `, ${formatCount(count)} ${kind} with an unchanged gold query`;
  const total = original + countVariants(written) + (mutants ?? 0);
  const further = `${mixed === undefined ? '' : `, ${mixed - mixedUnchanged} mixed${same(mixedUnchanged, 'mixed')}`}${mutants === undefined ? '' : `, ${countNoun(mutants, 'mutant')}`}`;
  return [
    `${fresh ? '' : 'already complete: '}${countNoun(total, 'example')}: ${original} original, ${rpl - rplUnchanged} RPL${same(rplUnchanged, 'RPL')}, ${add} ADD${further}; ${countNoun(leftOut, 'variant')} left out, ${countNoun(redraws, 'name')} drawn again after a clash`,
    ...firstOfGroups(skipped, join(out, 'report.json')).map((sentence) => `  note: ${sentence}`),
    ...warnings.map((warning) => `  note: ${warning}`),
    ...unusable.map(({ id, file, reason }) => `  ${file ?? id}: ${reason}, so its variants are not executed`),
    ...(verification === null ? [] : renderVerification(verification)),
    ...(fresh ? [] : ['  (as when it was written; perturbql verify looks again)']),
    ...PRODUCTS.map((name) => `  ${join(out, name)}`),
  ];
}
