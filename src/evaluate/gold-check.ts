import { InputFormatError } from '../errors.js';
import type { BadGold } from './evaluation-report.js';
import type { GoldQuery } from './inputs/gold-queries.js';
import type { Verdict } from './metric.js';

/** Faults shown in an error. */
const MAX_LISTED = 20;

/** Gold queries by the verdicts that count against them. */
export function badGoldOf(
  verdicts: readonly Verdict[],
  name: BadGold['metric'],
  gold: readonly GoldQuery[],
): readonly BadGold[] {
  const byId = new Map(gold.map((query) => [query.id, query]));
  return verdicts.map(({ id, outcome, reason }) => {
    const { line = null, dbId = '' } = byId.get(id) ?? {};
    return { metric: name, id, line, dbId, reason: reason ?? outcome };
  });
}

/**
 * Gold that fails against itself would make every score too low without a word: the run stops.
 * @throws InputFormatError listing the first of them
 */
export function refuseBadGold(bad: readonly BadGold[], queries: number, file: string): void {
  const [first] = bad;
  if (first === undefined) return;
  const ids = new Set(bad.map(({ id }) => id));
  const lines = bad.slice(0, MAX_LISTED).map(({ metric, id, line, dbId, reason }) => {
    const place = line === null ? id : `line ${line} (${id})`;
    return `\n  ${place}, ${dbId}, ${metric}: ${reason}`;
  });
  if (bad.length > MAX_LISTED) lines.push(`\n  and ${bad.length - MAX_LISTED} more`);
  throw new InputFormatError(
    `${ids.size} of ${queries} gold queries are not correct against themselves:${lines.join('')}`,
    {
      where: { file, ...(first.line === null ? {} : { line: first.line }) },
      fix: 'Fix the gold query, its tables.json or its databases; or count them as not correct with --allow-bad-gold.',
    },
  );
}
