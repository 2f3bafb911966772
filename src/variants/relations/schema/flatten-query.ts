import { itemAt, mustGet } from '../../../present.js';
import type { Database } from '../../../schema/schema.js';
import type { Expression, Source } from '../../../sql/ast.js';
import { unparenthesized } from '../../../sql/ast-walk.js';
import { bindQuery } from '../../../sql/binder.js';
import type { BoundCore, NameBinding } from '../../../sql/bound-query.js';
import { renderIdentifier, type SqlDialect } from '../../../sql/dialect.js';
import { applyEdits, editedPart, sortEdits, spacedEdit, type SqlEdit } from '../../../sql/edits.js';
import type { ScopeSource } from '../../../sql/scope.js';
import type { Span } from '../../../sql/tokenizer.js';
import type { NotApplicable } from '../relation.js';
import { columnMeaning, type GoldUse, Inexpressible, keptNames, nameMeaning, orReason } from './gold-use.js';
import { type ChainItem, chainOf, conjuncts, isPlainChain, joinConditions } from './join-chain.js';

/** A key along which a table's columns go into another. */
export interface FlattenedKey {
  /** Column of the main table. */
  readonly from: number;
  /** Column of the dropped table. */
  readonly to: number;
  /** Identifier in the main table of each column of the dropped one; of `to` that of `from`. */
  readonly names: readonly string[];
  /** True if rows of the main table may have no row of the dropped one: a join has left them out. */
  readonly guarded: boolean;
}

/** A table that goes into another. */
export interface Flattened {
  readonly main: number;
  readonly dropped: number;
  readonly keys: readonly FlattenedKey[];
}

/** A dropped table in a FROM clause, and the main table in the same clause whose rows have its columns now. */
interface Link {
  readonly main: ScopeSource;
  readonly key: FlattenedKey;
  readonly condition: Expression;
}

/** A column that an expression is. */
interface ColumnUse {
  readonly source: ScopeSource;
  readonly column: number;
}

interface KeptItem {
  readonly item: ChainItem;
  readonly conditions: string[];
}

/**
 * A query without the table that went into another: each join of the two along the key falls, the dropped table's
 * columns become the other's. Only what a join with the main table says of the dropped one can be said on the new
 * schema: rows that nothing references are gone, and others are there several times.
 */
export function flattenQuery(
  gold: GoldUse,
  database: Database,
  changed: Database,
  flattened: Flattened,
  dialect: SqlDialect,
): string | NotApplicable {
  return orReason(() => new QueryFlattener(gold, database, flattened, dialect).run(changed));
}

class QueryFlattener {
  readonly #gold: GoldUse;
  readonly #database: Database;
  readonly #flattened: Flattened;
  readonly #dialect: SqlDialect;
  readonly #bindings: ReadonlyMap<number, NameBinding>;
  readonly #links = new Map<ScopeSource, Link>();
  readonly #guards: string[] = [];
  #edits: SqlEdit[] = [];

  constructor(gold: GoldUse, database: Database, flattened: Flattened, dialect: SqlDialect) {
    this.#gold = gold;
    this.#database = database;
    this.#flattened = flattened;
    this.#dialect = dialect;
    this.#bindings = new Map(gold.bound.names.map((binding) => [binding.token.span.start, binding]));
  }

