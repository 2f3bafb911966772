import { formatCount, NO_BREAK } from '../counts.js';

// Numbers as text, on pages and in terminals.

/** Ids named in a warning. */
const SHOWN_IDS = 5;

/** The first ids of a list, for a warning: "dev:1, dev:2, …". */
export function someIds(ids: readonly string[]): string {
  return `${ids.slice(0, SHOWN_IDS).join(', ')}${ids.length > SHOWN_IDS ? ', …' : ''}`;
}

/** About how long, for a terminal: "40 s", "12 min", "2.5 h". */
export function renderSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Interval of a mean, as the reports hold it; ends are null where there were too few groups to tell them. */
export interface ReportedInterval {
  readonly low: number | null;
  readonly high: number | null;
}

/** Returns the words in place of the ends of an interval; `units`: the units drawn to find one, "databases". */
export function tooFew(units: string): string {
  return `fewer than 5 ${units}: no interval`;
}

/** The ends of an interval; null where there is none. */
export function endsOf(interval: ReportedInterval | null): { readonly low: number; readonly high: number } | null {
  const { low = null, high = null } = interval ?? {};
  return low === null || high === null ? null : { low, high };
}

/** The ends of an interval, or why there are none; `units`: what is drawn to find one. */
export function formatRange(interval: ReportedInterval, units: string, format: (end: number) => string): string {
  const ends = endsOf(interval);
  return ends === null ? tooFew(units) : `${format(ends.low)} to ${format(ends.high)}`;
}

/** The interval of the change the other way around. */
export function negated(interval: ReportedInterval): ReportedInterval {
  const ends = endsOf(interval);
  return ends === null ? interval : { low: -ends.high, high: -ends.low };
}

/** A share in [0, 1] as a percentage with one decimal and no sign, as the paper's tables have it: "70.8". */
export function formatTenths(share: number): string {
  return (share * 100).toFixed(1);
}

/** Percent without the noise of binary fractions: 0.29 × 100 is 29, not 28.999999999999996. */
export function exactPercent(share: number): number {
  return Number((share * 100).toFixed(9));
}

/** A share in [0, 1] as a percentage: "70.8%"; "0.1%" and "99.9%" where rounding would say none or all. */
export function formatPercent(share: number): string {
  const [least, most] = [share > 0 ? 0.001 : 0, share < 1 ? 0.999 : 1];
  return `${formatTenths(Math.min(most, Math.max(least, share)))}%`;
}

/** A relative change as a percentage with its sign: "−61.0%". */
export function formatRelative(change: number): string {
  return `${formatPoints(change)}%`;
}

/** A change in [-1, 1] as points, with its sign: "−43.2", "+1.0", "0.0". */
export function formatPoints(change: number): string {
  const text = formatTenths(Math.abs(change));
  if (Number(text) === 0) return text;
  return `${change < 0 ? '−' : '+'}${text}`;
}

/** Ends of an interval of changes: "−45.1 to −41.0". */
export function formatPointRange(interval: ReportedInterval, units: string): string {
  return formatRange(interval, units, formatPoints);
}

/** A probability: "0.032", "< 0.001". */
export function formatProbability(p: number): string {
  return p < 0.001 ? `<${NO_BREAK}0.001` : p.toFixed(3);
}

/** Share of neighbors left, in [0, 1], with as many digits as it is small: "12%", "0.43%", "0%". */
export function formatLeft(share: number): string {
  if (share === 0) return '0%';
  const percent = share * 100;
  return `${percent >= 10 ? Math.round(percent) : percent.toFixed(percent >= 1 ? 1 : 2)}%`;
}

/** "12 kB", "3.4 MB", "120 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1000)} kB`;
  const megabytes = bytes / 1e6;
  return `${megabytes < 10 ? megabytes.toFixed(1) : formatCount(Math.round(megabytes))} MB`;
}
