import { SqlRewriteError } from '../../../errors.js';
import { itemAt } from '../../../present.js';
import type { Database } from '../../../schema/schema.js';
import type { Expression, Identifier } from '../../../sql/ast.js';
import { bindQuery } from '../../../sql/binder.js';
import type { BoundCore, BoundQuery, NameBinding } from '../../../sql/bound-query.js';
import { renderIdentifier, type SqlDialect } from '../../../sql/dialect.js';
import { applyEdits, insertion, sortEdits, spacedEdit, type SqlEdit } from '../../../sql/edits.js';
import { expandStars } from '../../../sql/rename-columns.js';
import type { ScopeSource } from '../../../sql/scope.js';
import type { NotApplicable } from '../relation.js';
import { goldUse, type GoldUse, Inexpressible, keptNames, nameMeaning, orReason } from '../schema/gold-use.js';
import { chainOf, isPlainChain } from '../schema/join-chain.js';
import type {
  ColumnReading,
  ReadAffinity,
  SourceReader,
  SourceReading,
  SubqueryReading,
  TableReading,
} from './source-reading.js';
import { affinityMatters, needsParentheses, type ValueContext, valueContexts } from './value-context.js';

/** Texts that SQLite takes for numbers where a column of numbers is compared with them. */
const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/** An expression with its columns written; each place of a column counts. */
function writtenBy({ sql }: ColumnReading, written: (name: string) => string): string {
  const names: string[] = [];
  const text = sql((name) => `\uE000${names.push(name) - 1}\uE000`);
  return text.replaceAll(/\uE000(\d+)\uE000/g, (_, place) => written(itemAt(names, Number(place))));
}

/** The versions that a gold query is rewritten from and to. */
interface GoldChange {
  readonly gold: GoldUse;
  readonly database: Database;
  readonly changed: Database;
  /** Positions in `database` of the tables that are read in another way. */
  readonly tables: ReadonlySet<number>;
  readonly read: SourceReader;
  readonly dialect: SqlDialect;
  /** True if all of them keep their columns, in their order: stars stay. */
  readonly keepsColumns?: true;
}

/** A table of a FROM clause with how it is read now. */
interface ReadSource {
  readonly source: ScopeSource;
  readonly core: BoundCore;
  readonly reading: SourceReading;
  /** The qualifier of its columns, as written. */
  readonly label: string;
  /** The same of the further table that is joined to it. */
  readonly joinedLabel: string;
}

/** Checks whether a table is read in a way that may lack its indexes, or what these are over. */
function mayLoseIndexes(reading: SourceReading): boolean {
  if (reading.kind === 'subquery' || reading.isPart === true) return true;
  return reading.joined !== null || reading.columns.size > 0;
}

/** How many columns NATURAL and USING match in each join. */
function mergesIn({ joins }: BoundQuery): string {
  return joins.map(({ merges }) => merges.length).join();
}

/** Rewrites one gold; made for one use by {@link rewriteGold}. */
class GoldRewriter {
  readonly #change: GoldChange;
  readonly #bound: BoundQuery;
  readonly #sql: string;
  readonly #qualifies: boolean;
  readonly #contexts: ReadonlyMap<number, ValueContext>;
  readonly #read = new Map<ScopeSource, ReadSource>();
  readonly #literals = new Set<number>();
  readonly #edits: SqlEdit[] = [];
  /** The references that the names of the new query must have. */
  readonly #expected: string[] = [];

  constructor(change: GoldChange, gold: GoldUse, qualifies: boolean) {
    this.#change = change;
    this.#bound = gold.bound;
    this.#sql = gold.sql;
    this.#qualifies = qualifies;
    this.#contexts = valueContexts(gold.bound.select);
    for (const { token, found } of gold.bound.names) if (found === null) this.#literals.add(token.span.start);
  }

