import type { ComponentChild } from 'preact';

/** Text in which whole words or phrases are marked, whatever their case. */
export function marked(text: string, phrases: readonly string[]): readonly ComponentChild[] {
  const escaped = phrases
    .filter((phrase) => phrase !== '')
    .map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (escaped.length === 0) return [text];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}
