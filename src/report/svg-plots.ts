import { formatCount, formatNoun } from '../counts.js';
import { type Html, html } from './html.js';
import { zip } from '../present.js';

// As in svg-plots.ts: x is in percent, y and text in pixels, so text keeps its size on every screen.

/** Values in their order, from the oldest to the newest. */
interface SeriesPlot {
  /** Unique within the page. */
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  /** Class that colors it. */
  readonly className: string;
  readonly points: readonly { readonly label: string; readonly figure: string; readonly value: number }[];
  readonly axis: { readonly from: number; readonly to: number };
}

const HEADING = 20;
const TOP = 18;
const HEIGHT = 72;
const LABELS = 20;
/** Most points whose figures are all written; else those of the ends. */
const MOST_FIGURES = 5;

/** A line through values, one after the other at equal steps. */
export function renderSeriesPlot({ id, title, heading, className, points, axis }: SeriesPlot): Html {
  const start = (heading === '' ? 0 : HEADING) + TOP;
  const last = points.length - 1;
  const span = axis.to - axis.from || 1;
  const xOf = (i: number): string => `${Number((1 + (98 * i) / Math.max(1, last)).toFixed(2))}%`;
  const yOf = (value: number): number => start + Math.round(10 * HEIGHT * (1 - (value - axis.from) / span)) / 10;
  const anchorOf = (i: number): string => (i === 0 ? 'start' : i === last ? 'end' : 'middle');
  const isEnd = (i: number): boolean => i === 0 || i === last;
  const bottom = start + HEIGHT;
  return html`<svg
    class="series"
    role="img"
    aria-labelledby="${id}-title ${id}-desc"
    width="100%"
    height="${bottom + LABELS}"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-desc">${points.map(({ label, figure }) => `${label}: ${figure}`).join(', ')}</desc>
    ${heading !== '' && html`<text class="axis" x="0" y="13">${heading}</text>`}
    <line class="rail" x1="0" x2="100%" y1="${bottom}" y2="${bottom}" />
    <g class="${className}">
      ${points
        .slice(1)
        .map(
          ({ value }, i) =>
            html`<line
              class="span"
              x1="${xOf(i)}"
              x2="${xOf(i + 1)}"
              y1="${yOf(points[i]?.value ?? value)}"
              y2="${yOf(value)}"
            />`,
        )}
      ${points.map(
        ({ label, figure, value }, i) =>
          html`<circle class="mean" cx="${xOf(i)}" cy="${yOf(value)}" r="4"><title>${label}: ${figure}</title></circle>
            ${
              (isEnd(i) || points.length <= MOST_FIGURES) &&
              html`<text class="lane-count" x="${xOf(i)}" y="${yOf(value) - 8}" text-anchor="${anchorOf(i)}"
                >${figure}</text
              >`
            }`,
      )}
    </g>
    ${points.map(
      ({ label }, i) =>
        isEnd(i) &&
        html`<text class="tick" x="${i === 0 ? 0 : '100%'}" y="${bottom + 15}" text-anchor="${anchorOf(i)}"
          >${label}</text
        >`,
    )}
  </svg>`;
}

// All plots are as wide as their place: x is in percent, y and text in pixels, so text keeps its size on every screen.

/** One bucket's share of a histogram: its own row, scaled to its own tallest bar. */
export interface HistogramLane {
  readonly label: string;
  /** Class that colors the lane, "rpl". */
  readonly className: string;
  readonly bins: readonly number[];
  /** Values left of the axis, told in the lane's label. */
  readonly below: number;
  /** Range of scores that the lane's bucket accepts, tinted; in [0, 1]. */
  readonly accepted?: { readonly from: number; readonly to: number };
}

/** A vertical line at a score in [0, 1]; its label stands on the accepted side of it. */
export interface ThresholdLine {
  readonly value: number;
  readonly label: string;
  readonly side: 'left' | 'right';
}

export interface HistogramPlot {
  /** Unique within the page. */
  readonly id: string;
  readonly title: string;
  readonly lanes: readonly HistogramLane[];
  readonly thresholds: readonly ThresholdLine[];
}

const LABEL_ROW = 16;
const LANE_LABEL = 20;
const LANE_BARS = 40;
const LANE_GAP = 8;
const AXIS = 20;
const LANE = LANE_LABEL + LANE_BARS + LANE_GAP;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const percent = (share: number): string => `${Number((share * 100).toFixed(3))}%`;
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** A histogram over [0, 1] with one lane per bucket and the thresholds as lines through all lanes. */
export function renderHistogram(plot: HistogramPlot): Html {
  const rows = thresholdRows(plot.thresholds);
  const top = Math.max(...rows, -1) * LABEL_ROW + LABEL_ROW + 2;
  const bottom = top + plot.lanes.length * LANE;
  const description = plot.lanes.map(describeLane).join(' ');
  return html`<svg
    class="histogram"
    role="img"
    aria-labelledby="${plot.id}-title ${plot.id}-desc"
    width="100%"
    height="${bottom + AXIS}"
  >
    <title id="${plot.id}-title">${plot.title}</title>
    <desc id="${plot.id}-desc">${description}</desc>
    ${plot.lanes.map((lane, i) => renderLane(lane, top + i * LANE))}
    ${zip(plot.thresholds, rows).map(([line, row]) => renderThreshold(line, row * LABEL_ROW, bottom))}
    ${TICKS.map((tick) => renderTick(tick, bottom))}
  </svg>`;
}

