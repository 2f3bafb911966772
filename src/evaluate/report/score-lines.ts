import { formatCount } from '../../counts.js';

const LABEL = 20;
const CELL = 10;

const cell = (value: string | number): string =>
  (typeof value === 'number' ? formatCount(value) : value).padStart(CELL);

/** A row of a printed table: a label and figures in columns. */
export const scoreRow = (label: string, cells: readonly (string | number)[]): string =>
  `  ${label.padEnd(LABEL)}${cells.map(cell).join('')}`;

/** A share with three decimals. */
export const ratio = (value: number | null | undefined): string => (value == null ? '–' : value.toFixed(3));
