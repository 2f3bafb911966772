import { dataName } from '../../formats/data-name.js';
import type { PlotSection, ReportDocument, Span } from '../../report/document/document.js';
import { nameSpan } from '../../report/document/document.js';
import { formatCount, formatNoun } from '../../counts.js';
import { countVariants } from '../augment/variant-summary.js';
import { FAULTY_VERDICTS, type Tally } from '../verify/verdict.js';
import type { Verification } from '../verify/verify-run.js';
import type { AugmentReport } from './augment-report.js';

/** Variants of a kind that were executed, and how many of them return what their originals do. */
interface Verified {
  readonly label: string;
  readonly tone: 'rpl' | 'add' | 'original';
  readonly all: number;
  readonly equal: number;
}

const totalOf = (tally: Tally): number => Object.values(tally).reduce((sum, count) => sum + count, 0);

/** By kind, those without a database among them only as far as the total of all kinds goes. */
function verifiedKinds({ RPL, ADD, mixed, mutant }: Verification): readonly Verified[] {
  const kinds = [
    ['Columns renamed (RPL)', 'rpl', RPL],
    ['Columns added (ADD)', 'add', ADD],
    ['Both (mixed)', 'original', mixed],
    ['Mutants that ask the same', 'original', mutant],
  ] as const;
  return kinds.flatMap(([label, tone, tally]) => {
    const all = tally === undefined ? 0 : totalOf(tally);
    return tally === undefined || all === 0 ? [] : [{ label, tone, all, equal: tally.equal }];
  });
}

/** Counts of variants and mutants to verify, of those that return what their originals do, and of mutants alone. */
function verifiedOf(
  report: AugmentReport,
  verification: Verification,
): Pick<Verified, 'all' | 'equal'> & { readonly mutants: number } {
  const kinds = verifiedKinds(verification);
  const sum = (key: 'all' | 'equal'): number => kinds.reduce((total, kind) => total + kind[key], 0);
  const mutants = verification.mutant === undefined ? 0 : totalOf(verification.mutant);
  return { all: Math.max(sum('all'), countVariants(report.written) + mutants), equal: sum('equal'), mutants };
}

/** The answer in a sentence: "90 examples; all 60 variants return what their originals do; 4 variants could not be made". */
export function augmentHeadline(report: AugmentReport): string {
  const { leftOut } = report;
  const missing = leftOut === 0 ? '' : `; ${formatNoun(leftOut, 'variant')} could not be made`;
  return `${describeVariants(report)}${missing}`;
}

function describeVariants(report: AugmentReport): string {
  const { written, verification } = report;
  const variants = countVariants(written);
  const total = formatNoun(written.original + variants + (written.mutants ?? 0), 'example');
  if (variants + (written.mutants ?? 0) === 0) return `${total}; nothing was perturbed`;
  if (verification === null) return `${total}, ${formatNoun(variants, 'variant')} among them; none was executed`;
  const { all, equal, mutants } = verifiedOf(report, verification);
  const what = mutants === 0 ? '' : ' and mutants';
  if (all === 0) return `${total}; nothing was executed`;
  if (equal < all)
    return `${total}; ${formatCount(equal)} of ${formatNoun(all, 'variant')}${what} return what their originals do`;
  return all === 1
    ? `${total}; the variant returns what its original does`
    : `${total}; all ${formatNoun(all, 'variant')}${what} return what their originals do`;
}

/** How many variants of which kind there are. */
function describeWritten({ written, examples, ...report }: AugmentReport): readonly (string | Span)[] {
  const { original, rpl, rplUnchanged = 0, add, mixed = 0, mixedUnchanged = 0, mutants } = written;
  const kinds = [
    [rpl, 'of renamed columns (RPL)'],
    [add, 'of tables with misleading columns added (ADD)'],
    [mixed, 'of tables with both'],
  ] as const;
  const made = kinds.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`);
  const kept = original === examples ? '' : `${formatCount(original)} of `;
  const unchanged = rplUnchanged + mixedUnchanged;
  return [
    `${kept}${formatNoun(examples, 'example')} of `,
    nameSpan(dataName(report)),
    ` ${original === 1 ? 'stays as it was' : 'stay as they were'}`,
    made.length === 0 ? '. ' : `, and variants ask the same: ${made.join(', ')}. `,
    unchanged === 0 ? '' : `The gold SQL of ${formatCount(unchanged)} names no renamed column and stays. `,
    mutants === undefined
      ? ''
      : `${formatNoun(mutants, 'mutant')} ask in other words, or of schemas that changed otherwise. `,
  ];
}

/** Describes the variants that did not return the same, the first of the faults by name. */
function describeFaults(report: AugmentReport): readonly (string | Span)[] {
  const { verification } = report;
  if (verification === null) return ['Nothing was executed: there are no databases, or --no-verify was given.'];
  const { all, equal } = verifiedOf(report, verification);
  if (equal === all) return [];
  const { items, withoutDatabase } = verification;
  const first = items.find(({ verdict }) => FAULTY_VERDICTS.has(verdict)) ?? items[0];
  const without = withoutDatabase === 0 ? '' : ` ${formatNoun(withoutDatabase, 'variant')} had no database to run on.`;
  if (first === undefined) return [without];
  const { source, kind, verdict, detail } = first;
  return ['First: ', nameSpan(`${source} ${kind}`), ` (${verdict}${detail === null ? '' : `: ${detail}`}).${without}`];
}

/** Describes the evidence for the answer, in a few sentences. */
export function augmentLede(report: AugmentReport): ReportDocument['lede'] {
  return [...describeWritten(report), ...describeFaults(report)].filter((part) => part !== '');
}

/** Share of variants that return what their originals do, by kind; null where none was executed. */
export function augmentPlot({ verification }: AugmentReport): PlotSection | null {
  const kinds = verification === null ? [] : verifiedKinds(verification);
  if (kinds.length === 0) return null;
  return {
    kind: 'plot',
    mark: 'bar',
    title: 'Variants that return what their originals do',
    groups: [
      {
        heading: '',
        lanes: kinds.map(({ label, tone, all, equal }) => ({
          label,
          figure: `${formatCount(equal)} of ${formatCount(all)}`,
          tone,
          value: equal / all,
          ends: null,
        })),
      },
    ],
    axis: { from: 0, to: 1, title: 'gold SQL, executed on the changed tables and on the original ones' },
    ticks: [],
  };
}
