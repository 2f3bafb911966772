import type {
  SpiderColumnUnit,
  SpiderCondition,
  SpiderConditions,
  SpiderSql,
  SpiderTableUnit,
  SpiderValue,
  SpiderValueUnit,
} from '../../sql/spider-sql.js';
import { sha256Of } from '../../run/sha256.js';
import type { QueryStructure } from './query-structure.js';
import type { SpiderNames } from './spider-names.js';
import { BETWEEN, conditionsOf, isCondition, isSubquery } from './spider-parts.js';

/** What the published script lets pass and the default comparison does not. */
export const STRICT_RULES = [
  /** DISTINCT, of a query and in an aggregate. */
  'distinct',
  /** The conditions of joins. */
  'joins',
  /** Columns are one where the query's own joins set them equal; by the script, where a foreign key links them. */
  'foreign-keys',
  /** Which conditions AND holds together, `a OR b AND c` against `a AND b OR c`. */
  'connectors',
  /** A column on the right of a comparison. */
  'compared-columns',
  /** The direction of each term of ORDER BY. */
  'order-terms',
  /** UNION ALL against UNION. */
  'union-all',
] as const;

/** What the published script counts as different and the default comparison does not. */
export const LENIENT_RULES = [
  /** The sequence of columns, conditions and tables in subqueries, of HAVING's conditions and of GROUP BY. */
  'sequence',
  /** `x BETWEEN a AND b` against `x >= a AND x <= b`. */
  'ranges',
  /** The halves of UNION or INTERSECT in another sequence. */
  'halves',
  /** `a + b` against `b + a`, `a = b` against `b = a`, `a < b` against `b > a`; of joins, which equalities say the same. */
  'operands',
] as const;
export type FormRule = (typeof STRICT_RULES)[number] | (typeof LENIENT_RULES)[number] | 'values';

/** A query in its normal form: equal texts mean equal queries, so far as the rules tell. */
export interface QueryForm {
  readonly whole: string;
  readonly tables: readonly string[];
  readonly joins: string;
  readonly distinct: string;
  readonly select: readonly string[];
  readonly selectUnits: readonly string[];
  readonly where: readonly string[];
  readonly whereUnits: readonly string[];
  readonly whereGroups: string;
  readonly groupBy: readonly string[];
  readonly having: string;
  readonly order: string;
  readonly halves: string;
}

type MapColumn = (column: number) => number;
type Pair = readonly [number, number];

/** A query behind UNION, INTERSECT or EXCEPT, alone, and its ORDER BY and LIMIT. */
interface Half {
  readonly operator: string;
  readonly own: string;
  readonly order: string;
}

const same: MapColumn = (column) => column;

const MIRRORED: Readonly<Record<number, number>> = { 2: 2, 3: 4, 4: 3, 5: 6, 6: 5, 7: 7 };
/** Longer texts stand in others by their hash: quoted again at each level, they would double. */
const LONG = 40;
const AT_LEAST = 5;
const AT_MOST = 6;
const EQUALS = 2;

const isColumn = (value: SpiderValue | null): value is SpiderColumnUnit => Array.isArray(value);
const plainColumn = ([operator, [aggregate, column]]: SpiderValueUnit): number | null =>
  operator === 0 && aggregate === 0 ? column : null;

/** The lowest of the columns that are connected, for each. */
function connect(pairs: readonly Pair[]): MapColumn {
  const parents = new Map<number, number>();
  const find = (column: number): number => {
    const parent = parents.get(column) ?? column;
    return parent === column ? column : find(parent);
  };
  for (const [left, right] of pairs) {
    const [a, b] = [find(left), find(right)];
    parents.set(Math.max(a, b), Math.min(a, b));
  }
  return find;
}

/** `left = right` of two plain columns. */
function equatedColumns(condition: SpiderCondition): Pair | null {
  const [negated, operator, unit, value] = condition;
  const left = plainColumn(unit);
  if (negated || operator !== EQUALS || left === null || !isColumn(value) || value[0] !== 0) return null;
  return [left, value[1]];
}

function shortened(text: string): string {
  return text.length > LONG ? sha256Of(text) : text;
}

function equatedIn(list: SpiderConditions): Pair[] {
  return conditionsOf(list)
    .map(equatedColumns)
    .filter((pair) => pair !== null);
}

/** Builds the form of one query, its columns mapped by its own joins or foreign keys. */
class FormBuilder {
  readonly #rules: ReadonlySet<FormRule>;
  readonly #names: SpiderNames;
  /** Each is asked for twice, and queries in queries would double that at each level. */
  readonly #known = new Map<SpiderSql, Half>();

  constructor(rules: ReadonlySet<FormRule>, names: SpiderNames) {
    this.#rules = rules;
    this.#names = names;
  }

