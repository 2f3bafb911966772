import type { Database } from '../../schema/schema.js';
import type {
  ColumnNode,
  Expression,
  Identifier,
  In,
  Join,
  NamedWindow,
  ResultColumn,
  Select,
  SelectCore,
  Source,
  TableSource,
  Values,
  WindowDefinition,
} from '../../sql/ast.js';
import { conjunctsOf, unparenthesized } from '../../sql/ast-walk.js';
import type { BoundCore, BoundQuery, NameBinding } from '../../sql/bound-query.js';
import { foldName } from '../../sql/dialect.js';
import type { ScopeSource } from '../../sql/scope.js';
import type { SpiderTableUnit } from '../../sql/spider-sql.js';
import type { ValueRule } from './form-comparison.js';
import {
  conjunctParts,
  expressionPart,
  type ExpressionView,
  type FormPart,
  orderParts,
  sortedParts,
} from './general-expression.js';
import { connect, type QueryForm, shortened } from './query-form.js';
import { columnKey, labelSources, type SourceLabels, type SourceScope } from './source-labels.js';
import { NO_QUERY } from './spider-comparison.js';

/** The names of common tables that a query sees, and what each is called in the form. */
type CommonTables = ReadonlyMap<string, string>;

/** Where a query is: what it sees of the queries around it. */
interface Surroundings {
  readonly scope: SourceScope | null;
  readonly common: CommonTables;
  /** True if this is a draft by which sources are distinguished. */
  readonly isDraft: boolean;
  /** True if it is the whole query, of whose columns the sequence does not count. */
  readonly isOuter: boolean;
}

type CoreForm = Omit<QueryForm, 'whole' | 'order' | 'halves'> & { readonly own: string; readonly view: ExpressionView };

const PLAIN: ReadonlySet<Join['type']> = new Set(['inner', 'comma', 'cross']);
/** Long ones by their hash: quoted again at each level, they would double. */
const text = (part: FormPart): string => shortened(JSON.stringify(part));
const texts = (parts: readonly FormPart[]): readonly string[] => parts.map(text);

/** Tables in the order in which they are written. */
function leavesOf(source: Source): Extract<Source, { readonly kind: 'table' | 'derived' }>[] {
  if (source.kind === 'group') return leavesOf(source.source);
  return source.kind === 'join' ? [...leavesOf(source.left), ...leavesOf(source.right)] : [source];
}

/** Builds the form of one query of any shape that our parser reads. */
class GeneralFormBuilder {
  readonly #values: ValueRule;
  readonly #names: ReadonlyMap<Identifier, NameBinding>;
  readonly #cores: ReadonlyMap<SelectCore, BoundCore>;
  readonly #sources: ReadonlyMap<ScopeSource, number>;
  readonly #firstColumns: readonly number[];
  readonly #query: BoundQuery;

  constructor(query: BoundQuery, database: Database, values: ValueRule) {
    this.#query = query;
    this.#values = values;
    this.#names = new Map(query.names.map((name) => [name.token, name]));
    this.#cores = new Map(query.cores.map((core) => [core.node, core]));
    this.#sources = new Map(query.cores.flatMap(({ sources }) => sources).map((source, id) => [source, id]));
    let next = 1;
    this.#firstColumns = database.tables.map(({ columns }) => (next += columns.length) - columns.length);
  }

  form(): QueryForm {
    const { select } = this.#query;
    return this.#select(select, { scope: null, common: new Map(), isDraft: false, isOuter: true });
  }

