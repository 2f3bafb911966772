import { NO_BREAK } from '../../report/figures.js';
import { type Html, html, rawHtml } from '../../report/html.js';
import type { SharePoint } from './joined-curve.js';

/** Ends of the axes of one or more curves; shares are drawn by their logarithm. */
export interface CurveAxes {
  /** Databases tried, at the right. */
  readonly most: number;
  /** Shares at the top and at the bottom, powers of ten; a curve that gets to 0 ends at the bottom. */
  readonly top: number;
  readonly bottom: number;
}

export interface CurvePlot {
  /** Unique within the page. */
  readonly id: string;
  readonly title: string;
  readonly points: readonly SharePoint[];
  readonly axes: CurveAxes;
  /** Pixels. */
  readonly height: number;
  /** Dashed lines to compare with, across and down; none in small plots. */
  readonly across?: { readonly share: number; readonly label: string };
  readonly down?: { readonly tried: number; readonly label: string };
}

const AXIS = 20;
/** The path's own units: it is stretched to its place, its line is not. */
const UNITS = 1000;

/** Axes that all of some curves fit into. */
export function axesOf(curves: readonly (readonly SharePoint[])[], most: number): CurveAxes {
  const shares = curves.flatMap((points) => points.map(({ share }) => share)).filter((share) => share > 0);
  const power = (share: number, round: (x: number) => number): number => 10 ** round(Math.log10(share));
  return {
    most: Math.max(1, most, ...curves.flatMap((points) => points.map(({ tried }) => tried))),
    top: power(Math.max(0.01, ...shares), Math.ceil),
    bottom: power(Math.min(0.001, ...shares), Math.floor),
  };
}

/** "10 %", "0.01 %". */
function formatCurveShare(share: number): string {
  return `${Number((share * 100).toPrecision(2))}${NO_BREAK}%`;
}

/** From the top, in [0, 1]. */
function depth(share: number, { top, bottom }: CurveAxes): number {
  if (share <= bottom) return 1;
  return Math.log(top / share) / Math.log(top / bottom);
}

function pathOf(points: readonly SharePoint[], axes: CurveAxes): string {
  const place = (part: number): number => Math.round(part * UNITS);
  const steps = points.map(({ tried, share }, i) => {
    const [x, y] = [place(tried / axes.most), place(depth(share, axes))];
    return i === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  return `${steps.join('')}H${UNITS}`;
}

/** Powers of ten between top and bottom. */
function decades({ top, bottom }: CurveAxes): readonly number[] {
  const count = Math.round(Math.log10(top / bottom));
  return Array.from({ length: count + 1 }, (_, i) => top / 10 ** i);
}

/** Round numbers along the axis: at most six. */
function roundSteps(most: number): readonly number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((one) => most / one <= 5) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

const percent = (part: number): string => `${Number((100 * part).toFixed(3))}%`;

function describe(points: readonly SharePoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'There are no neighbors.';
  return `${formatCurveShare(first.share)} at ${first.tried}, ${formatCurveShare(last.share)} from ${last.tried} on.`;
}

function renderGridLine(y: number): Html {
  return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}" />`;
}

function renderShare(share: number, y: number): Html {
  return html`<text class="tick" x="100%" y="${y}" text-anchor="end">${formatCurveShare(share)}</text>`;
}

/** Shares have a place of their own next to a large plot, where no curve and no other label comes. */
function renderWithShares(plot: Html, shares: readonly Html[], height: number): Html {
  return html`<div class="axed">
    ${plot}
    <svg aria-hidden="true" width="100%" height="${height}">${shares}</svg>
  </div>`;
}

function renderTick(tried: number, most: number, y: number): Html {
  const anchor = tried === 0 ? 'start' : tried > 0.95 * most ? 'end' : 'middle';
  return html`<text class="tick" x="${percent(tried / most)}" y="${y + 15}" text-anchor="${anchor}">${tried}</text>`;
}

/**
 * A curve that is below the line at this share of the axis leaves room above its end, and the line's label is there;
 * else there is room below its beginning.
 */
const LABEL_FROM = 0.6;

function renderAcross({ share, label }: NonNullable<CurvePlot['across']>, y: number, plot: CurvePlot): Html {
  const { points, axes, down } = plot;
  const there = points.findLast(({ tried }) => tried <= LABEL_FROM * axes.most);
  const end = down === undefined ? 1 : down.tried / axes.most;
  const isBehind = there !== undefined && there.share <= share;
  const place = isBehind
    ? html`x="${percent(end > LABEL_FROM ? end : 1)}" dx="-6" y="${y - 5}" text-anchor="end"`
    : html`x="0" y="${y + 14}"`;
  return html`<line class="threshold" x1="0" x2="100%" y1="${y}" y2="${y}" />
    <text class="threshold-label" ${place}>${label}</text>`;
}

function renderDown({ label }: NonNullable<CurvePlot['down']>, x: number, bottom: number): Html {
  const isRight = x > 0.7;
  return html`<line class="threshold" x1="${percent(x)}" x2="${percent(x)}" y1="0" y2="${bottom}" />
    <text
      class="threshold-label"
      x="${percent(x)}"
      y="12"
      dx="${isRight ? -6 : 6}"
      text-anchor="${isRight ? 'end' : 'start'}"
      >${label}</text
    >`;
}

/** Share of neighbors left by databases tried, in steps, with a logarithmic axis: Test-suite accuracy, Figure 5. */
export function renderCurve(curve: CurvePlot): Html {
  const { id, title, points, axes, height, across, down } = curve;
  const top = 18;
  const inner = height - top;
  const yOf = (share: number): number => Number((top + depth(share, axes) * inner).toFixed(1));
  const isLarge = height > 150;
  const steps = isLarge ? roundSteps(axes.most) : [0, axes.most];
  const path = rawHtml(pathOf(points, axes));
  const shares = decades(axes);
  const plot = html`<svg
    class="curve"
    role="img"
    aria-labelledby="${id}-title ${id}-desc"
    width="100%"
    height="${height + AXIS}"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-desc">${describe(points)}</desc>
    ${shares.map((share) => renderGridLine(yOf(share)))} ${!isLarge && renderShare(axes.top, top - 4)}
    ${steps.map((tried) => renderTick(tried, axes.most, height))}
    ${down !== undefined && renderDown(down, down.tried / axes.most, height)}
    ${across !== undefined && renderAcross(across, yOf(across.share), curve)}
    ${
      points.length > 0 &&
      html`<svg
        x="0"
        y="${top}"
        width="100%"
        height="${inner}"
        viewBox="0 0 ${UNITS} ${UNITS}"
        preserveAspectRatio="none"
      >
        <path class="rpl" d="${path}" vector-effect="non-scaling-stroke" />
      </svg>`
    }
  </svg>`;
  if (!isLarge) return plot;
  const labels = shares.map((share) => renderShare(share, yOf(share) + 4));
  return renderWithShares(plot, labels, height + AXIS);
}
