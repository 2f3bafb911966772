import { getOrMake } from '../../present.js';
import type {
  ColumnNode,
  Expression,
  Identifier,
  In,
  ResultColumn,
  Select,
  SelectCore,
  TableSource,
  Values,
} from '../../sql/ast.js';
import { childrenOf } from '../../sql/ast-walk.js';
import type { BoundCore, BoundQuery, NameBinding } from '../../sql/bound-query.js';
import { foldName } from '../../sql/dialect.js';
import { baseOf, type ScopeSource } from '../../sql/scope.js';
import type { SchemaNumbers } from '../../sql/spider-sql.js';
import { sha256Of } from '../../run/sha256.js';
import {
  conjunctParts,
  expressionPart,
  flatConditions,
  type FormPart,
  groupsOf,
  sortedParts,
  unitOf,
  variedDirections,
} from './expression-form.js';
import type { FormRules } from './form-rules.js';
import { joinedKeys, joinParts, type JoinView } from './join-form.js';
import { columnKey, type FormSource, labelSources, type SourceLabels, type SourceScope } from './source-labels.js';
import type { SpiderNames } from './spider-names.js';

/** A query in its normal form: equal texts mean equal queries, so far as the rules tell. */
export interface QueryForm {
  readonly whole: string;
  readonly tables: readonly string[];
  readonly joins: readonly string[];
  readonly distinct: string;
  readonly select: readonly string[];
  readonly selectUnits: readonly string[];
  readonly where: readonly string[];
  readonly whereUnits: readonly string[];
  readonly whereGroups: string;
  readonly groupBy: readonly string[];
  readonly having: string;
  readonly order: string;
  /** The directions of ORDER BY where they vary. */
  readonly directions: readonly string[];
  readonly halves: readonly string[];
}

/** The facts that a form depends on besides the query. */
export interface FormSettings {
  readonly rules: FormRules;
  readonly numbers: SchemaNumbers;
  /** The columns that foreign keys link, for forms without the rule `foreign-keys`. */
  readonly names: Pick<SpiderNames, 'linked' | 'tableOf'>;
  /** True for the clauses of Spider's structure, where AND and OR are in one list; else for those of any query. */
  readonly isFlat: boolean;
}

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

/** How the expressions of one SELECT are read. */
interface View extends JoinView {
  readonly withKeys: (change: (key: string, column: number) => string) => View;
}

type CoreForm = Omit<QueryForm, 'whole' | 'order' | 'directions' | 'halves'> & {
  readonly own: string;
  readonly view: View;
};

/** Longer texts are in others by their hash: quoted again at each level, they would double. */
const MAX_LENGTH = 40;

/** A part in one text, or its hash where that is long. */
function text(part: FormPart): string {
  const written = JSON.stringify(part);
  return written.length > MAX_LENGTH ? sha256Of(written) : written;
}

const texts = (parts: readonly FormPart[]): readonly string[] => parts.map(text);

/** Builds the form of one query of any shape that our parser reads. */
class FormBuilder {
  readonly #settings: FormSettings;
  readonly #rules: FormRules;
  readonly #names: ReadonlyMap<Identifier, NameBinding>;
  readonly #cores: ReadonlyMap<SelectCore, BoundCore>;
  readonly #sources: ReadonlyMap<ScopeSource, number>;
  readonly #query: BoundQuery;

  constructor(query: BoundQuery, settings: FormSettings) {
    this.#query = query;
    this.#settings = settings;
    this.#rules = settings.rules;
    this.#names = new Map(query.names.map((name) => [name.token, name]));
    this.#cores = new Map(query.cores.map((core) => [core.node, core]));
    this.#sources = new Map(query.cores.flatMap(({ sources }) => sources).map((source, id) => [source, id]));
  }

  form(): QueryForm {
    return this.#select(this.#query.select, { scope: null, common: new Map(), isDraft: false, isOuter: true });
  }

