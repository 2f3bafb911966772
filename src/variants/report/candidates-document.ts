import { type Bucket, BUCKETS } from '../../formats/artifacts/candidates.js';
import type { BucketCounts } from '../../report/column-tally.js';
import type { CasesSection } from '../../report/document/case.js';
import {
  type Cell,
  type Chapter,
  type FactsSection,
  type HistogramSection,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type TableSection,
} from '../../report/document/document.js';
import { chapterOf, factsOf, headed, orderedBars, shareLane, tableOf } from '../../report/document/sections.js';
import { formatCount, formatNoun } from '../../counts.js';
import { formatPercent } from '../../report/figures.js';
import { dataName } from '../../formats/dataset.js';
import type { BasicStatistics } from './basic-statistics.js';
import { type CandidatesReport, type CoverageShare, describeReason } from './candidates-report.js';
import { named, settingsSections } from './shared-sections.js';
import { histogramTotal, type ScoreHistogram, type ScoreName } from './score-histogram.js';

/** Buckets as the rows of a plot name them. */
const BUCKET_WORDS: Readonly<Record<Bucket, string>> = {
  RPL: 'RPL, replaces the column',
  ADD: 'ADD, added next to it',
  rejected: 'Rejected',
};

interface ScorePlot {
  readonly name: ScoreName;
  readonly title: string;
  readonly note: string;
  readonly thresholds: readonly ('rplMin' | 'addMax')[];
}

const SCORE_PLOTS: readonly ScorePlot[] = [
  {
    name: 'lower',
    title: 'Weaker entailment, min(e1, e2)',
    note: 'Decides on RPL. Where the backward direction (e2) was not needed, the forward one (e1) alone.',
    thresholds: ['rplMin'],
  },
  {
    name: 'upper',
    title: 'Stronger entailment, max(e1, e2)',
    note: 'Decides on ADD. Dictionary names are left out.',
    thresholds: ['addMax'],
  },
  {
    name: 'e1',
    title: 'Forward entailment, e1',
    note: 'Column as premise, candidate as hypothesis.',
    thresholds: ['addMax', 'rplMin'],
  },
  {
    name: 'e2',
    title: 'Backward entailment, e2',
    note: 'Candidate as premise; only where it was needed.',
    thresholds: ['addMax', 'rplMin'],
  },
  {
    name: 'similarity',
    title: 'Similarity',
    note: 'Cosine of the word vectors of column and candidate.',
    thresholds: [],
  },
];

/** How the scores are spread over the buckets, with the thresholds that were in force. */
function scoreChapter({ histograms, settings }: CandidatesReport): Chapter {
  const plots = SCORE_PLOTS.filter(({ name }) => histogramTotal(histograms[name]) > 0);
  const unjudged = histogramTotal(histograms.e1) === 0 ? ' No judge was asked in this run.' : '';
  const note =
    plots.length === 0
      ? 'This run has no scores.'
      : `Across: the score from 0 to 1. Each row has its own scale; the number on the right is how many decisions it holds. Tinted: the scores that its rule accepts.${unjudged}`;
  const sections = plots.map((plot) => scorePlot(plot, histograms[plot.name], settings.thresholds));
  return chapterOf('scores', 'Scores', sections, { layout: 'folded', note });
}

function scorePlot(
  { name, title, note, thresholds }: ScorePlot,
  histogram: ScoreHistogram,
  limits: { readonly rplMin: number; readonly addMax: number } | null,
): HistogramSection {
  const lines: Record<'rplMin' | 'addMax', HistogramSection['thresholds'][number]> | null = limits && {
    rplMin: { value: limits.rplMin, label: `RPL ≥ ${limits.rplMin}`, side: 'right' },
    addMax: { value: limits.addMax, label: `ADD ≤ ${limits.addMax}`, side: 'left' },
  };
  const accepted = (bucket: Bucket): Pick<HistogramSection['lanes'][number], 'accepted'> => {
    if (limits === null) return {};
    if (bucket === 'RPL' && name === 'lower') return { accepted: { from: limits.rplMin, to: 1 } };
    return bucket === 'ADD' && name === 'upper' ? { accepted: { from: 0, to: limits.addMax } } : {};
  };
  return {
    kind: 'histogram',
    title,
    note,
    lanes: BUCKETS.map((bucket) => ({
      label: BUCKET_WORDS[bucket],
      className: bucket.toLowerCase(),
      bins: histogram.bins[bucket],
      below: histogram.below[bucket],
      ...accepted(bucket),
    })),
    thresholds: lines === null ? [] : thresholds.map((limit) => lines[limit]),
  };
}