  form(sql: SpiderSql, isOuter: boolean): QueryForm {
    const map = this.#columnMap(sql);
    const select = sql.select[1].map((one) => JSON.stringify([one[0], this.#unit(one[1], map)]));
    const groups = this.#groups(sql.where, map);
    const parts = {
      tables: sql.from.table_units.map((unit) => this.#table(unit)),
      joins: this.#rules.has('joins') ? this.#joins(sql) : '',
      distinct: this.#rules.has('distinct') ? String(sql.select[0]) : '',
      select,
      where: groups.flat(),
      whereGroups: this.#rules.has('connectors') ? this.#key(groups.map((group) => this.#key(group))) : '',
      groupBy: sql.groupBy.map((unit) => JSON.stringify(this.#columnUnit(unit, map))),
      having: this.#having(sql.having, map),
      order: this.#order(sql, map),
      halves: this.#halves(sql),
    };
    const whole = this.#whole(sql, parts, isOuter);
    const selectUnits = sql.select[1].map(([, unit]) => JSON.stringify(this.#unit(unit, map)));
    return { ...parts, whole, selectUnits, whereUnits: this.#whereUnits(sql.where, map) };
  }

  /** Keys in one text; sorted where their sequence does not count. */
  #key(keys: readonly string[], sorted = true): string {
    return JSON.stringify(sorted ? [...keys].sort() : keys);
  }

  #whole(sql: SpiderSql, parts: Omit<QueryForm, 'whole' | 'selectUnits' | 'whereUnits'>, isOuter: boolean): string {
    const sorted = isOuter || this.#rules.has('sequence');
    const own = JSON.stringify([
      this.#key(parts.tables, sorted),
      parts.joins,
      parts.distinct,
      this.#key(parts.select, sorted),
      this.#key(parts.where, sorted),
      parts.whereGroups,
      this.#key(parts.groupBy, this.#rules.has('sequence')),
      parts.having,
    ]);
    return this.#chain(sql, own, parts.order);
  }

  /** A compound: its operators and queries, and the ending of the last, which orders the whole. */
  #chain(sql: SpiderSql, own: string, order: string): string {
    const halves = this.#halvesOf(sql);
    const [first] = halves;
    if (first === undefined && order === '') return shortened(own);
    const queries = [shortened(own), ...halves.map((half) => half.own)];
    const isUniform = halves.every(({ operator }) => operator === first?.operator);
    if (this.#rules.has('halves') && isUniform && first?.operator !== 'except') queries.sort();
    const endings = [order, ...halves.map((half) => half.order)].filter((ending) => ending !== '');
    return shortened(JSON.stringify([halves.map(({ operator }) => operator), queries, endings]));
  }

  /** The queries behind the first of a compound. */
  #halvesOf(sql: SpiderSql): Half[] {
    const halves: Half[] = [];
    for (let next = nextHalf(sql); next !== null; next = nextHalf(next.sql)) halves.push(this.#half(next));
    return halves;
  }

  #half({ operator, sql }: { readonly operator: string; readonly sql: SpiderSql }): Half {
    let half = this.#known.get(sql);
    if (half === undefined) {
      const alone = { ...sql, intersect: null, union: null, except: null, orderBy: [], limit: null } as const;
      half = { operator, own: this.form(alone, true).whole, order: this.#order(sql, this.#columnMap(sql)) };
      this.#known.set(sql, half);
    }
    return half;
  }

  #halves(sql: SpiderSql): string {
    const halves = this.#halvesOf(sql);
    return halves.length === 0 ? '' : JSON.stringify(halves);
  }

  #columnMap({ from }: SpiderSql): MapColumn {
    if (this.#rules.has('foreign-keys')) return from.conds.includes('or') ? same : connect(equatedIn(from.conds));
    const tables = new Set(from.table_units.map(([kind, table]) => (kind === 'table_unit' ? table : -1)));
    const { linked, tableOf } = this.#names;
    return (column) => (tables.has(tableOf[column] ?? -1) ? (linked.get(column) ?? column) : column);
  }

  /** Columns that joins set equal, as classes, and what else joins ask for. */
  #joins({ from }: SpiderSql): string {
    const pairs = equatedIn(from.conds);
    const isWritten = !this.#rules.has('operands') || from.conds.includes('or');
    if (isWritten || pairs.some(([left, right]) => left === right)) {
      return this.#key(this.#groups(from.conds, same).map((group) => this.#key(group)));
    }
    const map = connect(pairs);
    const classes = [...new Set(pairs.flat())].map((column) => `${column}=${map(column)}`);
    const others = conditionsOf(from.conds).filter((condition) => equatedColumns(condition) === null);
    return this.#key([...classes, ...others.flatMap((condition) => this.#conditionKeys(condition, map))]);
  }

  #table([kind, unit]: SpiderTableUnit): string {
    return kind === 'sql' ? this.form(unit, false).whole : String(unit);
  }

  #columnUnit([aggregate, column, distinct]: SpiderColumnUnit, map: MapColumn): SpiderColumnUnit {
    return [aggregate, map(column), distinct && this.#rules.has('distinct')];
  }

  #unit([operator, left, right]: SpiderValueUnit, map: MapColumn): SpiderValueUnit {
    const [ours, theirs] = [this.#columnUnit(left, map), right === null ? null : this.#columnUnit(right, map)];
    const commutes = theirs !== null && (operator === 2 || operator === 3) && this.#rules.has('operands');
    return commutes && JSON.stringify(theirs) < JSON.stringify(ours)
      ? [operator, theirs, ours]
      : [operator, ours, theirs];
  }

  #value(value: SpiderValue | null, map: MapColumn): unknown {
    if (value === null) return null;
    if (isSubquery(value)) return this.form(value, false).whole;
    if (isColumn(value)) return this.#rules.has('compared-columns') ? this.#columnUnit(value, map) : 'value';
    return this.#rules.has('values') ? value : 'value';
  }

  /** One key, two for a range. */
  #conditionKeys([negated, operator, unit, first, second]: SpiderCondition, map: MapColumn): string[] {
    const left = this.#unit(unit, map);
    if (operator === BETWEEN && !negated && this.#rules.has('ranges')) {
      const bounds = [
        [AT_LEAST, first],
        [AT_MOST, second],
      ] as const;
      return bounds.map(([bound, value]) => JSON.stringify([false, bound, left, this.#value(value, map), null]));
    }
    const key = [negated, operator, left, this.#value(first, map), this.#value(second, map)];
    const mirrored = this.#mirrored([negated, operator, unit, first, second], map);
    const texts = [JSON.stringify(key), ...(mirrored === null ? [] : [JSON.stringify(mirrored)])];
    return texts.sort().slice(0, 1);
  }

  /** `b > a` for `a < b`, both plain columns. */
  #mirrored([negated, operator, [arithmetic, left], value]: SpiderCondition, map: MapColumn): unknown {
    const other = MIRRORED[operator];
    const canTurn = this.#rules.has('operands') && this.#rules.has('compared-columns');
    if (!canTurn || other === undefined || arithmetic !== 0 || !isColumn(value)) return null;
    const unit: SpiderValueUnit = [0, this.#columnUnit(value, map), null];
    return [negated, other, unit, this.#columnUnit(left, map), null];
  }

  /** The conditions that AND holds together, group by group between the ORs. */
  #groups(list: SpiderConditions, map: MapColumn): string[][] {
    const groups: string[][] = [[]];
    for (const part of list) {
      if (part === 'or') groups.push([]);
      else if (isCondition(part)) groups.at(-1)?.push(...this.#conditionKeys(part, map));
    }
    return groups;
  }

  #having(list: SpiderConditions, map: MapColumn): string {
    const sorted = this.#rules.has('sequence');
    const groups = this.#groups(list, map);
    if (!this.#rules.has('connectors')) return this.#key(groups.flat(), sorted);
    return this.#key(
      groups.map((group) => this.#key(group, sorted)),
      sorted,
    );
  }

  #whereUnits(list: SpiderConditions, map: MapColumn): string[] {
    return conditionsOf(list).map(([, , unit]) => JSON.stringify(this.#unit(unit, map)));
  }

  #order({ orderBy, limit }: SpiderSql, map: MapColumn): string {
    const [direction, terms = []] = orderBy;
    if (direction === undefined && limit === null) return '';
    const number = this.#rules.has('values') ? limit : limit !== null;
    return JSON.stringify([direction ?? '', terms.map((term) => this.#unit(term, map)), number]);
  }
}

function nextHalf(sql: SpiderSql): { readonly operator: string; readonly sql: SpiderSql } | null {
  for (const operator of ['intersect', 'union', 'except'] as const) {
    const half = sql[operator];
    if (half !== null) return { operator, sql: half };
  }
  return null;
}

/** The normal form of a query under the rules. */
export function formOf(structure: QueryStructure, rules: ReadonlySet<FormRule>, names: SpiderNames): QueryForm {
  const form = new FormBuilder(rules, names).form(structure.sql, true);
  const extras = [
    rules.has('order-terms') ? structure.orderTerms : [],
    rules.has('union-all') ? structure.unionAlls : 0,
  ];
  return { ...form, whole: JSON.stringify([form.whole, extras]) };
}
