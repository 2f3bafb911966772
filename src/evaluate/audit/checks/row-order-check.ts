import { getOrMake } from '../../../present.js';
import type { ColumnNode, Expression, FunctionCall, Join, Source, Star } from '../../../sql/ast.js';
import { bareExpression, conjunctsOf, joinsOf, tablesOf } from '../../../sql/ast-walk.js';
import { applyEdits, sortEdits } from '../../../sql/edits.js';
import type { SqlRow } from '../../../sql/execution/query-outcome.js';
import { valueKey } from '../../../sql/execution/value-key.js';
import { completeOrder, mayHangOnRowOrder } from '../../../testsuite/distill/row-order.js';
import { bareColumns, selectsAggregate } from '../../../sql/aggregates.js';
import type { CoreSite, SelectSite } from '../../../testsuite/neighbors/query-sites.js';
import type { AuditedGold } from '../audited-gold.js';
import { differingRuns, evidenceRun, type EvidenceRun, type GoldFinding, plainFinding } from '../finding.js';
import type { GoldRows } from '../gold-rows.js';
import { equalSides, type ReadQuery } from '../read-query.js';
import type { ColumnTarget, ScopeSource } from '../../../sql/scope.js';

/** One column that has one value wherever another has one. */
type Rule = readonly [from: ColumnTarget, to: ColumnTarget];

/**
 * The columns that have one value in each group of a SELECT: those grouped by, and what keys and equalities tie to
 * them.
 */
class DeterminedColumns {
  readonly #query: ReadQuery;
  readonly #sources: readonly ScopeSource[];
  readonly #columns = new Map<ScopeSource, Set<number>>();
  readonly #rules: Rule[] = [];

  constructor(query: ReadQuery, core: CoreSite) {
    const { node, bound } = core;
    this.#query = query;
    this.#sources = bound.sources;
    const joins = joinsOf(node.from);
    for (const join of joins) this.#readJoin(join);
    if (node.where !== null) this.#readConditions(node.where);
    for (const join of query.bound.joins.filter((one) => joins.includes(one.node))) this.#readMerges(join);
    for (const term of node.groupBy) this.#add(query.target(term));
    this.#close();
  }

  /** Checks whether a column has one value in each group. */
  has(expression: Expression): boolean {
    const target = this.#query.target(expression);
    return target !== null && this.#hasTarget(target);
  }

  /** Checks whether all columns of a star do. */
  hasStar({ table }: Star): boolean {
    const name = table?.name.toLowerCase();
    return this.#sources
      .filter(({ label }) => name === undefined || label?.toLowerCase() === name)
      .every((source) => this.#hasAll(source));
  }

  #hasAll(source: ScopeSource): boolean {
    return this.#columns.get(source)?.size === source.relation.columns.length;
  }

  #readJoin({ type, constraint, right }: Join): void {
    if (constraint?.kind !== 'on' || type === 'right' || type === 'full') return;
    if (type === 'left') this.#readOuter(constraint.condition, tablesOf(right));
    else this.#readConditions(constraint.condition);
  }

  /** Of LEFT JOIN: what its table gives is that of the left column's value, or NULL where there is none. */
  #readOuter(condition: Expression, joined: readonly Source[]): void {
    const [only, ...others] = conjunctsOf(condition);
    if (only === undefined || others.length > 0) return;
    this.#rules.push(...this.#equal(only).filter(([, to]) => joined.includes(to.source.node)));
  }

  #readConditions(condition: Expression): void {
    for (const part of conjunctsOf(condition)) {
      this.#rules.push(...this.#equal(part));
      for (const [side, other] of equalSides(part)) {
        if (this.#query.value(other) !== undefined) this.#add(this.#query.target(side));
      }
    }
  }

  #readMerges({ node, merges }: ReadQuery['bound']['joins'][number]): void {
    if (node.type === 'right' || node.type === 'full') return;
    for (const { merge } of merges) {
      this.#rules.push([merge.left, merge.right]);
      if (node.type !== 'left') this.#rules.push([merge.right, merge.left]);
    }
  }

  #equal(condition: Expression): readonly Rule[] {
    return equalSides(condition).flatMap(([side, other]): readonly Rule[] => {
      const [from, to] = [this.#query.target(side), this.#query.target(other)];
      return from === null || to === null ? [] : [[from, to]];
    });
  }

  #add(target: ColumnTarget | null): boolean {
    if (target === null || this.#hasTarget(target)) return false;
    getOrMake(this.#columns, target.source, () => new Set()).add(target.column.index);
    return true;
  }

  #hasTarget({ source, column }: ColumnTarget): boolean {
    return this.#columns.get(source)?.has(column.index) === true;
  }

  #close(): void {
    for (let isNew = true; isNew;) {
      const byRules = this.#rules.filter(([from, to]) => this.#hasTarget(from) && this.#add(to));
      const byKeys = this.#sources.filter((source) => this.#addByKey(source));
      isNew = byRules.length + byKeys.length > 0;
    }
  }

  /** All columns of a table whose primary key has one value. */
  #addByKey(source: ScopeSource): boolean {
    const { columns, table } = source.relation;
    const keys = this.#query.database.primaryKeys.filter((key) => key.table === table);
    const isKnown = keys.length > 0 && keys.every(({ column }) => this.#columns.get(source)?.has(column));
    if (!isKnown || this.#hasAll(source)) return false;
    this.#columns.set(source, new Set(columns.keys()));
    return true;
  }
}

