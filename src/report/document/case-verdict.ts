import type { CaseQuery } from './case.js';

/** A metric's verdict on an answer, as cases show it: "✗ Execution accuracy: wrong". */
export function caseVerdict(title: string, outcome: string): CaseQuery['verdicts'][number] {
  return outcome === 'correct'
    ? { label: `✓ ${title}`, tone: 'good' }
    : { label: `✗ ${title}: ${outcome}`, tone: 'bad' };
}