  run(changed: Database): string {
    const { names, cores } = this.#gold.bound;
    for (const core of cores) this.#link(core);
    for (const binding of names) this.#rename(binding);
    for (const core of cores) this.#keepNames(core);
    for (const core of cores) this.#dropFrom(core);
    const sql = applyEdits(this.#gold.sql, sortEdits(this.#edits));
    const { names: after, joins } = bindQuery(sql, changed, this.#dialect);
    const meant = after.map((binding) => nameMeaning(binding, changed, this.#dialect));
    const isSame = meant.sort().join('\n') === this.#expected().sort().join('\n');
    if (!isSame || joins.length !== this.#gold.bound.joins.length) throw new Inexpressible('names-become-ambiguous');
    return sql;
  }

  /** Finds for each dropped table of a FROM clause the main one that it is joined with along a key. */
  #link({ node, sources }: BoundCore): void {
    const dropped = sources.filter(({ relation }) => relation.table === this.#flattened.dropped);
    if (dropped.length === 0 || node.from === null) return;
    const chain = chainOf(node.from);
    const isJoined = sources.some(({ relation }) => relation.table === this.#flattened.main);
    if (!isJoined) throw new Inexpressible('dropped-table-alone');
    if (!isPlainChain(chain)) throw new Inexpressible('outer-or-natural-join');
    const conditions = [...chain.flatMap(joinConditions), ...conjuncts(node.where)];
    for (const source of dropped) {
      const links = conditions.flatMap((condition) => this.#linkBy(condition, source, sources) ?? []);
      if (links[0] === undefined) throw new Inexpressible('not-joined-by-the-key');
      this.#links.set(source, links[0]);
    }
  }

  #linkBy(condition: Expression, dropped: ScopeSource, sources: readonly ScopeSource[]): Link | null {
    const bare = unparenthesized(condition);
    if (bare.kind !== 'binary' || !['=', '=='].includes(bare.operator)) return null;
    const sides = [this.#useOf(bare.left), this.#useOf(bare.right)];
    const own = sides.find((use) => use?.source === dropped);
    const other = sides.find((use) => use?.source !== dropped);
    if (own == null || other == null || !sources.includes(other.source)) return null;
    if (other.source.relation.table !== this.#flattened.main) return null;
    const key = this.#flattened.keys.find(({ from, to }) => from === other.column && to === own.column);
    return key === undefined ? null : { main: other.source, key, condition };
  }

  #useOf(expression: Expression): ColumnUse | null {
    const bare = unparenthesized(expression);
    const found = bare.kind === 'column' ? this.#bindings.get(bare.column.span.start)?.found : null;
    if (found?.target.kind !== 'column') return null;
    return { source: found.target.source, column: found.target.column.index };
  }

  /** Checks whether a token is in a condition that falls. */
  #falls({ start }: Span): boolean {
    return [...this.#links.values()].some(({ condition: { span } }) => start >= span.start && start < span.end);
  }

  #linkOf({ found }: Pick<NameBinding, 'found'>): { readonly link: Link; readonly name: string } | null {
    const target = found?.target;
    if (target?.kind !== 'column' && target?.kind !== 'rowid') return null;
    const link = this.#links.get(target.source);
    if (link === undefined) return null;
    if (target.kind === 'rowid') throw new Inexpressible('row-id-of-the-dropped-table');
    return { link, name: itemAt(link.key.names, target.column.index) };
  }

  #rename(binding: NameBinding): void {
    const { token, qualifier } = binding;
    const moved = this.#falls(token.span) ? null : this.#linkOf(binding);
    if (moved === null) return;
    const text = `${this.#labelOf(moved.link.main)}.${renderIdentifier(moved.name, this.#dialect)}`;
    const { start } = (qualifier ?? token).span;
    this.#edits.push(spacedEdit(this.#gold.sql, start, token.span.end, text));
  }

  /** A subquery's column that was called after one of the dropped table keeps its name. */
  #keepNames(core: BoundCore): void {
    const isMoved = (found: NameBinding['found']): boolean => this.#linkOf({ found }) !== null;
    this.#edits.push(...keptNames(this.#gold, core, isMoved, this.#dialect));
  }

  /** Writes a core's FROM and WHERE again where a table falls. */
  #dropFrom({ node, sources }: BoundCore): void {
    const falling = sources.filter((source) => this.#links.has(source));
    if (falling.length === 0 || node.from === null) return;
    const nodes = new Set<Source>(falling.map((source) => source.node));
    const [kept, left] = this.#keptItems(chainOf(node.from), nodes);
    const conditions = [...this.#textsOf(conjuncts(node.where)), ...left, ...this.#guardsOf(falling)];
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const { start } = node.from.span;
    const { end } = (node.where ?? node.from).span;
    const text = this.#fromText(kept) + where;
    this.#edits = this.#edits.filter((edit) => edit.start < start || edit.end > end);
    this.#edits.push(spacedEdit(this.#gold.sql, start, end, text));
  }

  /** Returns the kept part of a FROM clause, and the conditions that no join of it has room for. */
  #keptItems(chain: readonly ChainItem[], falling: ReadonlySet<Source>): [kept: KeptItem[], left: string[]] {
    const kept: KeptItem[] = [];
    let open: string[] = [];
    for (const item of chain) {
      open.push(...this.#textsOf(joinConditions(item)));
      if (falling.has(item.source)) continue;
      const hasRoom = kept.length > 0 && item.join?.type !== 'comma';
      kept.push({ item, conditions: hasRoom ? open : [] });
      if (hasRoom) open = [];
    }
    const last = kept.at(-1);
    if (kept.length < 2 || last?.item.join?.type === 'comma') return [kept, open];
    last?.conditions.push(...open);
    return [kept, []];
  }

  #fromText(kept: readonly KeptItem[]): string {
    return kept
      .map(({ item: { source, join }, conditions }, i) => {
        const text = this.#textOf(source.span);
        if (i === 0) return text;
        if (join?.type === 'comma') return `, ${text}`;
        return conditions.length === 0 ? ` CROSS JOIN ${text}` : ` JOIN ${text} ON ${conditions.join(' AND ')}`;
      })
      .join('');
  }

  /** Conditions that leave out the rows of the main table that the joins left out, each once. */
  #guardsOf(falling: readonly ScopeSource[]): readonly string[] {
    const guards = new Map<string, string>();
    for (const source of falling) {
      const { main, key } = mustGet(this.#links.get(source), 'links.get(source)');
      const name = itemAt(key.names, key.to);
      const text = `${this.#labelOf(main)}.${renderIdentifier(name, this.#dialect)} IS NOT NULL`;
      if (key.guarded) guards.set(text, this.#meaningInMain(main, name));
    }
    this.#guards.push(...guards.values());
    return [...guards.keys()];
  }

  #meaningInMain(main: ScopeSource, name: string): string {
    const { originalName } = itemAt(this.#database.tables, this.#flattened.main);
    return columnMeaning(main, originalName, name, this.#dialect);
  }

  /** Conditions that stay, as they are to be joined by AND. */
  #textsOf(conditions: readonly Expression[]): string[] {
    const falling = new Set([...this.#links.values()].map(({ condition }) => condition));
    return conditions
      .filter((condition) => !falling.has(condition))
      .map((condition) => {
        const text = this.#textOf(condition.span);
        return condition.kind === 'binary' && condition.operator === 'OR' ? `(${text})` : text;
      });
  }

  /** A part of the query after the edits so far. */
  #textOf(span: Span): string {
    return editedPart(this.#gold.sql, this.#edits, span).trim();
  }

  #labelOf({ node, label }: ScopeSource): string {
    const token = node.alias ?? (node.kind === 'table' ? node.name : null);
    return token === null ? (label ?? '') : this.#gold.sql.slice(token.span.start, token.span.end);
  }

  /** Returns the references that the names of the new query must have. */
  #expected(): string[] {
    const kept = this.#gold.bound.names.filter(({ token }) => !this.#falls(token.span));
    const meant = kept.map((binding) => {
      const moved = this.#linkOf(binding);
      if (moved === null) return nameMeaning(binding, this.#database, this.#dialect);
      return this.#meaningInMain(moved.link.main, moved.name);
    });
    return [...meant, ...this.#guards];
  }
}