  run(): string {
    const { cores, names, joins, inTables } = this.#bound;
    for (const core of cores) for (const source of core.sources) this.#readSource(source, core);
    for (const { left, right } of joins) for (const source of [...left, ...right]) this.#checkJoined(source);
    if (inTables.some(({ relation }) => this.#isTouched(relation.table))) throw new Inexpressible('in-table');
    for (const read of this.#read.values()) this.#writeSource(read);
    for (const core of cores) this.#writeStars(core);
    for (const binding of names) this.#writeName(binding);
    for (const core of cores) this.#keepNames(core);
    const sql = applyEdits(this.#sql, sortEdits(this.#edits));
    this.#check(sql);
    return sql;
  }

  #isTouched(table: number | null): table is number {
    return table !== null && this.#change.tables.has(table);
  }

  #readSource(source: ScopeSource, core: BoundCore): void {
    const { node, relation } = source;
    if (node.kind !== 'table' || !this.#isTouched(relation.table)) return;
    if (node.schema !== null) throw new Inexpressible('table-of-a-named-schema');
    const targets = this.#bound.names.flatMap(({ found }) => (found === null ? [] : [found.target]));
    const own = targets.flatMap((target) =>
      target.kind === 'column' && target.source === source ? [target.column.index] : [],
    );
    const merged = this.#bound.joins.flatMap(({ merges }) =>
      merges.flatMap(({ merge: { left, right } }) => [left, right]),
    );
    const matched = merged.flatMap((target) => (target.source === source ? [target.column.index] : []));
    const usesRowid = targets.some((target) => target.kind === 'rowid' && target.source === source);
    const columns = [...new Set([...own, ...matched])].sort((a, b) => a - b);
    const reading = this.#change.read({ source, core, columns, usesRowid });
    if (reading === null) return;
    if (reading.kind === 'subquery' && usesRowid) throw new Inexpressible('row-id');
    if (node.namesIndex === true && mayLoseIndexes(reading)) throw new Inexpressible('index-of-the-gold');
    this.#read.set(source, { source, core, reading, ...this.#labels(source, reading) });
  }

  #labels({ node, label }: ScopeSource, reading: SourceReading): Pick<ReadSource, 'label' | 'joinedLabel'> {
    const { dialect } = this.#change;
    const isNamed = reading.kind === 'table';
    const own = node.alias === null && isNamed ? renderIdentifier(reading.table, dialect) : this.#textOf(node.alias);
    const name = own === '' ? renderIdentifier(label ?? '', dialect) : own;
    const joined = isNamed ? reading.joined : null;
    if (joined === null) return { label: name, joinedLabel: '' };
    const joinedLabel = node.alias === null ? renderIdentifier(joined.table, dialect) : this.#freshAlias(name);
    return { label: name, joinedLabel };
  }

  #freshAlias(alias: string): string {
    const bare = alias.replaceAll(/\W/g, '');
    const text = this.#change.dialect.fold(this.#sql);
    let n = 2;
    while (text.includes(this.#change.dialect.fold(`${bare}_${n}`))) n++;
    return `${bare}_${n}`;
  }

  #textOf(token: Identifier | null): string {
    return token === null ? '' : this.#sql.slice(token.span.start, token.span.end);
  }

  /** NATURAL and USING match whatever columns two tables share: only a table that keeps all of its own can be there. */
  #checkJoined(source: ScopeSource): void {
    const reading = this.#read.get(source)?.reading;
    if (reading?.kind !== 'table') return;
    if (reading.columns.size > 0 || reading.joined !== null) throw new Inexpressible('natural-or-using-join');
  }

