import type { Expression, FunctionCall } from '../../../sql/ast.js';
import { bareExpression } from '../../../sql/ast-walk.js';
import type { AuditedGold } from '../audited-gold.js';
import { bothSides, type ReadQuery } from '../read-query.js';
import { type GoldFinding, plainFinding } from '../finding.js';

/** The output of each letter in a format of strftime, as a pattern. https://sqlite.org/lang_datefunc.html §4 */
const FORMAT_LETTERS: Readonly<Record<string, string>> = {
  d: '\\d\\d',
  e: '[ \\d]\\d',
  f: '\\d\\d\\.\\d+',
  F: '-?\\d{4}-\\d\\d-\\d\\d',
  g: '\\d\\d',
  G: '-?\\d{4}',
  H: '\\d\\d',
  I: '\\d\\d',
  j: '\\d{3}',
  J: '.+',
  k: '[ \\d]\\d',
  l: '[ \\d]\\d',
  m: '\\d\\d',
  M: '\\d\\d',
  p: '[AP]M',
  P: '[ap]m',
  R: '\\d\\d:\\d\\d',
  s: '-?\\d+',
  S: '\\d\\d',
  T: '\\d\\d:\\d\\d:\\d\\d',
  u: '\\d',
  U: '\\d\\d',
  V: '\\d\\d',
  w: '\\d',
  W: '\\d\\d',
  Y: '-?\\d{4}',
  '%': '%',
};

/** Letters that give no part of a date: of these formats a time without a date is enough. */
const TIME_LETTERS = 'fHIklMpPRST%';

/** The text that a call for a date or a time gives. */
interface TimeText {
  readonly call: FunctionCall;
  readonly format: string;
}

const FORMATS: Readonly<Record<string, string>> = { date: '%F', time: '%T', datetime: '%F %T' };

/** A call that gives a date or a time as text, in a format that the query says; null for all else. */
function timeText(query: ReadQuery, node: Expression): TimeText | null {
  const call = bareExpression(node);
  if (call.kind !== 'function' || call.star) return null;
  const name = call.name.name.toLowerCase();
  const [first] = call.args;
  const format = name === 'strftime' ? first && query.value(first) : FORMATS[name];
  return typeof format === 'string' ? { call, format } : null;
}

const lettersOf = (format: string): readonly string[] =>
  [...format.matchAll(/%(.?)/gsu)].map(([, letter]) => letter ?? '');

/** Every text that a format can give. */
function patternOf(format: string): RegExp {
  const parts = format.split(/%(.)/su);
  const source = parts.map((part, i) =>
    i % 2 === 1 ? (FORMAT_LETTERS[part] ?? '') : part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'),
  );
  return new RegExp(`^${source.join('')}$`, 'su');
}

/** A format with a letter that SQLite does not know, which makes the call NULL. */
function unknownLetter(query: ReadQuery, { call, format }: TimeText): string | null {
  const unknown = lettersOf(format).find((letter) => FORMAT_LETTERS[letter] === undefined);
  if (unknown === undefined) return null;
  return `${query.text(call)} is NULL on every row: SQLite knows no %${unknown} in a format.`;
}

const isCurrentTime = (node: Expression): boolean =>
  node.kind === 'literal' && node.type === 'time' && /^current_time$/iu.test(node.value);

/** A date that is taken from CURRENT_TIME, which has none. */
function fixedDate(query: ReadQuery, node: Expression): string | null {
  if (node.kind !== 'function' || !node.args.some(isCurrentTime)) return null;
  const time = timeText(query, node);
  const hasDate =
    /^(?:julianday|unixepoch)$/iu.test(node.name.name) ||
    (time !== null && lettersOf(time.format).some((letter) => !TIME_LETTERS.includes(letter)));
  if (!hasDate) return null;
  return `${query.text(node)} has the same date on every day: CURRENT_TIME has none, and SQLite takes 2000-01-01.`;
}

type Comparison = 'equal' | 'size';

/** Returns the expressions that a condition compares, and how. */
function comparedWith(node: Expression): readonly (readonly [Expression, readonly Expression[], Comparison])[] {
  if (node.kind === 'between') return [[node.operand, [node.low, node.high], 'size']];
  if (node.kind === 'in') return [[node.operand, node.source.kind === 'list' ? node.source.items : [], 'equal']];
  if (node.kind !== 'binary' || !/^(?:==?|<>|!=|<=?|>=?)$/u.test(node.operator)) return [];
  const how = /^(?:==?|<>|!=)$/u.test(node.operator) ? 'equal' : 'size';
  return bothSides(node).map(([side, other]) => [side, [other], how]);
}

/** A comparison with a number, or with a text that the format never gives. */
function fixedComparison(query: ReadQuery, node: Expression): string | null {
  for (const [side, others, how] of comparedWith(node)) {
    const time = timeText(query, side);
    if (time === null || others.length === 0) continue;
    const values = others.map((other) => query.value(other));
    if (values.every((value) => typeof value === 'number' || typeof value === 'bigint'))
      return `${query.text(node)} is the same on every row: ${query.text(time.call)} is text, which ${how === 'equal' ? 'no number equals' : 'is greater than any number'}.`;
    const pattern = patternOf(time.format);
    if (how === 'equal' && values.every((value) => typeof value === 'string' && !pattern.test(value)))
      return `${query.text(node)} is the same on every row: ${query.text(time.call)} never gives such a text.`;
  }
  return null;
}

/**
 * Gold queries that take from a date or a time what SQLite never gives, so that their condition is the same on all
 * rows.
 */
export function checkTimeTexts({ written, dialect }: AuditedGold): readonly GoldFinding[] {
  if (written === null || dialect.name !== 'sqlite') return [];
  for (const { node } of written.sites.expressions) {
    const time = timeText(written, node);
    const sentence =
      (time === null ? null : unknownLetter(written, time)) ??
      fixedDate(written, node) ??
      fixedComparison(written, node);
    if (sentence !== null) return [plainFinding('constant', sentence)];
  }
  return [];
}
