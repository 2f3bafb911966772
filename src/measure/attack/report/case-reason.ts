import { bareName, tokensOf } from '../../../report/document/query-html.js';
import type { AttackCase, PerturbedCase, ReportedChange } from '../attack-report.js';
import type { AnswerChange } from '../../judged-answer.js';

/** Why an answer turned wrong: a word to filter by, and a sentence. */
export interface CaseReason {
  readonly kind: string | null;
  readonly reason: string | null;
}

const NO_REASON: CaseReason = { kind: null, reason: null };

function quoted(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(' and ');
}

/** A word that may be a name of a column. */
const NAME =
  /^(?!(?:select|distinct|from|where|and|or|not|in|like|between|as|on|join|inner|left|group|order|by|having|limit|desc|asc|union|intersect|except|all|count|sum|avg|min|max|is|null|t\d+)$)[a-z_]\w*$/;

/** Words of a query, in lower case. */
function wordsOf(sql: string): ReadonlySet<string> {
  return new Set(tokensOf(sql).map(bareName));
}

/** The names after FROM and JOIN. */
function tablesRead(sql: string): ReadonlySet<string> {
  return new Set([...sql.matchAll(/\b(?:from|join)\s+([^\s(),;]+)/gi)].map(([, name = '']) => bareName(name)));
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((word) => other.has(word));

function explainRenamed(changes: readonly ReportedChange[], answer: ReadonlySet<string>, gold: ReadonlySet<string>) {
  const isLeft = (name: string): boolean => answer.has(bareName(name)) && !gold.has(bareName(name));
  const stale = changes.filter(({ originalName }) => isLeft(originalName));
  if (stale.length > 0) {
    const [names, now] = [stale.map((one) => one.originalName), stale.map((one) => one.newName)];
    return {
      kind: 'old name',
      reason: `The answer uses ${quoted(names)}, which ${names.length === 1 ? 'is' : 'are'} now called ${quoted(now)}.`,
    };
  }
  const missed = changes.filter(({ newName }) => gold.has(bareName(newName)) && !answer.has(bareName(newName)));
  const [only] = missed;
  if (only === undefined) return null;
  const others = [...answer].filter((word) => NAME.test(word) && !gold.has(word));
  const instead = others.length === 1 && missed.length === 1 ? `uses “${others.join('')}” in place of` : 'doesn’t use';
  const names = missed.map(({ newName, originalName }) => `“${newName}” (before: “${originalName}”)`);
  return { kind: 'column not found', reason: `The answer ${instead} ${names.join(' and ')}.` };
}

/** Says why the answer on perturbed tables is wrong although the one on the original tables is right. */
export function explainAnswer(
  one: Pick<AttackCase, 'original'>,
  { kind, changes, gold, predicted, failure }: PerturbedCase,
  status: AnswerChange | 'none',
): CaseReason {
  if (status !== 'broken') return NO_REASON;
  if (predicted === null) return { kind: 'no answer', reason: `There is no answer: ${failure ?? 'none was given'}.` };
  const [answer, wanted] = [wordsOf(predicted), wordsOf(gold)];
  if (kind === 'RPL') {
    const renamed = explainRenamed(changes, answer, wanted);
    if (renamed !== null) return renamed;
  }
  const added = changes.filter(({ newName }) => answer.has(bareName(newName)) && !wanted.has(bareName(newName)));
  if (kind === 'ADD' && added.length > 0) {
    const beside = added.map(({ newName, originalName }) => `“${newName}”, added beside “${originalName}”`);
    return { kind: 'added column', reason: `The answer uses ${beside.join(', and ')}.` };
  }
  if (!isSame(tablesRead(predicted), tablesRead(gold)))
    return { kind: 'other tables', reason: 'The answer reads other tables than the gold query.' };
  if (predicted === one.original.predicted)
    return { kind: 'same answer', reason: 'The answer is the one for the original tables.' };
  return { kind: 'other query', reason: 'The answer asks something else of the same tables.' };
}
