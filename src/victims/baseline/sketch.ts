import type { ColumnRef, Database } from '../../schema/schema.js';
import { renderIdentifier, renderString, type SqlDialect } from '../../sql/dialect.js';
import type { JoinPlan } from '../../compositional/clauses/join-plan.js';
import { itemAt } from '../../present.js';

/** The roles of columns in a query; one column can have several. */
export const COLUMN_ROLES = [
  'select',
  'aggregate',
  'where-equal',
  'where-compare',
  'where-in',
  'group',
  'having',
  'order',
] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** A column of the query, at all its places. */
export interface ColumnSlot {
  readonly ref: ColumnRef;
  readonly roles: readonly ColumnRole[];
  /** Positions of the SELECTs that name it. */
  readonly cores: readonly number[];
}

/** A literal of the query. */
export interface ValueSlot {
  /** `limit` is the number of LIMIT. */
  readonly kind: 'number' | 'text' | 'limit';
  /** Without quotes, and without the wildcards around it. */
  readonly text: string;
  /** Wildcards of LIKE before and after the text. */
  readonly before: string;
  readonly after: string;
  /** The column that it is compared with, where there is one. */
  readonly column: number | null;
}

/** One SELECT with its FROM. */
export interface SketchCore {
  /** Tables of the FROM clause, in order. */
  readonly tables: readonly number[];
  /** Those that neither hold a column of a slot nor lie on the way between such tables. */
  readonly extras: readonly number[];
}

export type SketchPart =
  /** A keyword (upper case), function (lower case) or symbol. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'column'; readonly slot: number; readonly core: number }
  | { readonly kind: 'value'; readonly slot: number }
  /** FROM with its tables and joins. */
  | { readonly kind: 'from'; readonly core: number };

/** A query whose tables, columns and literals can be replaced. */
export interface Sketch {
  readonly parts: readonly SketchPart[];
  readonly columns: readonly ColumnSlot[];
  readonly values: readonly ValueSlot[];
  readonly cores: readonly SketchCore[];
  /** Pairs of slots `x IN (SELECT y …)`: mostly the two ends of a foreign key. */
  readonly memberships: readonly (readonly [number, number])[];
  /** Equal for queries of one structure. */
  readonly key: string;
  /** The traits of the structure, for a classifier: "0:select:count". */
  readonly traits: readonly string[];
}

const CLAUSE_WORDS = new Set(['SELECT', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT']);
const SET_WORDS = new Set(['UNION', 'INTERSECT', 'EXCEPT']);
/** Said by others of their kind. */
const SILENT = new Set(['(', ')', 'BY', 'ASC', ',', '=', 'AND']);
const MAX_COUNT = 4;

function countTrait(name: string, count: number): string {
  return `${name}=${Math.min(count, MAX_COUNT)}`;
}

/** The trait of a query whose largest FROM has so many tables. */
export function tablesTrait(count: number): string {
  return countTrait('tables', count);
}

/** Returns a trait's topic: a clause of the outermost SELECT, what is nested in it or next to it, or the tables. */
export function traitTopic(trait: string): 'select' | 'where' | 'group' | 'order' | 'nested' | 'tables' {
  if (trait.startsWith('tables=')) return 'tables';
  const topic = /^0:(select|where|group|having|order|limit)/.exec(trait)?.[1];
  if (topic === 'having') return 'group';
  if (topic === 'limit') return 'order';
  return topic === 'select' || topic === 'where' || topic === 'group' || topic === 'order' ? topic : 'nested';
}

/** Returns the traits of a structure: words by SELECT and clause, numbers of columns, conditions and tables. */
export function sketchTraits(parts: readonly SketchPart[], cores: readonly SketchCore[]): readonly string[] {
  const traits = new Set<string>();
  const counts = new Map<string, number>();
  const add = (name: string): Map<string, number> => counts.set(name, (counts.get(name) ?? 0) + 1);
  let [clause, level] = ['select', -1];
  for (const part of parts) {
    if (part.kind === 'column' || part.kind === 'value') add(`${Math.min(level, 1)}:${clause}:${part.kind}`);
    if (part.kind !== 'text') continue;
    if (part.text === 'SELECT') level += 1;
    if (SET_WORDS.has(part.text)) traits.add(part.text);
    else if (CLAUSE_WORDS.has(part.text)) traits.add(`${Math.min(level, 1)}:${(clause = part.text.toLowerCase())}`);
    else if (!SILENT.has(part.text)) traits.add(`${Math.min(level, 1)}:${clause}:${part.text}`);
  }
  for (const [name, count] of counts) traits.add(countTrait(name, count));
  traits.add(tablesTrait(Math.max(...cores.map(({ tables }) => tables.length))));
  return [...traits];
}

/** The fillings of a sketch's slots. */
export interface Filling {
  readonly columns: readonly ColumnRef[];
  /** Literals; `isText` ones are written in quotes. */
  readonly values: readonly { readonly text: string; readonly isText: boolean }[];
  /** The FROM of each SELECT. */
  readonly plans: readonly JoinPlan[];
}

/** Names of the columns of one FROM: bare where it is one table, else behind aliases T1, T2, … */
function columnNames({ uses }: JoinPlan, database: Database, dialect: SqlDialect) {
  return ({ table, column }: ColumnRef): string => {
    const name = renderIdentifier(database.tables[table]?.columns[column]?.originalName ?? '', dialect);
    return uses.length === 1 ? name : `T${uses.findIndex((use) => use.table === table) + 1}.${name}`;
  };
}

function writeFrom(plan: JoinPlan, database: Database, dialect: SqlDialect): string {
  const nameOf = columnNames(plan, database, dialect);
  const table = (index: number): string => renderIdentifier(database.tables[index]?.originalName ?? '', dialect);
  const first = table(itemAt(plan.uses, 0).table);
  if (plan.edges.length === 0) return `FROM ${first}`;
  const joins = plan.edges.map(
    ({ from, to }, i) => ` JOIN ${table(to.table)} AS T${i + 2} ON ${nameOf(from)} = ${nameOf(to)}`,
  );
  return `FROM ${first} AS T1${joins.join('')}`;
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