  #select(select: Select, around: Surroundings): QueryForm {
    const common = this.#commonTables(select, around);
    const inside = { ...around, common, isOuter: around.isOuter && select.terms.length === 1 };
    const tables = select.with?.tables ?? [];
    const withs = tables.map((table) => this.#select(table.select, { ...inside, isOuter: false }).whole);
    const terms = select.terms.map(({ operator, body }) => ({ operator, form: this.#body(body, inside) }));
    const first = terms[0]?.form ?? emptyCore(this.#view(null, inside));
    const { own, view, ...parts } = first;
    const ending = this.#ending(select, view, this.#firstCore(select));
    const halves = this.#halves(terms.map((term) => ({ operator: term.operator, own: term.form.own })));
    const whole = text([withs, ...(halves === null ? [own] : [halves]), ending]);
    return { ...parts, order: ending, halves: halves ?? '', whole };
  }

  /** Common tables are called by their place, whatever their names; those of the queries around are seen, too. */
  #commonTables(select: Select, { common }: Surroundings): CommonTables {
    if (select.with === null) return common;
    const own = select.with.tables.map((table, i) => [foldName(table.name.name), `with ${common.size + i}`] as const);
    return new Map([...common, ...own]);
  }

  /** The queries of a compound, in any sequence where that does not count; null where there is one. */
  #halves(terms: readonly { readonly operator: string | null; readonly own: string }[]): string | null {
    if (terms.length < 2) return null;
    const operators = terms.slice(1).map(({ operator }) => operator ?? '');
    const isUniform = new Set(operators).size === 1 && operators[0] !== 'EXCEPT';
    const queries = terms.map(({ own }) => own);
    return text([operators, isUniform ? queries.sort() : queries]);
  }

  #firstCore(select: Select): SelectCore | null {
    const body = select.terms[0]?.body;
    return body?.kind === 'core' ? body : null;
  }

  #body(body: SelectCore | Values | Select, around: Surroundings): CoreForm {
    if (body.kind === 'core') return this.#core(body, around);
    const view = this.#view(null, around);
    if (body.kind === 'select') {
      const { whole } = this.#select(body, { ...around, isOuter: false });
      return { ...emptyCore(view), own: whole };
    }
    const rows = body.rows.map((row) => row.items.map((item) => expressionPart(item, view)));
    return { ...emptyCore(view), select: texts(rows), own: text(['values', rows]) };
  }

