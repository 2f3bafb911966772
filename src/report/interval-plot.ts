import { endsOf, type ReportedInterval } from './figures.js';
import { type Html, html } from './html.js';
import { zip } from '../present.js';

// As in svg-plots.ts: x is in percent, y and text in pixels, so text keeps its size on every screen.

/** A value with its interval on a row of its own. */
interface IntervalLane {
  readonly label: string;
  /** The value as text, at the row's right. */
  readonly figure: string;
  /** Class that colors the lane, "rpl". */
  readonly className: string;
  readonly value: number;
  readonly interval: ReportedInterval | null;
  /** Single values that the mean is of: one per seed. */
  readonly points?: readonly number[];
}

export interface IntervalPlot {
  /** Unique within the page. */
  readonly id: string;
  readonly title: string;
  readonly groups: readonly { readonly heading: string; readonly lanes: readonly IntervalLane[] }[];
  /** Ends of the axis, and what is written along it. */
  readonly axis: { readonly from: number; readonly to: number; readonly ticks: readonly number[] };
  readonly formatTick: (value: number) => string;
  /** The quantity along the axis, with its unit. */
  readonly axisTitle: string;
}

const HEADING = 23;
const LANE = 33;
const LANE_TEXT = 12;
const LANE_MARK = 21;
const AXIS = 22;
const AXIS_TITLE = 16;

/** A share of the width, kept inside of it. */
function place(value: number, { from, to }: IntervalPlot['axis']): string {
  const share = (value - from) / (to - from);
  return `${Number((100 * Math.min(1, Math.max(0, share))).toFixed(3))}%`;
}

/** Values with their intervals as dots on lines over a common axis, in groups with a heading each. */
export function renderIntervalPlot(plot: IntervalPlot): Html {
  const { id, title, groups, axis, formatTick, axisTitle } = plot;
  const heights = groups.map(({ heading, lanes }) => (heading === '' ? 0 : HEADING) + lanes.length * LANE);
  let bottom = 0;
  const tops = heights.map((height) => (bottom += height) - height);
  const description = groups.flatMap(({ heading, lanes }) =>
    lanes.map(({ label, figure }) => [heading, label, figure].filter((part) => part !== '').join(' ')),
  );
  return html`<svg
    class="intervals"
    role="img"
    aria-labelledby="${id}-title ${id}-desc"
    width="100%"
    height="${bottom + AXIS + AXIS_TITLE}"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-desc">${description.join(', ')}</desc>
    ${axis.from < 0 && html`<line class="zero" x1="${place(0, axis)}" x2="${place(0, axis)}" y1="0" y2="${bottom}" />`}
    ${axis.ticks.map((tick) => renderTick(formatTick(tick), tick, axis, bottom))}
    <text class="axis" x="100%" y="${bottom + AXIS + 12}" text-anchor="end">${axisTitle}</text>
    ${zip(groups, tops).map(([group, top]) => renderGroup(group, top, axis))}
  </svg>`;
}

function renderGroup(
  { heading, lanes }: IntervalPlot['groups'][number],
  top: number,
  axis: IntervalPlot['axis'],
): Html {
  const start = top + (heading === '' ? 0 : HEADING);
  const title = heading !== '' && html`<text class="group" x="0" y="${top + 14}">${heading}</text>`;
  return html`${title}${lanes.map((lane, i) => renderLane(lane, start + i * LANE, axis))}`;
}

function renderLane(lane: IntervalLane, top: number, axis: IntervalPlot['axis']): Html {
  const { label, figure, className, value, interval, points = [] } = lane;
  const y = top + LANE_MARK;
  const known = endsOf(interval);
  return html`<g class="${className}">
    <text class="lane-label" x="0" y="${top + LANE_TEXT}">${label}</text>
    <text class="lane-count" x="100%" y="${top + LANE_TEXT}" text-anchor="end">${figure}</text>
    <line class="rail" x1="0" x2="100%" y1="${y}" y2="${y}" />
    ${axis.ticks.map((tick) => html`<line class="grid" x1="${place(tick, axis)}" x2="${place(tick, axis)}" y1="${y - 4}" y2="${y + 4}" />`)}
    ${points.map((point) => html`<line class="seed" x1="${place(point, axis)}" x2="${place(point, axis)}" y1="${y + 4}" y2="${y + 8}" />`)}
    ${known !== null && html`<line class="span" x1="${place(known.low, axis)}" x2="${place(known.high, axis)}" y1="${y}" y2="${y}" />`}
    <circle class="mean" cx="${place(value, axis)}" cy="${y}" r="4.5" />
  </g>`;
}

function renderTick(text: string, tick: number, axis: IntervalPlot['axis'], y: number): Html {
  const x = place(tick, axis);
  const anchor = tick === axis.from ? 'start' : tick === axis.to ? 'end' : 'middle';
  return html`<text class="tick" x="${x}" y="${y + 16}" text-anchor="${anchor}">${text}</text>`;
}
