import type { CaseRows } from '../report/document/case.js';
import type { ResultDifference } from '../report/result-difference.js';

/** The rows of a wrong answer next to those of its gold query; `where`: "on the mutant". */
export function differenceRows(difference: ResultDifference | undefined, where: string): readonly CaseRows[] {
  if (difference === undefined) return [];
  const { gold, predicted } = difference;
  return [
    { label: `Rows of the gold query, ${where}`, ...gold },
    { label: `Rows of the answer, ${where}`, ...predicted },
  ];
}
