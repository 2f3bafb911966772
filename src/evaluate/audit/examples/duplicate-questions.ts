import { groupBy } from '../../../run/group-by.js';
import { sameResult } from '../../../sql/execution/result-mode.js';
import { meaningfulTokens } from '../../../sql/tokenizer.js';
import { whereReadable } from '../../../sql/sql-fault.js';
import { ExactMatch } from '../../exact/exact-match.js';
import { evidenceRun, type EvidenceRun, plainFinding } from '../finding.js';
import type { AuditedExample, ExampleFinding } from '../audited-gold.js';

/** A question by its words, punctuation and case aside. */
function questionKey(question: string): string {
  return question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%$<>=.+-]+/gu, ' ')
    .replace(/\.(?!\d)/g, '')
    .trim();
}

/** A query by its tokens, white space and the case of words aside. */
function queryKey(sql: string): string {
  const tokens = whereReadable(() => meaningfulTokens(sql), null)?.filter((token) => token.text !== ';');
  if (tokens === undefined) return sql.trim();
  return tokens
    .map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : text.replace(/^"(.*)"$/s, "'$1'")))
    .join(' ');
}

const EXACT = new ExactMatch({ values: 'compared' });

/** Checks whether two gold queries are one by exact match with values. */
function isSameForm(first: AuditedExample, other: AuditedExample): boolean {
  const { database, sql: gold } = first.gold;
  const pair = { id: '', group: '', database, gold, predicted: other.gold.sql };
  return first.gold.dialect.name === 'sqlite' && EXACT.judgePair(pair).outcome === 'correct';
}

/** Results of both gold queries; null where they are the same, undefined where they can't be executed. */
async function differingResults(
  first: AuditedExample,
  other: AuditedExample,
): Promise<readonly EvidenceRun[] | null | undefined> {
  const { rows } = first.gold;
  if (rows === null) return undefined;
  const [ours, theirs] = [first.gold.executable, other.gold.executable];
  const [left, right] = [await rows.run(ours), await rows.run(theirs)];
  if (left.kind !== 'rows' || right.kind !== 'rows') return undefined;
  if (sameResult(left, right, { mode: 'bag-any-column-order', tolerance: null }, false) === 'equal') return null;
  return [
    evidenceRun(`gold of ${first.example.id}`, ours, left),
    evidenceRun(`gold of ${other.example.id}`, theirs, right),
  ];
}

async function compareGolds(first: AuditedExample, other: AuditedExample): Promise<ExampleFinding | null> {
  if (isSameForm(first, other)) return null;
  const evidence = await differingResults(first, other);
  const asked = `${first.example.id} asks the same`;
  const found = (sentence: string, isShown: boolean): ExampleFinding => ({
    ...plainFinding('duplicate-question', sentence, isShown),
    evidence: evidence ?? [],
    example: other.example,
  });
  if (evidence === null) return found(`${asked} with another gold, of the same result on these rows.`, false);
  if (evidence === undefined) return found(`${asked} with another gold: ${first.gold.sql.trim()}`, false);
  return found(`${asked} with another gold, whose result differs.`, true);
}

/** Questions that are asked twice of one database, with gold queries that differ; each is compared with the first. */
export async function findDuplicateQuestions(examples: readonly AuditedExample[]): Promise<readonly ExampleFinding[]> {
  const findings: ExampleFinding[] = [];
  const asked = groupBy(examples, ({ dialog, evidence }) => JSON.stringify([questionKey(dialog), evidence.trim()]));
  for (const alike of asked.values()) {
    const [first, ...others] = alike;
    const known = new Set([queryKey(first.gold.sql)]);
    for (const other of others) {
      const key = queryKey(other.gold.sql);
      if (known.has(key)) continue;
      known.add(key);
      const finding = await compareGolds(first, other);
      if (finding !== null) findings.push(finding);
    }
  }
  return findings;
}
