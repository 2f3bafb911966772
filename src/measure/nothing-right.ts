import { formatCount, formatNoun } from '../counts.js';
import { OUTCOMES, type Outcome } from '../evaluate/metric.js';

const WORDS: Readonly<Record<Outcome, string>> = {
  correct: 'right',
  wrong: 'other than the gold query',
  unparsable: 'SQL that can’t be read',
  failing: 'refused by the database',
  'timed-out': 'timed out',
  'too-large': 'too large a result',
  empty: 'without SQL',
  refused: 'no single statement that reads',
  'bad-gold': 'with a gold query at fault',
};

/**
 * The headline over answers of which none is right on the original tables, so that none can be lost: "Nothing can be
 * measured: none of 12 answers on the original tables is right (12 without SQL). See …".
 */
export function describeNothingRight(answers: number, outcomes: Readonly<Record<Outcome, number>> | null): string {
  const why = OUTCOMES.flatMap((outcome) => {
    const count = outcomes?.[outcome] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${WORDS[outcome]}`];
  });
  const reasons = why.length === 0 ? '' : ` (${why.join(', ')})`;
  return `Nothing can be measured: none of ${formatNoun(answers, 'answer')} on the original tables is right${reasons}. Look at what the model says: answers.jsonl`;
}

/** Checks whether something is right on the originals by some metric, or nothing was measured. */
export function hasRight({ accuracy }: { readonly accuracy: Readonly<Record<string, number | null>> }): boolean {
  const measured = Object.values(accuracy).filter((share) => share !== null);
  return measured.length === 0 || measured.some((share) => share > 0);
}
