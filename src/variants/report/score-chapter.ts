import { type Bucket, BUCKETS } from '../../formats/artifacts/candidates.js';
import type { CandidatesReport } from './candidates-report.js';
import type { Chapter, HistogramSection } from '../../report/document/document.js';
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
export function scoreChapter({ histograms, settings }: CandidatesReport): Chapter {
  const plots = SCORE_PLOTS.filter(({ name }) => histogramTotal(histograms[name]) > 0);
  const unjudged = histogramTotal(histograms.e1) === 0 ? ' No judge was asked in this run.' : '';
  return {
    id: 'scores',
    heading: 'Scores',
    layout: 'folded',
    note:
      plots.length === 0
        ? 'This run has no scores.'
        : `Across: the score from 0 to 1. Each row has its own scale; the number on the right is how many decisions it holds. Tinted: the scores that its rule accepts.${unjudged}`,
    sections: plots.map((plot) => scorePlot(plot, histograms[plot.name], settings.thresholds)),
  };
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
