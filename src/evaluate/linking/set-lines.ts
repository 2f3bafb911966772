import { ratio, scoreRow } from '../report/score-lines.js';
import type { SetScores } from './set-scores.js';

const setRow = (label: string, { precision, recall, f1, gold, predicted, matched }: SetScores): string =>
  scoreRow(label, [ratio(precision), ratio(recall), ratio(f1), gold, predicted, matched]);

/** Scores of columns and of tables, printed. */
export function setTable({
  columns,
  tables,
}: {
  readonly columns: SetScores;
  readonly tables: SetScores;
}): readonly string[] {
  const head = scoreRow('', ['precision', 'recall', 'F1', 'gold', 'predicted', 'matched']);
  return [head, setRow('columns', columns), setRow('tables', tables)];
}