  #replace(start: number, end: number, text: string): void {
    this.#edits.push(spacedEdit(this.#sql, start, end, text));
  }

  #writeSource({ source, core, reading, label, joinedLabel }: ReadSource): void {
    const { node } = source;
    if (node.kind !== 'table') return;
    const { start, end } = node.name.span;
    if (reading.kind === 'subquery') {
      const alias = node.alias === null ? ` AS ${label}` : '';
      this.#replace(start, end, `(${reading.select})${alias}`);
      this.#expectInside(reading);
      return;
    }
    const name = renderIdentifier(reading.table, this.#change.dialect);
    if (this.#change.dialect.fold(node.name.name) !== this.#change.dialect.fold(reading.table)) {
      this.#replace(start, end, name);
    }
    if (reading.joined !== null) this.#join(source, core, reading, label, joinedLabel);
  }

  /** Names inside of a subquery that refers to a table. */
  #expectInside({ select }: SubqueryReading): void {
    const { changed, dialect } = this.#change;
    for (const binding of bindQuery(select, changed, dialect).names) {
      this.#expected.push(nameMeaning(binding, changed, dialect));
    }
  }

  /** Adds the further table behind the source, where no condition before needs its columns. */
  #join(source: ScopeSource, { node }: BoundCore, reading: TableReading, label: string, joinedLabel: string): void {
    const { joined } = reading;
    if (joined === null || node.from === null) return;
    const { dialect } = this.#change;
    const item = chainOf(node.from).find((one) => one.source === source.node);
    if (item === undefined || !isPlainChain(chainOf(node.from))) throw new Inexpressible('outer-or-natural-join');
    const { end } = (item.join ?? item.source).span;
    if (this.#namesBefore(source, joined.columns, node.from.span.start, end))
      throw new Inexpressible('used-in-its-join');
    const key = renderIdentifier(joined.key, dialect);
    const table = renderIdentifier(joined.table, dialect);
    const alias = joinedLabel === table ? '' : ` AS ${joinedLabel}`;
    const on = `${label}.${key} = ${joinedLabel}.${key}`;
    this.#edits.push(insertion(this.#sql, end, `JOIN ${table}${alias} ON ${on}`));
    this.#expect(label, reading.table, joined.key);
    this.#expect(joinedLabel, joined.table, joined.key);
  }

  #namesBefore(source: ScopeSource, columns: ReadonlySet<number>, start: number, end: number): boolean {
    return this.#bound.names.some(({ token: { span }, found }) => {
      const target = found?.target;
      if (target?.kind !== 'column' || target.source !== source) return false;
      return span.start >= start && span.end <= end && columns.has(target.column.index);
    });
  }

  /** `singer.*` where the table is called otherwise now. */
  #writeStars({ node, sources }: BoundCore): void {
    for (const star of node.columns) {
      if (star.kind !== 'star' || star.table === null) continue;
      const own = this.#change.dialect.fold(star.table.name);
      const source = sources.find(({ label }) => this.#change.dialect.fold(label ?? '') === own);
      const read = source === undefined ? undefined : this.#read.get(source);
      if (read !== undefined) this.#relabel(star.table, read);
    }
  }

  #relabel({ span, name }: Identifier, { label, reading, source }: ReadSource): void {
    if (source.node.alias !== null || reading.kind !== 'table') return;
    const { dialect } = this.#change;
    if (dialect.fold(name) !== dialect.fold(reading.table)) this.#replace(span.start, span.end, label);
  }

  #writeName(binding: NameBinding): void {
    const { found, qualifier } = binding;
    const { database, dialect } = this.#change;
    const target = found?.target;
    const read = target !== undefined && 'source' in target ? this.#read.get(target.source) : undefined;
    if (read === undefined || target?.kind !== 'column') {
      if (read !== undefined && qualifier !== null) this.#relabel(qualifier, read);
      this.#expected.push(nameMeaning(binding, database, dialect));
      return;
    }
    if (qualifier !== null && this.#sql[qualifier.span.start - 1] === '.') {
      throw new Inexpressible('table-of-a-named-schema');
    }
    const { reading } = read;
    const { index } = target.column;
    if (reading.kind === 'subquery') this.#writeSubqueryName(read, reading, index);
    else this.#writeColumn(binding, read, reading, index);
  }

  #writeSubqueryName({ source }: ReadSource, { columns }: SubqueryReading, index: number): void {
    const place = columns.indexOf(index);
    if (place < 0) throw new Inexpressible('column-is-gone');
    this.#expected.push(`${this.#change.dialect.fold(source.label ?? '')} #${place}`);
  }

  #writeColumn(binding: NameBinding, read: ReadSource, reading: TableReading, index: number): void {
    const { token, qualifier } = binding;
    const columnReading = reading.columns.get(index);
    const { database, dialect } = this.#change;
    const isMoved = reading.joined?.columns.has(index) === true;
    const label = isMoved ? read.joinedLabel : read.label;
    const table = isMoved ? (reading.joined?.table ?? '') : reading.table;
    const qualify = qualifier !== null || this.#qualifies;
    const written = (name: string): string => {
      this.#expect(label, table, name);
      const text = renderIdentifier(name, dialect);
      return qualify ? `${label}.${text}` : text;
    };
    const { start } = (qualifier ?? token).span;
    if (columnReading !== undefined) {
      this.#replace(start, token.span.end, this.#valueText(binding, columnReading, written));
      return;
    }
    const source = itemAt(database.tables, read.source.relation.table ?? 0);
    const isKey = reading.joined?.key === itemAt(source.columns, index).originalName;
    this.#expect(label, table, itemAt(source.columns, index).originalName);
    const own = this.#sql.slice(token.span.start, token.span.end);
    if (isMoved && qualifier !== null) this.#replace(qualifier.span.start, token.span.end, `${label}.${own}`);
    else if (qualifier !== null) this.#relabel(qualifier, read);
    else if (isKey || this.#qualifies) this.#replace(token.span.start, token.span.end, `${label}.${own}`);
  }

  /** The expression for a column, with the affinity that the column had where that matters. */
  #valueText({ token }: NameBinding, reading: ColumnReading, written: (name: string) => string): string {
    const text = writtenBy(reading, written);
    const context = this.#contexts.get(token.span.start);
    if (context === undefined) throw new Inexpressible('natural-or-using-join');
    const { affinity } = reading;
    const isSame = (value: unknown): boolean => this.#isOfKind(value as Expression | null, affinity);
    if (affinity !== null && affinityMatters(context, this.#bound.select, isSame)) {
      if (affinity === 'NUMERIC with texts') throw new Inexpressible('affinity-decides');
      return `CAST(${text} AS ${affinity})`;
    }
    return needsParentheses(context) ? `(${text})` : text;
  }

  /** Checks whether a value is one that the affinity leaves as it is. */
  #isOfKind(value: Expression | null, affinity: ReadAffinity): boolean {
    const isText = value?.kind === 'column' && this.#literals.has(value.column.span.start);
    const text = isText ? value.column.name : value?.kind === 'literal' && value.type === 'string' ? value.value : null;
    if (text !== null) return affinity === 'TEXT' || (affinity === 'NUMERIC with texts' && !NUMBER.test(text));
    if (value?.kind !== 'literal') return false;
    return value.type === 'null' || (value.type === 'number' && affinity === 'NUMERIC');
  }

  #expect(label: string, table: string, column: string): void {
    const { dialect } = this.#change;
    const bare = /^["`[]/.test(label) ? label.slice(1, -1) : dialect.bareName(label);
    this.#expected.push(`${dialect.fold(bare)} ${dialect.fold(table)}.${dialect.fold(column)}`);
  }

  /** A result column that was called after a column that is an expression now keeps its name. */
  #keepNames(core: BoundCore): void {
    const query = { sql: this.#sql, bound: this.#bound };
    this.#edits.push(...keptNames(query, core, (found) => this.#isExpression(found), this.#change.dialect));
  }

  #isExpression(found: NameBinding['found']): boolean {
    if (found?.target.kind !== 'column') return false;
    const reading = this.#read.get(found.target.source)?.reading;
    return reading?.kind === 'table' && reading.columns.has(found.target.column.index);
  }

  /** Resolves the new query, and compares what its names refer to. */
  #check(sql: string): void {
    const { changed, dialect } = this.#change;
    const after = bindQuery(sql, changed, dialect);
    const meant = after.names.map((binding) => nameMeaning(binding, changed, dialect));
    const isSame = meant.sort().join('\n') === this.#expected.sort().join('\n');
    if (!isSame || mergesIn(after) !== mergesIn(this.#bound)) throw new Inexpressible('names-become-ambiguous');
  }
}

