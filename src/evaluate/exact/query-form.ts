import type {
  SpiderColumnUnit,
  SpiderCondition,
  SpiderConditions,
  SpiderSources,
  SpiderSql,
  SpiderTableUnit,
  SpiderValue,
  SpiderValueUnit,
} from '../../sql/spider-sql.js';
import { sha256Of } from '../../run/sha256.js';
import type { QueryStructure } from './query-structure.js';
import { columnKey, labelSources, type SourceLabels, type SourceScope } from './source-labels.js';
import type { SpiderNames } from './spider-names.js';
import { BETWEEN, conditionsOf, isCondition, isSubquery } from './spider-parts.js';

/** Rules against differences that the published script lets pass and the default comparison does not. */
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
  /** The direction of each term of ORDER BY, and NULLS. */
  'order-terms',
  /** UNION ALL against UNION, and their sequence. */
  'union-all',
  /** Which source a column or `T.*` is of, where a table occurs several times or a subquery sees those around it. */
  'sources',
  /** COLLATE. */
  'collations',
] as const;

/** Rules for differences that the published script counts and the default comparison does not. */
export const LENIENT_RULES = [
  /** The sequence of columns, conditions and tables in subqueries, of HAVING's conditions and of GROUP BY. */
  'sequence',
  /** `x BETWEEN a AND b` against `x >= a AND x <= b`. */
  'ranges',
  /** The halves of UNION or INTERSECT in another sequence. */
  'halves',
  /**
   * `a + b` against `b + a`, `a = b` against `b = a`, `a < b` against `b > a`; of joins, which equalities say the same.
   */
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

/** A column by its key in the form. */
type KeyedColumn = readonly [aggregate: number, column: string, distinct: boolean];
type KeyedUnit = readonly [operator: number, left: KeyedColumn, right: KeyedColumn | null];
type Pair = readonly [SpiderColumnUnit, SpiderColumnUnit];

/** How the expressions of one SELECT are read. */
interface View {
  readonly scope: SourceScope;
  readonly keyOf: (unit: SpiderColumnUnit) => string;
  /** True if this is a draft by which sources are distinguished: it leaves those of subqueries open. */
  readonly isDraft: boolean;
}

/** One SELECT of a query. */
interface Core {
  readonly parts: Omit<QueryForm, 'whole' | 'halves'>;
  readonly own: string;
}

/** A query behind UNION, INTERSECT or EXCEPT, alone, and its ORDER BY and LIMIT. */
interface Half {
  readonly operator: string;
  readonly own: string;
  readonly order: string;
}

const MIRRORED: Readonly<Record<number, number>> = { 2: 2, 3: 4, 4: 3, 5: 6, 6: 5, 7: 7 };
/** Longer texts are in others by their hash: quoted again at each level, they would double. */
const MAX_LENGTH = 40;
const AT_LEAST = 5;
const AT_MOST = 6;
const EQUALS = 2;

const isColumn = (value: SpiderValue | null): value is SpiderColumnUnit => Array.isArray(value);
const plainColumn = ([operator, column]: SpiderValueUnit): SpiderColumnUnit | null =>
  operator === 0 && column[0] === 0 ? column : null;

/** Checks whether a key comes before another: the one of the lower column, as shorter numbers are lower. */
const isLess = (key: string, other: string): boolean =>
  key.length === other.length ? key < other : key.length < other.length;

/** The least of the keys that are connected, for each. */
export function connect(pairs: readonly (readonly [string, string])[]): (key: string) => string {
  const parents = new Map<string, string>();
  const find = (key: string): string => {
    const parent = parents.get(key) ?? key;
    return parent === key ? key : find(parent);
  };
  for (const [left, right] of pairs) {
    const [a, b] = [find(left), find(right)];
    if (isLess(a, b)) parents.set(b, a);
    else parents.set(a, b);
  }
  return find;
}

/** `left = right` of two plain columns. */
function equatedColumns(condition: SpiderCondition): Pair | null {
  const [negated, operator, unit, value] = condition;
  const left = plainColumn(unit);
  if (negated || operator !== EQUALS || left === null || !isColumn(value) || value[0] !== 0) return null;
  return [left, value];
}

/** A text, or its hash where it is long. */
export function shortened(text: string): string {
  return text.length > MAX_LENGTH ? sha256Of(text) : text;
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
  readonly #sources: SpiderSources;

  constructor(rules: ReadonlySet<FormRule>, names: SpiderNames, sources: SpiderSources) {
    this.#rules = rules;
    this.#names = names;
    this.#sources = sources;
  }

  form(sql: SpiderSql, isOuter: boolean, around: SourceScope | null = null, isDraft = false): QueryForm {
    const { parts, own } = this.#core(sql, isOuter, around, isDraft);
    const halves = this.#halvesOf(sql, around, isDraft);
    const whole = this.#chain(own, parts.order, halves);
    return { ...parts, whole, halves: halves.length === 0 ? '' : JSON.stringify(halves) };
  }

  #core(sql: SpiderSql, isOuter: boolean, around: SourceScope | null, isDraft: boolean): Core {
    const tables = sql.from.table_units.map((unit) => this.#table(unit, around, isDraft));
    const viewed = (labels: SourceLabels, asDraft: boolean): Core => {
      const scope = { labels, parent: around };
      const view = { scope, keyOf: this.#keysOf(sql, scope), isDraft: asDraft };
      const parts = this.#parts(sql, tables, view);
      return { parts, own: this.#own(parts, isOuter) };
    };
    const draft = (labels: SourceLabels): string => {
      const { parts, own } = viewed(labels, true);
      return JSON.stringify([parts.joins, own, parts.order]);
    };
    const labels = this.#rules.has('sources')
      ? labelSources(sql.from.table_units, tables, this.#sources, isDraft ? null : draft)
      : new Map<number, never>();
    return viewed(labels, isDraft);
  }

  #parts(sql: SpiderSql, tables: readonly string[], view: View): Core['parts'] {
    const groups = this.#groups(sql.where, view);
    return {
      tables,
      joins: this.#rules.has('joins') ? this.#joins(sql, view) : '',
      distinct: this.#rules.has('distinct') ? String(sql.select[0]) : '',
      select: sql.select[1].map((one) => JSON.stringify([one[0], this.#unit(one[1], view)])),
      selectUnits: sql.select[1].map(([, unit]) => JSON.stringify(this.#unit(unit, view))),
      where: groups.flat(),
      whereUnits: conditionsOf(sql.where).map(([, , unit]) => JSON.stringify(this.#unit(unit, view))),
      whereGroups: this.#rules.has('connectors') ? this.#key(groups.map((group) => this.#key(group))) : '',
      groupBy: sql.groupBy.map((unit) => JSON.stringify(this.#columnUnit(unit, view))),
      having: this.#having(sql.having, view),
      order: this.#order(sql, view),
    };
  }

  /** Keys in one text; sorted where their sequence does not count. */
  #key(keys: readonly string[], sorted = true): string {
    return JSON.stringify(sorted ? [...keys].sort() : keys);
  }

  #own(parts: Core['parts'], isOuter: boolean): string {
    const sorted = isOuter || this.#rules.has('sequence');
    return JSON.stringify([
      this.#key(parts.tables, sorted),
      parts.joins,
      parts.distinct,
      this.#key(parts.select, sorted),
      this.#key(parts.where, sorted),
      parts.whereGroups,
      this.#key(parts.groupBy, this.#rules.has('sequence')),
      parts.having,
    ]);
  }

  /** A compound: its operators and queries, and the ending of the last, which orders the whole. */
  #chain(own: string, order: string, halves: readonly Half[]): string {
    const [first] = halves;
    if (first === undefined && order === '') return shortened(own);
    const queries = [shortened(own), ...halves.map((half) => half.own)];
    const isUniform = halves.every(({ operator }) => operator === first?.operator);
    if (this.#rules.has('halves') && isUniform && first?.operator !== 'except') queries.sort();
    const endings = [order, ...halves.map((half) => half.order)].filter((ending) => ending !== '');
    return shortened(JSON.stringify([halves.map(({ operator }) => operator), queries, endings]));
  }

  /** The queries behind the first of a compound. */
  #halvesOf(sql: SpiderSql, around: SourceScope | null, isDraft: boolean): Half[] {
    const halves: Half[] = [];
    for (let next = nextHalf(sql); next !== null; next = nextHalf(next.sql)) {
      const { own, parts } = this.#core(next.sql, true, around, isDraft);
      halves.push({ operator: next.operator, own: shortened(own), order: parts.order });
    }
    return halves;
  }

  #keysOf({ from }: SpiderSql, scope: SourceScope): View['keyOf'] {
    const written = this.#writtenKeys(scope);
    if (this.#rules.has('foreign-keys')) {
      if (from.conds.includes('or')) return written;
      const least = connect(equatedIn(from.conds).map(([left, right]) => [written(left), written(right)]));
      return (unit) => least(written(unit));
    }
    const tables = new Set(from.table_units.map(([kind, table]) => (kind === 'table_unit' ? table : -1)));
    const { linked, tableOf } = this.#names;
    return (unit) => {
      const first = tables.has(tableOf[unit[1]] ?? -1) ? linked.get(unit[1]) : undefined;
      return columnKey(first ?? unit[1], this.#sources.get(unit), scope);
    };
  }

  #writtenKeys(scope: SourceScope): View['keyOf'] {
    return (unit) => columnKey(unit[1], this.#sources.get(unit), scope);
  }

  /** Columns that joins set equal, as classes, and what else joins ask for. */
  #joins({ from }: SpiderSql, view: View): string {
    const written: View = { ...view, keyOf: this.#writtenKeys(view.scope) };
    const pairs = equatedIn(from.conds).map((pair) => pair.map(written.keyOf) as [string, string]);
    const isWritten = !this.#rules.has('operands') || from.conds.includes('or');
    if (isWritten || pairs.some(([left, right]) => left === right)) {
      return this.#key(this.#groups(from.conds, written).map((group) => this.#key(group)));
    }
    const least = connect(pairs);
    const classes = [...new Set(pairs.flat())].map((key) => `${key}=${least(key)}`);
    const others = conditionsOf(from.conds).filter((condition) => equatedColumns(condition) === null);
    const mapped: View = { ...view, keyOf: (unit) => least(written.keyOf(unit)) };
    return this.#key([...classes, ...others.flatMap((condition) => this.#conditionKeys(condition, mapped))]);
  }

  #table([kind, unit]: SpiderTableUnit, around: SourceScope | null, isDraft: boolean): string {
    return kind === 'sql' ? this.form(unit, false, around, isDraft).whole : String(unit);
  }

  #columnUnit(unit: SpiderColumnUnit, { keyOf }: View): KeyedColumn {
    return [unit[0], keyOf(unit), unit[2] && this.#rules.has('distinct')];
  }

  #unit([operator, left, right]: SpiderValueUnit, view: View): KeyedUnit {
    const [ours, theirs] = [this.#columnUnit(left, view), right === null ? null : this.#columnUnit(right, view)];
    const commutes = theirs !== null && (operator === 2 || operator === 3) && this.#rules.has('operands');
    return commutes && JSON.stringify(theirs) < JSON.stringify(ours)
      ? [operator, theirs, ours]
      : [operator, ours, theirs];
  }

  #value(value: SpiderValue | null, view: View): unknown {
    if (value === null) return null;
    if (isSubquery(value)) return this.form(value, false, view.scope, view.isDraft).whole;
    if (isColumn(value)) return this.#rules.has('compared-columns') ? this.#columnUnit(value, view) : 'value';
    return this.#rules.has('values') ? value : 'value';
  }

  /** One key, two for a range. */
  #conditionKeys([negated, operator, unit, first, second]: SpiderCondition, view: View): string[] {
    const left = this.#unit(unit, view);
    if (operator === BETWEEN && !negated && this.#rules.has('ranges')) {
      const bounds = [
        [AT_LEAST, first],
        [AT_MOST, second],
      ] as const;
      return bounds.map(([bound, value]) => JSON.stringify([false, bound, left, this.#value(value, view), null]));
    }
    const key = [negated, operator, left, this.#value(first, view), this.#value(second, view)];
    const mirrored = this.#mirrored([negated, operator, unit, first, second], view);
    const texts = [JSON.stringify(key), ...(mirrored === null ? [] : [JSON.stringify(mirrored)])];
    return texts.sort().slice(0, 1);
  }

  /** `b > a` for `a < b`, both plain columns. */
  #mirrored([negated, operator, [arithmetic, left], value]: SpiderCondition, view: View): unknown {
    const other = MIRRORED[operator];
    const canTurn = this.#rules.has('operands') && this.#rules.has('compared-columns');
    if (!canTurn || other === undefined || arithmetic !== 0 || !isColumn(value)) return null;
    const unit: KeyedUnit = [0, this.#columnUnit(value, view), null];
    return [negated, other, unit, this.#columnUnit(left, view), null];
  }

  /** The conditions that AND holds together, group by group between the ORs. */
  #groups(list: SpiderConditions, view: View): string[][] {
    const groups: string[][] = [[]];
    for (const part of list) {
      if (part === 'or') groups.push([]);
      else if (isCondition(part)) groups.at(-1)?.push(...this.#conditionKeys(part, view));
    }
    return groups;
  }

  #having(list: SpiderConditions, view: View): string {
    const sorted = this.#rules.has('sequence');
    const groups = this.#groups(list, view);
    if (!this.#rules.has('connectors')) return this.#key(groups.flat(), sorted);
    return this.#key(
      groups.map((group) => this.#key(group, sorted)),
      sorted,
    );
  }

  #order({ orderBy, limit }: SpiderSql, view: View): string {
    const [direction, terms = []] = orderBy;
    if (direction === undefined && limit === null) return '';
    const number = this.#rules.has('values') ? limit : limit !== null;
    return JSON.stringify([direction ?? '', terms.map((term) => this.#unit(term, view)), number]);
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
  // Of UNION and UNION ALL mixed the sequence counts, which the structure takes for one operator.
  const isMixed = structure.unionAlls.some((operators) => new Set(operators.split(',')).size > 1);
  const used = isMixed ? new Set([...rules].filter((rule) => rule !== 'halves')) : rules;
  const form = new FormBuilder(used, names, structure.sources).form(structure.sql, true);
  const extras = [
    rules.has('order-terms') ? structure.orderTerms : [],
    rules.has('union-all') ? structure.unionAlls : [],
    rules.has('collations') ? structure.collations : [],
  ];
  return { ...form, whole: JSON.stringify([form.whole, extras]) };
}
