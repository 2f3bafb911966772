import { type Html, html } from '../../../src/report/html.js';

// As in svg-plots.ts: x is in percent, y and text in pixels, so text keeps its size on every screen.

/** A model as a dot; both values are shares, 0 to 1. */
interface ScatterPoint {
  /** Stands next to the dot. */
  readonly mark: string;
  /** Is said of the dot. */
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

export interface ScatterPlot {
  /** Unique within the page. */
  readonly id: string;
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly points: readonly ScatterPoint[];
}

/** One range for both axes, so that the diagonal is where two metrics agree. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

const HEIGHT = 260;
const AXIS = 40;
const TOP = 22;
/** Room for the numbers of the y axis, in percent of the width. */
const LEFT = 9;
/** The most steps between numbers of an axis. */
const STEPS = 5;
/** Where marks may be next to their dot, in pixels from its center to theirs, the first that is free. */
const SIDES = [
  { dx: 11, dy: 0 },
  { dx: -11, dy: 0 },
  { dx: 0, dy: -12 },
  { dx: 0, dy: 12 },
  { dx: 11, dy: -11 },
  { dx: -11, dy: 11 },
] as const;
type Side = (typeof SIDES)[number];
/** Marks and dots nearer than this, in pixels, lie on one another. */
const NEAR = { x: 12, y: 10 };
/** Marks are placed for the narrowest plot: elsewhere there is only more room. */
const NARROW_WIDTH = 320;

/** A range in round steps of 1, 2, 5, 10 or 20 points that holds all values. */
function rangeOf(points: readonly ScatterPoint[]): Range {
  const values = points.flatMap(({ x, y }) => [x, y]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = [0.01, 0.02, 0.05, 0.1].find((size) => (high - low) / size <= STEPS - 1) ?? 0.2;
  const from = Math.max(0, Math.floor(low / step - 1e-9) * step);
  const to = Math.min(1, Math.ceil(high / step + 1e-9) * step);
  return to > from ? { from, to, step } : { from: Math.max(0, to - step), to, step };
}

const share = (value: number, { from, to }: Range): number => (value - from) / (to - from);
const across = (value: number, range: Range): number => LEFT + (100 - LEFT - 3) * share(value, range);
const down = (value: number, range: Range): number => TOP + HEIGHT * (1 - share(value, range));
const percent = (x: number): string => `${Number(x.toFixed(3))}%`;
const pixels = (y: number): number => Number(y.toFixed(1));
const shown = (value: number): string => String(Math.round(value * 100));

function ticksOf({ from, to, step }: Range): readonly number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function renderTick(tick: number, range: Range): Html {
  const [x, y] = [percent(across(tick, range)), pixels(down(tick, range))];
  return html`<line class="grid" x1="${percent(LEFT)}" x2="${percent(97)}" y1="${y}" y2="${y}" />
    <line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${TOP + HEIGHT}" />
    <text class="tick" x="${percent(LEFT)}" dx="-6" y="${y + 4}" text-anchor="end">${shown(tick)}</text>
    <text class="tick" x="${x}" y="${TOP + HEIGHT + 16}" text-anchor="middle">${shown(tick)}</text>`;
}

interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** Where each dot's mark is: on the side where it lies on the fewest dots and earlier marks. */
function placeMarks(points: readonly ScatterPoint[], range: Range): readonly Side[] {
  const dots = points.map(({ x, y }): Pixel => ({ x: (across(x, range) / 100) * NARROW_WIDTH, y: down(y, range) }));
  const marks: Pixel[] = [];
  return dots.map((dot) => {
    const markAt = ({ dx, dy }: Side): Pixel => ({ x: dot.x + dx, y: dot.y + dy });
    const crowding = (side: Side): number => {
      const { x, y } = markAt(side);
      const isNear = (other: Pixel): boolean => Math.abs(other.x - x) < NEAR.x && Math.abs(other.y - y) < NEAR.y;
      return [...dots, ...marks].filter((other) => other !== dot && isNear(other)).length;
    };
    const side = SIDES.reduce((best, one) => (crowding(one) < crowding(best) ? one : best));
    marks.push(markAt(side));
    return side;
  });
}

function renderPoint({ mark, label, x, y }: ScatterPoint, { dx, dy }: Side, range: Range): Html {
  const [cx, cy] = [percent(across(x, range)), pixels(down(y, range))];
  return html`<circle class="mean" cx="${cx}" cy="${cy}" r="4.5"><title>${label}</title></circle>
    <text class="mark" x="${cx}" dx="${dx}" y="${pixels(cy + dy + 4)}" text-anchor="middle">${mark}</text>`;
}

/** Models as dots by two metrics, over the diagonal where both say the same (the paper's Figures 6 and 7). */
export function renderScatter({ id, title, xLabel, yLabel, points }: ScatterPlot): Html {
  const range = rangeOf(points);
  const sides = placeMarks(points, range);
  const [start, end] = [range.from, range.to].map((value) => [across(value, range), down(value, range)] as const);
  return html`<svg
    class="scatter"
    role="img"
    aria-labelledby="${id}-title ${id}-desc"
    width="100%"
    height="${TOP + HEIGHT + AXIS}"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-desc">${points.map(({ label }) => label).join('; ')}</desc>
    <text class="axis" x="0" y="12">${yLabel}</text>
    ${ticksOf(range).map((tick) => renderTick(tick, range))}
    <line class="same" x1="${percent(start![0])}" y1="${start![1]}" x2="${percent(end![0])}" y2="${end![1]}" />
    ${points.map((point, i) => renderPoint(point, sides[i]!, range))}
    <text class="axis" x="${percent(97)}" y="${TOP + HEIGHT + AXIS - 6}" text-anchor="end">${xLabel}</text>
  </svg>`;
}
