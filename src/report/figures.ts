import { type Html, html, NO_BREAK } from './html.js';

/** Metrics as headings. */
export const METRIC_TITLES: Readonly<Record<'exact' | 'execution', string>> = {
  exact: 'Exact match',
  execution: 'Execution accuracy',
};

/** Interval of a mean, as the reports hold it. */
export interface ReportedInterval {
  readonly low: number;
  readonly high: number;
}

/** A share in [0, 1] as a percentage with one decimal and no sign, as the paper's tables have it: "70.8". */
export function formatTenths(share: number): string {
  return (share * 100).toFixed(1);
}

/** Percent without the noise of binary fractions: 0.29 × 100 is 29, not 28.999999999999996. */
export function exactPercent(share: number): number {
  return Number((share * 100).toFixed(9));
}

/** The same with its sign: "70.8 %", which never breaks. */
export function formatPercent(share: number): string {
  return `${formatTenths(share)}${NO_BREAK}%`;
}

/** A change in [-1, 1] as points, with its sign: "−43.2", "+1.0", "0.0". */
export function formatPoints(change: number): string {
  const text = formatTenths(Math.abs(change));
  if (Number(text) === 0) return text;
  return `${change < 0 ? '−' : '+'}${text}`;
}

/** Ends of an interval of changes: "−45.1 to −41.0". */
export function formatPointRange({ low, high }: ReportedInterval): string {
  return `${formatPoints(low)} to ${formatPoints(high)}`;
}

/** A probability: "0.032", "< 0.001". */
export function formatProbability(p: number): string {
  return p < 0.001 ? `<${NO_BREAK}0.001` : p.toFixed(3);
}

/** A number cell; a dash where there is none. `value` is what it is sorted by. */
export function renderNumber(value: number | null, format: (value: number) => string, gloss: Html | null = null): Html {
  if (value === null) return html`<td class="num zero" data-sort="-2">–</td>`;
  return html`<td class="num" data-sort="${Number(value.toFixed(6))}">${format(value)}${gloss}</td>`;
}