/** The answer in a sentence: "71 of 73 columns got a replacement, 58 a misleading column to add". */
function headlineOf({ coverage }: CandidatesReport): string {
  const { withRpl, withAdd, targetColumns } = coverage;
  if (targetColumns === 0) return 'There were no columns to perturb';
  const of = `${formatCount(withRpl.columns)} of ${formatNoun(targetColumns, 'column')} got a replacement`;
  return `${of}, ${formatCount(withAdd.columns)} a misleading column to add`;
}

/** Share of the columns that names were found for; null where there are no columns. */
function coveragePlot({ coverage }: CandidatesReport): PlotSection | null {
  const { targetColumns, withRpl, withAdd, withThreeAdd, withCloseAdd } = coverage;
  if (targetColumns === 0) return null;
  const lane = (label: string, tone: 'rpl' | 'add', { columns, share }: CoverageShare) =>
    shareLane(label, share, null, tone, formatCount(columns));
  const lanes = [
    lane('A replacement (RPL)', 'rpl', withRpl),
    lane('An addition (ADD)', 'add', withAdd),
    lane('Three additions', 'add', withThreeAdd),
    lane('One close to its column', 'add', withCloseAdd),
  ];
  const axis = `of ${formatNoun(targetColumns, 'column')} that were to be perturbed`;
  return orderedBars('Columns with names', lanes, axis);
}

function ledeOf({ totals, coverage, ...report }: CandidatesReport): ReportDocument['lede'] {
  const { RPL, ADD, rejected } = totals.buckets;
  const { withoutAny } = coverage;
  const without = withoutAny.length === 0 ? '' : ` ${formatNoun(withoutAny.length, 'column')} got neither.`;
  return [
    `Of ${formatNoun(totals.decisions, 'name')} proposed for the columns of `,
    nameSpan(dataName(report)),
    `, ${formatCount(RPL)} mean the same as their column (RPL), ${formatCount(ADD)} are related but mean something else (ADD), and ${formatCount(rejected)} were rejected.${without}`,
  ];
}

function reasonChapters({ totals, reasonDescriptions }: CandidatesReport): readonly Chapter[] {
  const reasons = totals.reasons.filter(({ bucket }) => bucket === 'rejected');
  const { rejected } = totals.buckets;
  if (reasons.length === 0) return [];
  const rows = reasons.map(({ reason, count }) => ({
    cells: [
      { text: describeReason(reason, reasonDescriptions), sub: [{ text: reason, as: 'code' as const }] },
      count,
      { text: formatPercent(count / rejected), bar: count / rejected, tone: 'soft' as const, sort: count },
    ],
  }));
  const caption = `${formatNoun(rejected, 'rejected name')}, each by the rule that rejected it`;
  const table = tableOf(caption, headed('Because', 'Names', 'Share'), rows);
  return [chapterOf('rejections', 'Why names were rejected', [table], { link: 'Rejections' })];
}

const BUCKET_HEADS = BUCKETS.map((bucket) => (bucket === 'rejected' ? 'Rejected' : bucket));

const bucketCells = (counts: BucketCounts): readonly Cell[] => BUCKETS.map((bucket) => counts[bucket]);

function tableChapter({ tables }: CandidatesReport): Chapter {
  const columns = headed(
    'Table',
    ['Columns', 'columns that were to be perturbed'],
    ['With RPL', 'columns with a replacement'],
    ['With ADD', 'columns with an addition'],
    ...BUCKET_HEADS,
  );
  const rows = tables.map(({ dbId, table, tableOriginal, targetColumns, withRpl, withAdd, ...counts }) => {
    const name = { text: named(table, tableOriginal), sub: [nameSpan(dbId)] };
    return { cells: [name, targetColumns, withRpl, withAdd, ...bucketCells(counts)] };
  });
  const sections = [tableOf('Names by table', columns, rows, 'table or database')];
  return chapterOf('tables', 'Tables', sections, { layout: 'folded' });
}

