import type { ColumnRef, Database } from '../../schema/schema.js';
import { renderIdentifier, renderString, type SqlDialect } from '../../sql/dialect.js';
import type { JoinPlan } from './join-graph.js';
import type { Sketch } from './sketch.js';
import { itemAt } from '../../present.js';

/** The fillings of a sketch's slots. */
export interface Filling {
  readonly columns: readonly ColumnRef[];
  /** Literals; `isText` ones are written in quotes. */
  readonly values: readonly { readonly text: string; readonly isText: boolean }[];
  /** The FROM of each SELECT. */
  readonly plans: readonly JoinPlan[];
}

type Names = (ref: ColumnRef) => string;

function tablesOf({ first, steps }: JoinPlan): number[] {
  return [first, ...steps.map(({ table }) => table)];
}

/** Names of the columns of one FROM: bare where it is one table, else behind aliases T1, T2, … */
function columnNames(plan: JoinPlan, database: Database, dialect: SqlDialect): Names {
  const tables = tablesOf(plan);
  return ({ table, column }) => {
    const name = renderIdentifier(database.tables[table]?.columns[column]?.originalName ?? '', dialect);
    return tables.length === 1 ? name : `T${tables.indexOf(table) + 1}.${name}`;
  };
}

function writeFrom(plan: JoinPlan, database: Database, dialect: SqlDialect): string {
  const nameOf = columnNames(plan, database, dialect);
  const table = (index: number): string => renderIdentifier(database.tables[index]?.originalName ?? '', dialect);
  if (plan.steps.length === 0) return `FROM ${table(plan.first)}`;
  const joins = plan.steps.map(
    ({ table: joined, left, right }, i) => ` JOIN ${table(joined)} AS T${i + 2} ON ${nameOf(left)} = ${nameOf(right)}`,
  );
  return `FROM ${table(plan.first)} AS T1${joins.join('')}`;
}

function needsSpace(before: string, text: string): boolean {
  if (before === '' || before === '(' || text === ')' || text === ',') return false;
  return text !== '(' || !/^[a-z_]+$/.test(before);
}

/** The SQL of a filled sketch. */
export function writeSketch(sketch: Sketch, filling: Filling, database: Database, dialect: SqlDialect): string {
  const texts = sketch.parts.map((part): string => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'value') {
      const { before, after } = itemAt(sketch.values, part.slot);
      const { text, isText } = itemAt(filling.values, part.slot);
      return isText ? renderString(before + text + after) : text;
    }
    const plan = itemAt(filling.plans, part.core);
    if (part.kind === 'from') return writeFrom(plan, database, dialect);
    return columnNames(plan, database, dialect)(itemAt(filling.columns, part.slot));
  });
  return texts.reduce((sql, text, at) => sql + (needsSpace(texts[at - 1] ?? '', text) ? ' ' : '') + text, '');
}
