import { type Html, html } from './html.js';

// As in svg-plots.ts: x is in percent, y and text in pixels, so text keeps its size on every screen.

/** Values in their order, from the oldest to the newest. */
export interface SeriesPlot {
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
