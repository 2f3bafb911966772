import {
  type Chapter,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type Span,
  type TableSection,
} from '../../report/document/document.js';
import {
  chapterOf,
  type Fact,
  factsOf,
  headed,
  leftOutTable,
  type MaybeFact,
  orderedBars,
  shareLane,
  tableOf,
  words,
} from '../../report/document/sections.js';
import { formatCount, formatNoun } from '../../counts.js';
import type { CasesSection } from '../../report/document/case.js';
import { countVariants } from '../augment/variant-summary.js';
import type { UnchangedColumn } from '../augment/unchanged-columns.js';
import { FAULTY_VERDICTS, type Tally, type Verdict, VERDICTS } from '../verify/verdict.js';
import type { Verification } from '../verify/verify-run.js';
import { augmentCases } from './augment-cases.js';
import { dataName } from '../../formats/dataset.js';
import type { AugmentReport } from './augment-report.js';
import { columnText, settingsSections } from './shared-sections.js';

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
function augmentHeadline(report: AugmentReport): string {
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

/** Share of variants that return what their originals do, by kind; null where none was executed. */
function augmentPlot({ verification }: AugmentReport): PlotSection | null {
  const kinds = verification === null ? [] : verifiedKinds(verification);
  if (kinds.length === 0) return null;
  const lanes = kinds.map(({ label, tone, all, equal }) =>
    shareLane(label, equal / all, null, tone, `${formatCount(equal)} of ${formatCount(all)}`),
  );
  const axis = 'gold SQL, executed on the changed tables and on the original ones';
  return orderedBars('Variants that return what their originals do', lanes, axis);
}

/** The meaning of each verdict on a variant. */
const VERDICT_GLOSSES: Readonly<Record<Verdict, string>> = {
  equal: 'the rows of the original',
  tie: 'the result depends on the order of stored rows, on the original too',
  'kept-star': 'a star that --keep-star left returns the added columns',
  'bad-gold': 'the gold query fails on its own original',
  'timed-out': 'the original takes too long or returns too much',
  different: 'other rows than the original',
  failed: 'does not run on the variant',
};

function caseChapters({ written }: AugmentReport, cases: CasesSection): readonly Chapter[] {
  const [shown, all] = [cases.cases.length, countVariants(written)];
  if (shown === 0) return [];
  const part =
    shown < all
      ? ` Shown are ${formatCount(shown)} of ${formatNoun(all, 'variant')}, chosen by a fixed rule and spread over the databases.`
      : '';
  const note = `A question on its original tables and on changed ones, what changed marked; questions stay as they are.${part}`;
  return [chapterOf('examples', 'Examples', [cases], { note })];
}

/** Variants that are not simply equal, one by one. */
function unequalChapters(verification: Verification | null): readonly Chapter[] {
  if (verification === null || verification.items.length === 0) return [];
  const rows = verification.items.map(({ source, kind, verdict, detail }) => ({
    cells: [[nameSpan(`${source} ${kind}`)], verdict, detail ?? VERDICT_GLOSSES[verdict]],
  }));
  const columns = [words('Variant'), words('Verdict'), words('Because')];
  const table = tableOf('Variants with another verdict than equal', columns, rows, 'variant');
  return [chapterOf('unequal', 'Variants that do not simply return the same', [table], { link: 'Not the same' })];
}

const UNCHANGED_REASONS: Readonly<Record<UnchangedColumn['reason'], string>> = {
  'no name': 'no name was accepted for it',
  'no fitting name':
    'its names clash with the schema’s or with those of other changed columns, or are much longer than the schema’s',
};

function unchangedTable(columns: readonly UnchangedColumn[]): TableSection {
  return tableOf(
    'Columns that no variant changes, though queries mention them',
    [words('Column'), words('Without'), words('Because')],
    columns.map(({ bucket, reason, ...column }) => ({
      cells: [{ text: columnText(column), sub: [nameSpan(column.dbId)] }, bucket, UNCHANGED_REASONS[reason]],
    })),
    columns.length > 1 ? 'column' : undefined,
  );
}

function leftOutChapters({ skipped, unchangedColumns, leftOut }: AugmentReport): readonly Chapter[] {
  if (skipped.length === 0 && unchangedColumns.length === 0) return [];
  const columns = unchangedColumns.length === 0 ? '' : '; some columns are in none of them';
  const note =
    leftOut === 0
      ? `Every example has all its variants${columns}.`
      : `${formatNoun(leftOut, 'variant')} could not be made${columns}.`;
  const tables = [
    ...(skipped.length === 0 ? [] : [leftOutTable('Records, examples and variants that were left out', skipped)]),
    ...(unchangedColumns.length === 0 ? [] : [unchangedTable(unchangedColumns)]),
  ];
  return [chapterOf('left', 'What was left out', tables, { link: 'Left out', note })];
}

function verdictTable({ RPL, ADD, mixed, mutant }: Verification): TableSection {
  const kinds = Object.entries({ RPL, ADD, Mixed: mixed, Mutants: mutant }).flatMap(([head, tally]) =>
    tally === undefined ? [] : [{ head, tally }],
  );
  const shown = VERDICTS.filter((verdict) => kinds.some(({ tally }) => tally[verdict] > 0));
  return tableOf(
    'Verdicts on the gold queries',
    [...headed('Verdict', ...kinds.map(({ head }) => head)), words('Meaning')],
    shown.map((verdict) => ({
      cells: [verdict, ...kinds.map(({ tally }) => tally[verdict]), VERDICT_GLOSSES[verdict]],
    })),
  );
}

function verifiedFacts({ verification }: AugmentReport): readonly MaybeFact[] {
  if (verification === null) return [['Gold SQL', 'not executed: no databases, or --no-verify']];
  const { nonEmpty, withoutDatabase, otherQueries, comparison } = verification;
  return [
    ['Results compared by', comparison],
    nonEmpty !== null && ['Results with rows', `${(100 * nonEmpty).toFixed(1)}%`],
    withoutDatabase > 0 && ['Without a database to run on', formatCount(withoutDatabase)],
    otherQueries && ['Mutants that ask something else, whose gold SQL runs', formatCount(otherQueries.run)],
  ];
}

function writtenFacts({
  written,
  leftOut,
  redraws,
  literals,
  syntheticDatabases,
}: AugmentReport): readonly MaybeFact[] {
  const { original, rpl, rplUnchanged = 0, add, mixed, mixedUnchanged = 0, mutants } = written;
  const same = (count: number): string => (count === 0 ? '' : `, ${formatCount(count)} with unchanged gold SQL`);
  return [
    ['Originals', formatCount(original)],
    ['Columns renamed (RPL)', `${formatCount(rpl)}${same(rplUnchanged)}`],
    ['Columns added (ADD)', formatCount(add)],
    mixed !== undefined && ['Both (mixed)', `${formatCount(mixed)}${same(mixedUnchanged)}`],
    mutants !== undefined && ['Mutants', formatCount(mutants)],
    ['Variants that could not be made', formatCount(leftOut)],
    ['Names drawn again, as they clashed', formatCount(redraws)],
    ['Double-quoted strings written in single quotes', formatCount(literals)],
    syntheticDatabases && ['Databases with synthetic rows', formatCount(syntheticDatabases.length)],
  ];
}

function detailChapter(report: AugmentReport): Chapter {
  const { verification, settings, dataset } = report;
  const data: readonly Fact[] = [
    ['Examples of', [nameSpan(dataName(report))]],
    ['Format', [nameSpan(dataset)]],
  ];
  const sections = [
    factsOf([...writtenFacts(report), ...verifiedFacts(report)]),
    ...(verification === null ? [] : [verdictTable(verification)]),
    ...settingsSections(settings, data),
  ];
  return chapterOf('details', 'Details', sections, { layout: 'folded' });
}

/** The report of `perturbql augment` as a document. */
export function augmentDocument(report: AugmentReport): ReportDocument {
  const { settings, warnings, verification } = report;
  const name = dataName(report);
  return {
    title: `${name}, ${settings.recipe}: augmented`,
    command: 'augment',
    subject: ['examples ', nameSpan(name), ' · recipe ', nameSpan(settings.recipe)],
    headline: augmentHeadline(report),
    lede: [...describeWritten(report), ...describeFaults(report)].filter((part) => part !== ''),
    plot: augmentPlot(report),
    warnings,
    chapters: [
      ...caseChapters(report, augmentCases(report)),
      ...unequalChapters(verification),
      ...leftOutChapters(report),
      detailChapter(report),
    ],
    version: settings.version,
  };
}