  #select(select: Select, around: Surroundings): QueryForm {
    const common = this.#commonTables(select, around);
    const isAlone = select.terms.length === 1;
    const inside = { ...around, common, isOuter: around.isOuter && (isAlone || this.#settings.isFlat) };
    const tables = select.with?.tables ?? [];
    const withs = tables.map((table) => this.#select(table.select, { ...inside, isOuter: false }).whole);
    const forms = select.terms.map(({ body }, i) => this.#body(body, i === 0 ? select : null, inside));
    const { own, view, ...parts } = forms[0] ?? emptyCore(this.#settings.isFlat, this.#view(null, inside));
    const order = this.#order(select, view);
    const owns = forms.map((form) => form.own);
    const compound = isAlone ? [own] : [this.#compound(select, owns)];
    const whole = text([withs, ...compound, order]);
    const form = { ...parts, order, directions: variedDirections(select.orderBy), halves: [], whole };
    if (isAlone) return form;
    if (!this.#settings.isFlat) return { ...form, halves: texts(compound) };
    // Spider's structure has them behind the first query, the last with the order of the whole.
    const halves = this.#operators(select).map((operator, i) => [operator, owns[i + 1] ?? '']);
    return { ...form, order: '', halves: texts([...halves.slice(0, -1), [...(halves.at(-1) ?? []), order]]) };
  }

  /** Common tables are called by their place, whatever their names; those of the queries around are seen, too. */
  #commonTables(select: Select, { common }: Surroundings): CommonTables {
    if (select.with === null) return common;
    const own = select.with.tables.map((table, i) => [foldName(table.name.name), `with ${common.size + i}`] as const);
    return new Map([...common, ...own]);
  }

  #operators({ terms }: Select): readonly string[] {
    const operators = terms.slice(1).map(({ operator }) => operator ?? '');
    return this.#rules.has('union-all') ? operators : operators.map((operator) => operator.replace(' ALL', ''));
  }

  /** The queries of a compound, in any sequence where that does not count. */
  #compound(select: Select, queries: readonly string[]): FormPart {
    const written = new Set(select.terms.slice(1).map(({ operator }) => operator));
    const isBag = this.#rules.has('halves') && written.size === 1 && !written.has('EXCEPT');
    return [this.#operators(select), isBag ? [...queries].sort() : queries];
  }

  #body(body: SelectCore | Values | Select, ending: Select | null, around: Surroundings): CoreForm {
    if (body.kind === 'core') return this.#core(body, ending, around);
    const view = this.#view(null, around);
    const empty = emptyCore(this.#settings.isFlat, view);
    if (body.kind === 'select') return { ...empty, own: this.#select(body, { ...around, isOuter: false }).whole };
    const rows = body.rows.map((row) => row.items.map((item) => expressionPart(item, view)));
    return { ...empty, select: texts(rows), own: text(['values', rows]) };
  }

  /** `ending` is the query whose ORDER BY distinguishes the sources, too. */
  #core(core: SelectCore, ending: Select | null, around: Surroundings): CoreForm {
    const sources = (this.#cores.get(core)?.sources ?? []).map((source): FormSource => {
      const isTable = source.relation.table !== null;
      return { id: this.#idOf(source), isTable, content: this.#content(source, around) };
    });
    const tables = sources.map(({ content }) => content);
    const labelled = (labels: SourceLabels, isDraft: boolean): CoreForm =>
      this.#labelled(core, tables, { ...around, isDraft, scope: { labels, parent: around.scope } });
    const draft = (labels: SourceLabels): string => {
      const { joins, own, view } = labelled(labels, true);
      return JSON.stringify([joins, own, ending === null ? '' : this.#order(ending, view)]);
    };
    const labels = this.#rules.has('sources') ? labelSources(sources, around.isDraft ? null : draft) : new Map();
    return labelled(labels, around.isDraft);
  }

  #idOf(source: ScopeSource): number {
    return this.#sources.get(source) ?? -1;
  }

  /** Returns the content of a source in a FROM. */
  #content({ node, relation }: ScopeSource, around: Surroundings): string {
    if (node.kind === 'derived') return this.#select(node.select, { ...around, isOuter: false }).whole;
    if (node.args === null) return this.#tableKey(node, relation.table, around);
    const view = this.#view(null, around);
    return text([foldName(node.name.name), node.args.map((arg) => expressionPart(arg, view))]);
  }

  #tableKey({ name }: TableSource, table: number | null, { common }: Pick<Surroundings, 'common'>): string {
    if (table !== null) return String(this.#settings.numbers.tables[table]);
    return common.get(foldName(name.name)) ?? foldName(name.name);
  }

  #labelled(core: SelectCore, tables: readonly string[], inside: Surroundings): CoreForm {
    const written = this.#view(core, inside);
    const isJoined = this.#rules.has('foreign-keys');
    const view = written.withKeys(isJoined ? joinedKeys(core.from, written) : this.#linkedKeys(core));
    const joins = core.from === null || !this.#rules.has('joins') ? [] : joinParts(core.from, written);
    const distinct = core.quantifier === 'DISTINCT' && this.#rules.has('distinct');
    const select = core.columns.map((column) => this.#column(column, view, inside));
    const groupBy = this.#inOrder(core.groupBy.map((one) => this.#term(one, core, view)));
    const having = this.#conditions(core.having, view);
    const parts = {
      tables,
      joins: texts(joins),
      distinct: String(distinct),
      select: texts(select),
      selectUnits: texts(core.columns.map((column) => this.#unit(column, view, inside))),
      ...this.#whereParts(core.where, view),
      groupBy: texts(groupBy),
      having: core.having === null ? '' : text(having),
    };
    const { isOuter } = inside;
    const own = JSON.stringify([
      this.#inOrder(tables, isOuter),
      joins,
      distinct,
      core.distinctOn.map((one) => expressionPart(one, view)),
      isOuter || this.#settings.isFlat ? this.#inOrder(select, isOuter) : select,
      this.#conditions(core.where, view, isOuter),
      groupBy,
      having,
    ]);
    return { ...parts, own, view };
  }

  /** Parts in an order that does not depend on how they are written, where their sequence does not count. */
  #inOrder(parts: readonly FormPart[], isOuter = false): readonly FormPart[] {
    return isOuter || this.#rules.has('sequence') ? sortedParts(parts) : parts;
  }

  /** The conditions in one list, and which of them AND holds together. */
  #conditions(expression: Expression | null, view: View, isOuter = false): FormPart {
    const all = flatConditions(expression).flatMap((condition) => conjunctParts(condition, view));
    return [
      this.#inOrder(all, isOuter),
      this.#rules.has('connectors') ? sortedParts(conjunctParts(expression, view)) : null,
    ];
  }

  #whereParts(where: Expression | null, view: View): Pick<QueryForm, 'where' | 'whereUnits' | 'whereGroups'> {
    const groups = conjunctParts(where, view);
    if (!this.#settings.isFlat) {
      const whereGroups = where === null ? '' : text(groups.map(groupsOf));
      return { where: texts(groups), whereUnits: texts(groups.map(unitOf)), whereGroups };
    }
    const conditions = flatConditions(where);
    return {
      where: texts(conditions.flatMap((condition) => conjunctParts(condition, view))),
      whereUnits: texts(conditions.map((condition) => expressionPart(childrenOf(condition)[0] ?? condition, view))),
      whereGroups: text([sortedParts(groups)]),
    };
  }

  /** The key that a column shares with those that foreign keys link to it, where its table is in FROM. */
  #linkedKeys(core: SelectCore): (key: string, column: number) => string {
    const { linked, tableOf } = this.#settings.names;
    const tables = new Set(this.#cores.get(core)?.sources.map(({ relation }) => relation.table));
    return (key, column) => {
      const first = tables.has(tableOf[column] ?? null) ? linked.get(column) : undefined;
      return first === undefined ? key : `${first}${key.slice(String(column).length)}`;
    };
  }

  #column(column: ResultColumn, view: View, { scope }: Surroundings): FormPart {
    if (column.kind === 'result') return expressionPart(column.expression, view);
    const target = column.table === null ? null : this.#outputOf(({ node }) => node === column)?.found?.target;
    return ['*', target?.kind === 'column' ? columnKey(0, this.#idOf(target.source), scope) : '0'];
  }

  #outputOf(isMeant: (output: BoundCore['outputs'][number]) => boolean): BoundCore['outputs'][number] | undefined {
    return [...this.#cores.values()].flatMap(({ outputs }) => outputs).find(isMeant);
  }

  /** A result column without its function. */
  #unit(column: ResultColumn, view: View, inside: Surroundings): FormPart {
    if (column.kind === 'star' || column.expression.kind !== 'function') return this.#column(column, view, inside);
    const { args, star, distinct } = column.expression;
    const [argument = column.expression] = args;
    if (!this.#settings.isFlat) return expressionPart(argument, view);
    const unit = star ? ['*', '0'] : expressionPart(argument, view);
    return distinct && this.#rules.has('distinct') ? [unit, 'distinct'] : unit;
  }

  /** A whole term of GROUP BY or ORDER BY: a number there is the place of a result column. */
  #term(expression: Expression, core: SelectCore | null, view: View): FormPart {
    const place = expression.kind === 'literal' && expression.type === 'number' ? Number(expression.value) : 0;
    const meant = core?.columns.some(({ kind }) => kind === 'star') === true ? undefined : core?.columns[place - 1];
    return meant?.kind === 'result' ? expressionPart(meant.expression, view) : expressionPart(expression, view);
  }

  /** ORDER BY and LIMIT: the terms, the direction written last, and all directions where those vary. */
  #order({ terms, orderBy, limit }: Select, view: View): string {
    if (orderBy.length === 0 && limit === null) return '';
    const body = terms[0]?.body;
    const core = body?.kind === 'core' ? body : null;
    const units = orderBy.map(({ expression }) => this.#term(expression, core, view));
    const last = orderBy.findLast(({ direction }) => direction !== null)?.direction ?? 'ASC';
    const bounds = [this.#bound(limit?.count, view), this.#bound(limit?.offset, view)];
    return text([units, last, bounds, ...(this.#rules.has('order-terms') ? variedDirections(orderBy) : [])]);
  }

  #bound(expression: Expression | null | undefined, view: View): FormPart {
    if (expression == null) return null;
    return !this.#rules.has('values') && expression.kind === 'literal' ? 'value' : expressionPart(expression, view);
  }

  #view(core: SelectCore | null, inside: Surroundings): View {
    const known = new Map<Select, string>();
    const queryKey = (select: Select): string => {
      return getOrMake(known, select, () => this.#select(select, { ...inside, isOuter: false }).whole);
    };
    const viewed = (change: (key: string, column: number) => string): View => {
      const keyAt = (index: number, source: ScopeSource): string => {
        const column = this.#numberOf(index, source);
        return change(columnKey(column, this.#idOf(source), inside.scope), column);
      };
      const view: View = {
        rules: this.#rules,
        columnPart: (node) => this.#columnPart(node, view, keyAt),
        queryKey,
        windowOf: (name) =>
          (core?.windows ?? []).find((window) => foldName(window.name.name) === foldName(name))?.definition ?? null,
        tableKey: (source) => this.#inTable(source, inside),
        leafKey: ({ name }) => this.#leafKey(name),
        withKeys: viewed,
      };
      return view;
    };
    return viewed((key) => key);
  }

  #leafKey(name: Identifier): string {
    const binding = this.#query.tables.find(({ token }) => token === name);
    return binding?.table == null ? foldName(name.name) : String(binding.table);
  }

  #inTable(source: Exclude<In['source'], { readonly kind: 'list' | 'subquery' }>, inside: Surroundings): string {
    const relation = this.#query.inTables.find(({ node }) => node === source)?.relation;
    return this.#tableKey(source, relation?.table ?? null, inside);
  }

  #columnPart(node: ColumnNode, view: View, keyAt: (index: number, source: ScopeSource) => string): FormPart | null {
    const target = this.#names.get(node.column)?.found?.target;
    if (target === undefined) return null;
    if (target.kind === 'column') return keyAt(target.column.index, target.source);
    if (target.kind === 'alias') return expressionPart(target.node.expression, view);
    if (target.kind !== 'output') return keyAt(-1, target.source);
    // A result column named by a term: what it selects.
    const output = this.#outputOf(({ column }) => column === target.column);
    if (output?.node?.kind === 'result') return expressionPart(output.node.expression, view);
    const found = output?.found?.target;
    return found?.kind === 'column' ? keyAt(found.column.index, found.source) : `output ${target.column.index}`;
  }

  /** Columns of tables are numbered through the schema, those of subqueries by their places. */
  #numberOf(index: number, { relation }: ScopeSource): number {
    const { tables, columns } = this.#settings.numbers;
    const { table } = relation;
    if (index < 0) return -1 - (table === null ? -1 : (tables[table] ?? 0));
    const passedOn = relation.columns[index];
    const base = this.#settings.isFlat && passedOn !== undefined ? baseOf(passedOn) : null;
    const ref = table === null ? base : { table, column: index };
    return ref === null ? index + 1 : (columns[ref.table]?.[ref.column] ?? 0);
  }
}

/** The form of a query without clauses, which stands for one that can't be read. */
export function emptyForm(isFlat: boolean): QueryForm {
  const none = { tables: [], joins: [], select: [], selectUnits: [], where: [], whereUnits: [], groupBy: [] };
  const whereGroups = isFlat ? text([[]]) : '';
  return { ...none, distinct: '', whereGroups, having: '', order: '', directions: [], halves: [], whole: '' };
}

function emptyCore(isFlat: boolean, view: View): CoreForm {
  return { ...emptyForm(isFlat), own: '', view };
}

/** The normal form of a query. */
export function formOf(query: BoundQuery, settings: FormSettings): QueryForm {
  return new FormBuilder(query, settings).form();
}