function attempt(change: GoldChange, gold: GoldUse, qualifies: boolean): string | NotApplicable {
  try {
    return orReason(() => new GoldRewriter(change, gold, qualifies).run());
  } catch (error) {
    if (error instanceof SqlRewriteError) return { reason: 'names-become-ambiguous' };
    if (error instanceof RangeError) return { reason: 'nested-join' }; // chainOf
    throw error;
  }
}

/**
 * A gold on a schema where tables are read in another way: names, expressions in the place of columns, subqueries in
 * the place of tables. Stars over such tables become lists of columns. The result is resolved again, and every name
 * must refer to what it is meant to. Names are qualified only where they were, or where they would be ambiguous.
 */
export function rewriteGold(change: GoldChange): string | NotApplicable {
  const { gold, database, tables, dialect } = change;
  if (![...gold.tables].some((table) => tables.has(table))) return gold.sql;
  const hasStar = change.keepsColumns !== true && [...gold.starred].some((table) => tables.has(table));
  const spelled = hasStar ? goldUse(expandStars(gold.sql, database, dialect).sql, database, dialect) : gold;
  if (spelled === null) return { reason: 'gold-unreadable' };
  const plain = attempt(change, spelled, false);
  return typeof plain === 'string' ? plain : attempt(change, spelled, true);
}