const isOneRow = ({ node }: CoreSite): boolean => node.groupBy.length === 0 && selectsAggregate(node);

/** Checks whether LIMIT of a select takes some of several rows. */
function cutsRows({ node, use, cores }: SelectSite): boolean {
  const [core] = cores;
  if (node.limit === null || use === 'exists') return false;
  return !(node.terms.length === 1 && core !== undefined && isOneRow(core));
}

/** Two runs of a query that read rows in another order and differ. */
interface ReorderedRuns {
  readonly evidence: readonly EvidenceRun[];
  readonly stored: readonly SqlRow[];
  readonly other: readonly SqlRow[];
}

/** Runs a query over its tables' rows in other orders; null where none changes its result. */
async function reorder(rows: GoldRows, sql: string): Promise<ReorderedRuns | null> {
  const stored = { label: 'as stored', sql, outcome: await rows.run(sql) };
  for (const [rowOrder, label] of [
    ['reversed', 'rows stored in reverse'],
    ['copied', 'tables without indexes'],
  ] as const) {
    const other = { label, sql, outcome: await rows.run(sql, rowOrder) };
    const evidence = differingRuns(stored, other);
    if (evidence === null || stored.outcome.kind !== 'rows' || other.outcome.kind !== 'rows') continue;
    return { evidence, stored: stored.outcome.rows, other: other.outcome.rows };
  }
  return null;
}

async function limitFinding(gold: AuditedGold, query: ReadQuery, select: SelectSite): Promise<GoldFinding> {
  const { orderBy } = select.node;
  const name = orderBy.length > 0 ? 'limit-tie' : 'unordered-limit';
  const order = orderBy.map((term) => query.text(term)).join(', ');
  const possible =
    orderBy.length > 0
      ? `Rows that tie in ${order} would leave open which LIMIT takes.`
      : 'LIMIT takes rows in no order.';
  const [up, down] = (['ASC', 'DESC'] as const).map((direction) => completeOrder(query.sql, select, direction));
  if (gold.rows === null || up == null || down == null) return plainFinding(name, possible, false);
  const evidence = await gold.rows.differ(['ties broken upwards', up], ['ties broken downwards', down]);
  if (evidence === null) return plainFinding(name, possible, false);
  const sentence =
    orderBy.length > 0
      ? `Rows tie in ${order} where LIMIT cuts, and which are taken changes the result.`
      : 'LIMIT takes some rows in no order, and which are taken changes the result.';
  return { ...plainFinding(name, sentence), evidence };
}

/** A column that a core neither groups by nor aggregates. */
interface BareColumn {
  readonly text: string;
  /** Its place in the query's result; null where it is none of it by itself. */
  readonly place: number | null;
  /** True if declared keys leave it one value in each group. */
  readonly isDetermined: boolean;
}

/** The columns that a core shows or tests, and neither groups by nor aggregates. */
function bareColumnsOf(query: ReadQuery, core: CoreSite): readonly BareColumn[] {
  const { node, select } = core;
  if (node.groupBy.length === 0 && !selectsAggregate(node)) return [];
  const keyOf = (expression: Expression): string => {
    const column = query.column(expression);
    return column === null ? query.text(bareExpression(expression)).toLowerCase() : JSON.stringify(column.ref);
  };
  const grouped = new Set(node.groupBy.map(keyOf));
  const determined = new DeterminedColumns(query, core);
  const isOpen = (column: ColumnNode): boolean => !query.isText(column.column) && !grouped.has(keyOf(column));
  const inside = (part: Expression, place: number | null): readonly BareColumn[] =>
    grouped.has(keyOf(part))
      ? []
      : bareColumns(part)
          .filter(isOpen)
          .map((column) => ({ text: query.text(column), place, isDetermined: determined.has(column) }));
  const hasStar = node.columns.some(({ kind }) => kind === 'star');
  const isResult = select.use === 'result' && select.node.terms.length === 1 && !hasStar;
  return [
    ...node.columns.flatMap((column, i) =>
      column.kind === 'star'
        ? [{ text: '*', place: null, isDetermined: determined.hasStar(column) }]
        : inside(column.expression, isResult ? i : null),
    ),
    ...(node.having === null ? [] : inside(node.having, null)),
  ];
}

/** The bare columns whose values two runs show to differ. */
function differingColumns(columns: readonly BareColumn[], runs: ReorderedRuns | null): readonly BareColumn[] {
  const valuesOf = (rows: readonly SqlRow[], place: number): string =>
    rows
      .map((row) => valueKey(row[place] ?? null, 'numeric'))
      .sort()
      .join();
  return columns.filter(
    ({ place }) => runs !== null && place !== null && valuesOf(runs.stored, place) !== valuesOf(runs.other, place),
  );
}