const STATISTIC_LABELS: readonly (readonly [key: keyof BasicStatistics, label: string])[] = [
  ['totalTables', 'Total tables'],
  ['averageColumnsPerTable', 'Columns per table'],
  ['averagePerturbedColumnsPerTable', 'Perturbed columns per table'],
  ['averageCandidatesPerColumn', 'Candidates per column'],
  ['uniqueColumns', 'Unique columns'],
  ['uniqueVocabulary', 'Unique vocabulary'],
];

function statisticTable({ statistics, published }: CandidatesReport): TableSection {
  const text = (value: number): string => (Number.isInteger(value) ? formatCount(value) : value.toFixed(2));
  const compared = published === null ? '' : '; in small print the dev set as the paper’s annotators perturbed it';
  const rows = STATISTIC_LABELS.map(([key, label]) => {
    const figures = (['original', 'rpl', 'add'] as const).map((side): Cell => {
      const [own, theirs] = [statistics[key][side], published?.[key][side] ?? null];
      return own === null ? null : { text: text(own), ...(theirs !== null && { sub: text(theirs) }) };
    });
    return { cells: [label, ...figures] };
  });
  return tableOf(
    `Basic statistics, as in Table 1 of the ADVETA paper: of perturbed columns alone${compared}`,
    headed('Statistic', 'Original', 'RPL', 'ADD'),
    rows,
  );
}

function sourceTable({ totals }: CandidatesReport): TableSection {
  const rows = totals.sources.map(({ source, ...counts }) => ({ cells: [source, ...bucketCells(counts)] }));
  return tableOf('Where names came from, and what became of them', headed('Source', ...BUCKET_HEADS), rows);
}

function countFacts({ totals, coverage, counts }: CandidatesReport): FactsSection {
  const { databases } = coverage;
  return factsOf([
    ['Databases with names of both kinds', `${formatCount(databases.withBoth)} of ${formatCount(databases.total)}`],
    ['Borderline names, which another kind of CPU may decide otherwise', formatCount(totals.buckets.near)],
    ...Object.entries(counts).map(([name, count]) => [[nameSpan(name)], formatCount(count)] as const),
  ]);
}

function detailChapter(report: CandidatesReport): Chapter {
  const { dataset, settings } = report;
  const data: FactsSection['facts'] = [
    ['Columns of', [nameSpan(dataName(report))]],
    ['Format', [nameSpan(dataset)]],
  ];
  const sections = [
    countFacts(report),
    sourceTable(report),
    statisticTable(report),
    ...settingsSections(settings, data),
  ];
  return chapterOf('details', 'Details', sections, { layout: 'folded' });
}

/** The report of `perturbql candidates` as a document; `columns` are the columns with their names. */
export function candidatesDocument(report: CandidatesReport, columns: CasesSection): ReportDocument {
  const { settings, warnings } = report;
  const name = dataName(report);
  const note =
    'A column with the names that were accepted for it, and up to two that each rule rejected. e1 says how far the column’s name entails the other, e2 the other way around.';
  return {
    title: `${name}, ${settings.recipe}: candidates`,
    command: 'candidates',
    subject: ['examples ', nameSpan(name), ' · recipe ', nameSpan(settings.recipe)],
    headline: headlineOf(report),
    lede: ledeOf(report),
    plot: coveragePlot(report),
    warnings,
    chapters: [
      ...(columns.cases.length === 0 ? [] : [chapterOf('columns', 'Columns', [columns], { note })]),
      ...reasonChapters(report),
      tableChapter(report),
      scoreChapter(report),
      detailChapter(report),
    ],
    version: settings.version,
    footer: 'candidates.jsonl has all names, report.json the figures of this page.',
  };
}
