import { type Bucket, BUCKETS } from '../../formats/artifacts/candidates.js';
import type { CandidatesReport } from './candidates-report.js';
import { type Html, html } from '../../report/html.js';
import { histogramTotal, type ScoreHistogram, type ScoreName } from './score-histogram.js';
import { type HistogramLane, renderHistogram, type ThresholdLine } from '../../report/svg-plots.js';

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
  readonly wide?: boolean;
}

const SCORE_PLOTS: readonly ScorePlot[] = [
  {
    name: 'lower',
    title: 'Weaker entailment, min(e1, e2)',
    note: 'Decides on RPL. Where the backward direction (e2) was not needed, the forward one (e1) alone.',
    thresholds: ['rplMin'],
    wide: true,
  },
  {
    name: 'upper',
    title: 'Stronger entailment, max(e1, e2)',
    note: 'Decides on ADD. Dictionary names are left out.',
    thresholds: ['addMax'],
    wide: true,
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
export function renderScores({ histograms, settings }: CandidatesReport): Html {
  const plots = SCORE_PLOTS.filter(({ name }) => histogramTotal(histograms[name]) > 0);
  if (plots.length === 0) return html`<p class="note">This run has no scores.</p>`;
  const unjudged = histogramTotal(histograms.e1) === 0 && ' No judge was asked in this run.';
  return html`<p class="note">
      Across: the score from 0 to 1. Each row has its own scale; the number on the right is how many decisions it holds.
      Tinted: the scores that its rule accepts.${unjudged}
    </p>
    <div class="body plots">
      ${plots.map((plot) => {
        const caption = html`<figcaption>
          <h3>${plot.title}</h3>
          <span>${plot.note}</span>
        </figcaption>`;
        return html`<figure${plot.wide === true && html` class="wide"`}>${caption}${renderScorePlot(plot, histograms[plot.name], settings.thresholds)}</figure>`;
      })}
    </div>`;
}

function renderScorePlot(
  plot: ScorePlot,
  histogram: ScoreHistogram,
  limits: { readonly rplMin: number; readonly addMax: number } | null,
): Html {
  const lines: Record<'rplMin' | 'addMax', ThresholdLine> | null = limits && {
    rplMin: { value: limits.rplMin, label: `RPL ≥ ${limits.rplMin}`, side: 'right' },
    addMax: { value: limits.addMax, label: `ADD ≤ ${limits.addMax}`, side: 'left' },
  };
  const accepted = (bucket: Bucket): Pick<HistogramLane, 'accepted'> => {
    if (limits === null) return {};
    if (bucket === 'RPL' && plot.name === 'lower') return { accepted: { from: limits.rplMin, to: 1 } };
    return bucket === 'ADD' && plot.name === 'upper' ? { accepted: { from: 0, to: limits.addMax } } : {};
  };
  return renderHistogram({
    id: `plot-${plot.name}`,
    title: `${plot.title}: distribution by bucket`,
    lanes: BUCKETS.map((bucket) => ({
      label: BUCKET_WORDS[bucket],
      className: bucket.toLowerCase(),
      bins: histogram.bins[bucket],
      below: histogram.below[bucket],
      ...accepted(bucket),
    })),
    thresholds: lines === null ? [] : plot.thresholds.map((name) => lines[name]),
  });
}
