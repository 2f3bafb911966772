import { formatCount } from './html.js';

/** A count with its noun, for a terminal: "1 schema", "1,200 schemas". */
export function countNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** About how long, for a terminal: "40 s", "12 min", "2.5 h". */
export function renderSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
