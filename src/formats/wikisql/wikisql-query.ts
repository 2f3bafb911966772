import type { Column, Database } from '../../schema/schema.js';
import { renderIdentifier, renderString } from '../../sql/dialect.js';
import { itemAt } from '../../present.js';

/** A condition: column, operator and value. */
type WikiSqlCondition = readonly [column: number, operator: number, value: string | number];

/** WikiSQL's structure of a query; columns are positions in the header. */
export interface WikiSqlSql {
  readonly sel: number;
  readonly agg: number;
  readonly conds: readonly WikiSqlCondition[];
}

// lib/query.py of WikiSQL; its fourth operator, "OP", is a placeholder that its engine can't run.
const AGGREGATES = ['', 'MAX', 'MIN', 'COUNT', 'SUM', 'AVG'];
const OPERATORS = ['=', '>', '<'];

/** The number in a text as WikiSQL's dbengine.py finds it: the whole text with commas as thousands marks, else the first. */
function parseNumber(text: string): number | null {
  const whole = text.replaceAll(',', '').trim();
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(whole)) return Number(whole);
  const first = /[-+]?\d*\.\d+|\d+/.exec(text)?.[0];
  return first === undefined ? null : Number(first);
}

/** Texts are compared in lower case, for so the `.db` has its cells; a text against a number counts as its number. */
function renderValue(value: string | number, isReal: boolean): string {
  if (typeof value === 'number') return String(value);
  const number = isReal ? parseNumber(value) : null;
  return number === null ? renderString(value.toLowerCase()) : String(number);
}

/** Why a query can't be SQL; null where it can. */
export function wikiSqlFault({ sel, agg, conds }: WikiSqlSql, { tables }: Database): string | null {
  const width = tables.flatMap(({ columns }) => columns).length;
  if (AGGREGATES[agg] === undefined) return `aggregate ${agg} is none of WikiSQL’s`;
  const column = [sel, ...conds.map(([one]) => one)].find((one) => one < 0 || one >= width);
  if (column !== undefined) return `it names column ${column}, but the table has ${width} columns`;
  const operator = conds.find(([, one]) => OPERATORS[one] === undefined)?.[1];
  return operator === undefined ? null : `operator ${operator} can’t be run, by WikiSQL’s own engine either`;
}

/**
 * The SQL text of a query over the identifiers of its table: what WikiSQL's dbengine.py runs on `col0`, `col1` …, but
 * that each of two conditions on one column keeps its own value (there the last value goes for both).
 */
export function renderWikiSqlQuery({ sel, agg, conds }: WikiSqlSql, { tables }: Database): string {
  const { originalName, columns } = itemAt(tables, 0);
  const nameOf = (column: Column): string => renderIdentifier(column.originalName);
  const name = nameOf(itemAt(columns, sel));
  const selected = agg === 0 ? name : `${AGGREGATES[agg]}(${name})`;
  const where = conds.map(([position, operator, value]) => {
    const column = itemAt(columns, position);
    return `${nameOf(column)} ${OPERATORS[operator]} ${renderValue(value, column.type === 'number')}`;
  });
  const filter = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return `SELECT ${selected} FROM ${renderIdentifier(originalName)}${filter}`;
}

/** The query on a table whose columns moved: `columns` are the old positions by the new ones, null = added. */
export function remapWikiSqlQuery(sql: WikiSqlSql, columns: readonly (number | null)[]): WikiSqlSql {
  const conds = sql.conds.map(
    ([column, ...rest]): WikiSqlCondition => [columns.indexOf(column), ...rest] as WikiSqlCondition,
  );
  return { ...sql, sel: columns.indexOf(sql.sel), conds };
}