  #core(core: SelectCore, around: Surroundings): CoreForm {
    const sources = this.#cores.get(core)?.sources ?? [];
    const contents = sources.map((source) => this.#content(source, around));
    const units = sources.map(({ relation }): SpiderTableUnit =>
      relation.table === null ? ['sql', NO_QUERY] : ['table_unit', relation.table],
    );
    const ids = new Map(units.map((unit, i) => [unit, this.#idOf(sources[i])]));
    const labelled = (labels: SourceLabels, isDraft: boolean): CoreForm =>
      this.#labelled(core, contents, { ...around, isDraft, scope: { labels, parent: around.scope } });
    const draft = (labels: SourceLabels): string => labelled(labels, true).own;
    return labelled(labelSources(units, contents, ids, around.isDraft ? null : draft), around.isDraft);
  }

  #idOf(source: ScopeSource | undefined): number {
    return (source === undefined ? undefined : this.#sources.get(source)) ?? -1;
  }

  /** Returns the content of a source in a FROM. */
  #content({ node, relation }: ScopeSource, around: Surroundings): string {
    if (node.kind === 'derived') return this.#select(node.select, { ...around, isOuter: false }).whole;
    if (node.args === null) return this.#tableKey(node, relation.table, around);
    const view = this.#view(null, around);
    return text([foldName(node.name.name), node.args.map((arg) => expressionPart(arg, view))]);
  }

  #tableKey({ name }: TableSource, table: number | null, { common }: Surroundings): string {
    return table === null ? (common.get(foldName(name.name)) ?? foldName(name.name)) : String(table);
  }

  #labelled(core: SelectCore, contents: readonly string[], inside: Surroundings): CoreForm {
    const written = this.#view(core, inside);
    const view = this.#connected(core.from, written);
    const where = conjunctParts(core.where, view);
    const select = core.columns.map((column) => this.#column(column, view));
    const groupBy = sortedParts(core.groupBy.map((one) => this.#term(one, core, view)));
    const having = text(sortedParts(conjunctParts(core.having, view)));
    const distinct = core.quantifier === 'DISTINCT';
    const joins = core.from === null ? '' : text(this.#joins(core.from, written));
    const distinctOn = core.distinctOn.map((one) => expressionPart(one, view));
    const parts = {
      tables: [...contents].sort(),
      joins,
      distinct: String(distinct),
      select: texts(select),
      selectUnits: texts(core.columns.map((column) => this.#unit(column, view))),
      where: texts(where),
      whereUnits: texts(where.map(unitOf)),
      whereGroups: core.where === null ? '' : text(where.map(groupsOf)),
      groupBy: texts(groupBy),
      having: core.having === null ? '' : having,
    };
    const columns = inside.isOuter ? sortedParts(select) : select;
    const own = text([parts.tables, joins, distinct, distinctOn, columns, sortedParts(where), groupBy, having]);
    return { ...parts, own, view };
  }

  /** The view in which columns that plain joins set equal are one. */
  #connected(from: Source | null, written: LabelledView): LabelledView {
    if (from === null || !isPlain(from)) return written;
    const equated = this.#onConditions(from).flatMap((condition) => equatedKeys(condition, written));
    if (equated.length === 0) return written;
    const least = connect(equated);
    const columnKey = (node: ColumnNode): string | null => {
      const key = written.columnKey(node);
      return key === null ? null : least(key);
    };
    return { ...written, columnKey };
  }

  #onConditions(source: Source): readonly Expression[] {
    if (source.kind === 'group') return this.#onConditions(source.source);
    if (source.kind !== 'join') return [];
    const own = source.constraint?.kind === 'on' ? conjunctsOf(source.constraint.condition) : [];
    return [...this.#onConditions(source.left), ...this.#onConditions(source.right), ...own];
  }

  /** Plain joins as a set of conditions; around outer joins, what is joined with what counts. */
  #joins(source: Source, view: ExpressionView): FormPart {
    if (isPlain(source)) return sortedParts(this.#conditions(source, view));
    if (source.kind === 'group') return this.#joins(source.source, view);
    if (source.kind !== 'join') return this.#leaf(source);
    const { type, left, right } = source;
    const on = sortedParts(this.#ownConditions(source, view));
    return [PLAIN.has(type) ? 'inner' : type, this.#side(left, view), this.#side(right, view), on];
  }

  #side(source: Source, view: ExpressionView): FormPart {
    return [leavesOf(source).map((leaf) => this.#leaf(leaf)), this.#joins(source, view)];
  }

  #leaf(leaf: Source): FormPart {
    if (leaf.kind !== 'table') return leaf.kind;
    const binding = this.#query.tables.find(({ token }) => token === leaf.name);
    return binding?.table == null ? foldName(leaf.name.name) : String(binding.table);
  }

  #conditions(source: Source, view: ExpressionView): readonly FormPart[] {
    if (source.kind === 'group') return this.#conditions(source.source, view);
    if (source.kind !== 'join') return [];
    const inner = [source.left, source.right].flatMap((side) => this.#conditions(side, view));
    return [...inner, ...this.#ownConditions(source, view)];
  }

  #ownConditions({ natural, constraint }: Join, view: ExpressionView): readonly FormPart[] {
    if (natural !== null) return ['natural'];
    if (constraint?.kind !== 'using') return conjunctParts(constraint?.condition ?? null, view);
    return constraint.columns.map(({ name }) => ['using', foldName(name)]);
  }

  #column(column: ResultColumn, view: ExpressionView): FormPart {
    if (column.kind === 'result') return expressionPart(column.expression, view);
    if (column.table === null) return '*';
    const outputs = [...this.#cores.values()].flatMap((core) => core.outputs);
    const found = outputs.find(({ node }) => node === column)?.found;
    return found?.target.kind === 'column' ? ['*', this.#sourceKey(found.target.source, view)] : '*';
  }

  /** Which source a star is of, by the key of its first column. */
  #sourceKey(source: ScopeSource, view: ExpressionView): string {
    return (view as LabelledView).keyAt(0, source);
  }

  #unit(column: ResultColumn, view: ExpressionView): FormPart {
    if (column.kind === 'star') return this.#column(column, view);
    const { expression } = column;
    const [argument] = expression.kind === 'function' ? expression.args : [];
    return expressionPart(argument ?? expression, view);
  }

  /** A whole term of GROUP BY or ORDER BY: a number there is the place of a result column. */
  #term(expression: Expression, core: SelectCore | null, view: ExpressionView): FormPart {
    const place = expression.kind === 'literal' && expression.type === 'number' ? Number(expression.value) : 0;
    const meant = core?.columns.some(({ kind }) => kind === 'star') === true ? undefined : core?.columns[place - 1];
    return meant?.kind === 'result' ? expressionPart(meant.expression, view) : expressionPart(expression, view);
  }

  #ending({ orderBy, limit }: Select, view: ExpressionView, core: SelectCore | null): string {
    if (orderBy.length === 0 && limit === null) return '';
    const terms = orderParts(orderBy, view).map((part, i) => {
      const [, ...direction] = part as readonly FormPart[];
      const expression = orderBy[i]?.expression;
      return [expression === undefined ? null : this.#term(expression, core, view), ...direction];
    });
    return text([terms, this.#bound(limit?.count, view), this.#bound(limit?.offset, view)]);
  }

  #bound(expression: Expression | null | undefined, view: ExpressionView): FormPart {
    if (expression == null) return null;
    return this.#values === 'ignored' && expression.kind === 'literal' ? 'value' : expressionPart(expression, view);
  }

  #view(core: SelectCore | null, inside: Surroundings): LabelledView {
    const keyAt = (index: number, source: ScopeSource): string => this.#keyAt(index, source, inside.scope);
    const known = new Map<Select, string>();
    const queryKey = (select: Select): string => {
      const key = known.get(select) ?? this.#select(select, { ...inside, isOuter: false }).whole;
      known.set(select, key);
      return key;
    };
    const view: LabelledView = {
      values: this.#values,
      keyAt,
      columnKey: (node) => this.#columnKey(node, view),
      queryKey,
      windowOf: (name) => windowNamed(core?.windows ?? [], name),
      tableKey: (source) => this.#inTable(source, inside),
    };
    return view;
  }

  #inTable(source: Exclude<In['source'], { readonly kind: 'list' | 'subquery' }>, inside: Surroundings): string {
    const relation = this.#query.inTables.find(({ node }) => node === source)?.relation;
    return this.#tableKey(source, relation?.table ?? null, inside);
  }

  #columnKey(node: ColumnNode, view: LabelledView): string | null {
    const found = this.#names.get(node.column)?.found ?? null;
    if (found === null) return null;
    const { target } = found;
    if (target.kind === 'column') return view.keyAt(target.column.index, target.source);
    if (target.kind === 'alias') return text(expressionPart(target.node.expression, view));
    if (target.kind === 'output') return this.#outputKey(target.column, view);
    return view.keyAt(-1, target.source);
  }

  /** A result column named by a term: what it selects. */
  #outputKey(column: BoundCore['outputs'][number]['column'], view: LabelledView): string {
    const outputs = [...this.#cores.values()].flatMap((core) => core.outputs);
    const output = outputs.find((one) => one.column === column);
    if (output?.node?.kind === 'result') return text(expressionPart(output.node.expression, view));
    const target = output?.found?.target;
    return target?.kind === 'column' ? view.keyAt(target.column.index, target.source) : `output ${column.index}`;
  }

  /** Columns of tables are numbered through the schema, those of subqueries by their places. */
  #keyAt(index: number, source: ScopeSource, scope: SourceScope | null): string {
    const { table } = source.relation;
    const column = table === null ? index + 1 : (this.#firstColumns[table] ?? 0) + index;
    const number = index < 0 ? -1 - (table ?? -1) : column;
    const empty: SourceScope = { labels: new Map(), parent: null };
    return columnKey(number, this.#idOf(source), scope ?? empty);
  }
}

interface LabelledView extends ExpressionView {
  readonly keyAt: (index: number, source: ScopeSource) => string;
}

/** The keys of two columns that a condition sets equal. */
function equatedKeys(condition: Expression, view: ExpressionView): readonly (readonly [string, string])[] {
  if (condition.kind !== 'binary' || (condition.operator !== '=' && condition.operator !== '==')) return [];
  const [left, right] = [condition.left, condition.right].map((side) => {
    const bare = unparenthesized(side);
    return bare.kind === 'column' ? view.columnKey(bare) : null;
  });
  return left == null || right == null ? [] : [[left, right]];
}

function isPlain(source: Source): boolean {
  if (source.kind === 'group') return isPlain(source.source);
  return source.kind !== 'join' || (PLAIN.has(source.type) && isPlain(source.left) && isPlain(source.right));
}

function windowNamed(windows: readonly NamedWindow[], name: string): WindowDefinition | null {
  return windows.find((window) => foldName(window.name.name) === foldName(name))?.definition ?? null;
}

/** Returns the subject of a condition: its first operand. */
function unitOf(part: FormPart): FormPart {
  return Array.isArray(part)
    ? ((part as readonly FormPart[]).find((one, i) => i > 0 && one !== 'value') ?? part)
    : part;
}

/** Which conditions OR holds together, without what they say. */
function groupsOf(part: FormPart): FormPart {
  if (!Array.isArray(part) || (part[0] !== 'OR' && part[0] !== 'AND')) return '';
  const [word = null, terms = null] = part as readonly FormPart[];
  return [word, Array.isArray(terms) ? sortedParts((terms as readonly FormPart[]).map(groupsOf)) : null];
}

function emptyCore(view: ExpressionView): CoreForm {
  const none = { tables: [], select: [], selectUnits: [], where: [], whereUnits: [], groupBy: [] };
  return { ...none, joins: '', distinct: '', whereGroups: '', having: '', own: '', view };
}

/** The normal form of any query that can be parsed and bound, for what Spider's structure has no form for. */
export function generalFormOf(query: BoundQuery, database: Database, values: ValueRule): QueryForm {
  return new GeneralFormBuilder(query, database, values).form();
}
