import type { TargetColumn } from '../stage.js';

/** Budgets in characters. */
const TABLE_LENGTH = 80;
const OTHERS_LENGTH = 200;
const VALUE_LENGTH = 30;
const VALUES = 3;

function clip(text: string, length: number): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, length).trim();
}

function tableOf({ target }: TargetColumn): string {
  return clip(target.table.name, TABLE_LENGTH).toLowerCase();
}

function valuesOf({ target, column }: TargetColumn): string {
  const values = (target.values[column] ?? []).map((value) => clip(value, VALUE_LENGTH));
  return [...new Set(values)]
    .filter((value) => value !== '')
    .slice(0, VALUES)
    .join(', ');
}

/**
 * The sentence of a column that is called `name`, with cell values (ADVETA appendix D: "templates that additionally
 * consider cell values"): "singer song title: Sun, Love".
 */
export function columnSentence(column: TargetColumn, name: string): string {
  return `${tableOf(column)} ${name}: ${valuesOf(column)}`;
}

/** The same after the table's other columns: "singer | age, country | song title: Sun, Love". */
export function columnInTable(column: TargetColumn, name: string): string {
  const { columns } = column.target.table;
  const others = columns.filter((_, c) => c !== column.column).map((other) => other.name.toLowerCase());
  return `${tableOf(column)} | ${clip(others.join(', '), OTHERS_LENGTH)} | ${name}: ${valuesOf(column)}`;
}