/** Labels share one row while each stands on its own side of its line; crowded ones get a row each. */
function thresholdRows(lines: readonly ThresholdLine[]): number[] {
  const crowded = lines.some((line) => labelSide(line) !== line.side);
  return lines.map((_, i) => (crowded ? i : 0));
}

function labelSide({ value, side }: ThresholdLine): 'left' | 'right' {
  if (side === 'right' && value > 0.75) return 'left';
  return side === 'left' && value < 0.25 ? 'right' : side;
}

function describeLane({ label, bins, below }: HistogramLane): string {
  const total = sum(bins) + below;
  if (total === 0) return `${label}: none.`;
  const middle = medianBin(bins, below);
  const where = middle === -1 ? 'below 0' : `between ${binEdge(middle, bins)} and ${binEdge(middle + 1, bins)}`;
  return `${label}: ${formatNoun(total, 'value')}, median ${where}.`;
}

function medianBin(bins: readonly number[], below: number): number {
  const half = (sum(bins) + below) / 2;
  let seen = below;
  if (seen >= half) return -1;
  return bins.findIndex((count) => (seen += count) >= half);
}

const binEdge = (bin: number, bins: readonly number[]): string => (bin / bins.length).toFixed(2);

function renderLane(lane: HistogramLane, y: number): Html {
  const tallest = Math.max(...lane.bins);
  const base = y + LANE_LABEL + LANE_BARS;
  const total = sum(lane.bins) + lane.below;
  const below = lane.below === 0 ? '' : `, ${formatCount(lane.below)} below 0`;
  return html`<g class="${lane.className}">
    ${lane.accepted !== undefined && renderAccepted(lane.accepted, y + LANE_LABEL - 2)}
    <text class="lane-label" x="0" y="${y + 14}">${lane.label}</text>
    <text class="lane-count" x="100%" y="${y + 14}" text-anchor="end"
      >${total === 0 ? 'none' : `${formatCount(total)}${below}`}</text
    >
    ${lane.bins.map((count, bin) => renderBin(lane, bin, count, tallest, base))}
    <line class="baseline" x1="0" x2="100%" y1="${base}" y2="${base}"
  /></g>`;
}

function renderAccepted({ from, to }: { readonly from: number; readonly to: number }, y: number): Html {
  return html`<rect
    class="accepted"
    x="${percent(from)}"
    width="${percent(to - from)}"
    y="${y}"
    height="${LANE_BARS + 2}"
  />`;
}

function renderBin(lane: HistogramLane, bin: number, count: number, tallest: number, base: number): Html | false {
  if (count === 0) return false;
  const height = Math.max(1, Math.round((count / tallest) * LANE_BARS * 10) / 10);
  const width = 1 / lane.bins.length;
  const where = `${binEdge(bin, lane.bins)} to ${binEdge(bin + 1, lane.bins)}`;
  return html`<rect
    class="bar"
    x="${percent(bin * width + 0.003)}"
    width="${percent(width - 0.006)}"
    y="${base - height}"
    height="${height}"
    ><title>${lane.label}, ${where}: ${formatCount(count)}</title></rect
  >`;
}

function renderThreshold(line: ThresholdLine, y: number, bottom: number): Html {
  const left = labelSide(line) === 'left';
  return html`<line
      class="threshold"
      x1="${percent(line.value)}"
      x2="${percent(line.value)}"
      y1="${y + 2}"
      y2="${bottom - LANE_GAP}"
    />
    <text
      class="threshold-label"
      x="${percent(line.value)}"
      y="${y + 12}"
      dx="${left ? -5 : 5}"
      text-anchor="${left ? 'end' : 'start'}"
      >${line.label}</text
    >`;
}

function renderTick(tick: number, y: number): Html {
  const anchor = tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle';
  return html`<text class="tick" x="${percent(tick)}" y="${y + 10}" text-anchor="${anchor}">${tick}</text>`;
}

/** One part of a horizontal bar; shares are in [0, 1]. */
export interface BarPart {
  readonly share: number;
  readonly className: string;
}

/**
 * A thin horizontal bar of one or more parts next to figures that say the same, hence hidden from screen readers.
 * A part that is not zero shows at least a sliver; `track` draws the unfilled rest too.
 */
export function renderBar(parts: readonly BarPart[], track: 'track' | 'bare' = 'track'): Html {
  return html`<svg class="meter" aria-hidden="true" width="100%" height="6">
    ${track === 'track' && html`<rect class="track" width="100%" height="6" />`}${renderParts(parts, 6)}
  </svg>`;
}

function renderParts(parts: readonly BarPart[], height: number): Html[] {
  let at = 0;
  return parts
    .filter(({ share }) => share > 0)
    .map(({ share, className }) => {
      const x = at;
      at += share;
      return html`<rect
        class="${className}"
        x="${percent(x)}"
        width="${percent(Math.max(share, 0.003))}"
        height="${height}"
      />`;
    });
}