function bareWords(columns: readonly BareColumn[]): string {
  const names = [...new Set(columns.map(({ text }) => text))];
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} neither grouped by nor aggregated`;
}

/** The query without LIMIT, but in subqueries for one value. */
function withoutLimits(query: ReadQuery): string {
  const cut = query.sites.selects.flatMap(({ node, use }) =>
    node.limit === null || use === 'scalar' || use === 'exists' ? [] : [node.limit.span],
  );
  return applyEdits(query.sql, sortEdits(cut.map(({ start, end }) => ({ start, end, before: '', after: '' }))));
}

/** Runs in which the values that rows of one group give differ, and the result of the query with them. */
async function differingGroups(gold: AuditedGold, query: ReadQuery): Promise<ReorderedRuns | null> {
  if (gold.rows === null) return null;
  const unlimited = withoutLimits(query);
  const runs = await reorder(gold.rows, unlimited);
  if (runs === null || unlimited === query.sql) return runs;
  return (await reorder(gold.rows, query.sql)) === null ? null : runs;
}

/** Of columns that declared keys determine, only what the rows show against them is a finding. */
async function bareFinding(
  gold: AuditedGold,
  query: ReadQuery,
  columns: readonly BareColumn[],
): Promise<GoldFinding | null> {
  const open = columns.filter(({ isDetermined }) => !isDetermined);
  const runs = await differingGroups(gold, query);
  const differing = differingColumns(columns, runs);
  const named = bareWords(differing.length > 0 ? differing : open);
  if (differing.length + open.length === 0) return null;
  if (runs === null) return plainFinding('bare-column', `${named}.`, false);
  return { ...plainFinding('bare-column', `${named}, and a group has several values.`), evidence: runs.evidence };
}

async function concatFinding(gold: AuditedGold, query: ReadQuery, call: FunctionCall): Promise<GoldFinding> {
  const runs = await differingGroups(gold, query);
  const joins = `${query.text(call)} joins values in the order in which rows are found`;
  if (runs === null) return plainFinding('group-concat', `${joins}.`, false);
  return { ...plainFinding('group-concat', `${joins}, and the result changes with it.`), evidence: runs.evidence };
}

const isConcat = (node: Expression): node is FunctionCall =>
  node.kind === 'function' &&
  /^(?:group_concat|string_agg|json_group_array|json_group_object)$/i.test(node.name.name) &&
  node.orderBy.length === 0 &&
  node.over === null;

async function subqueryFinding(gold: AuditedGold, query: ReadQuery, select: SelectSite): Promise<GoldFinding | null> {
  const text = query.text(select.node);
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const possible = `(${shown}) stands for one value and may give several.`;
  const outcome = await gold.rows?.run(text);
  if (outcome !== undefined && outcome.kind !== 'rows') return null;
  const values = new Set(outcome?.rows.map(([value]) => valueKey(value ?? null, 'numeric')));
  if (outcome === undefined || values.size < 2) return plainFinding('many-row-subquery', possible, false);
  const sentence = `(${shown}) stands for one value and gives ${values.size} different ones, of which SQLite takes the first.`;
  return { ...plainFinding('many-row-subquery', sentence), evidence: [evidenceRun('the subquery', text, outcome)] };
}

/** Subqueries for one value that nothing keeps to one row. */
function openSubqueries({ sites }: ReadQuery): readonly SelectSite[] {
  return sites.selects.filter(({ node, use, cores }) => {
    const [core] = cores;
    if (use !== 'scalar' || node.limit !== null || core === undefined) return false;
    return node.terms.length > 1 || !isOneRow(core);
  });
}

async function causesOf(gold: AuditedGold, query: ReadQuery): Promise<GoldFinding[]> {
  const { selects, cores, expressions } = query.sites;
  const found: (GoldFinding | null)[] = [];
  const bare = cores.flatMap((core) => bareColumnsOf(query, core));
  if (bare.length > 0) found.push(await bareFinding(gold, query, bare));
  // Where bare columns change with the order or the plan, nothing else can be told from it.
  const isBare = found.some((finding) => finding?.isShown === true);
  const call = expressions.map(({ node }) => node).find(isConcat);
  if (call !== undefined && !isBare) found.push(await concatFinding(gold, query, call));
  for (const select of openSubqueries(query)) found.push(await subqueryFinding(gold, query, select));
  for (const select of isBare ? [] : selects.filter(cutsRows)) found.push(await limitFinding(gold, query, select));
  return found.filter((finding) => finding !== null);
}

/** Gold queries whose result depends on the order in which rows are stored or found. */
export async function checkRowOrder(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const { query, rows } = gold;
  if (query === null) return [];
  const causes = await causesOf(gold, query);
  if (rows === null || causes.some(({ isShown }) => isShown) || !mayHangOnRowOrder(query.bound)) return causes;
  const runs = await reorder(rows, query.sql);
  if (runs === null) return causes;
  const sentence = 'The result changes with the order in which rows are stored.';
  return [...causes, { ...plainFinding('row-order', sentence), evidence: runs.evidence }];
}
