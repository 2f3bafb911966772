import { formatCount } from '../../counts.js';
import type { SetScores } from '../linking/schema-linking.js';

const LABEL = 20;
const CELL = 10;

const cell = (value: string | number): string =>
  (typeof value === 'number' ? formatCount(value) : value).padStart(CELL);

/** A row of a printed table: a label and figures in columns. */
export const scoreRow = (label: string, cells: readonly (string | number)[]): string =>
  `  ${label.padEnd(LABEL)}${cells.map(cell).join('')}`;

/** A share with three decimals. */
export const ratio = (value: number | null | undefined): string => (value == null ? '–' : value.toFixed(3));

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
