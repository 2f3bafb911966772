import type { Database } from '../schema/schema.js';
import type { Expression, Identifier, ResultExpression, Star } from './ast.js';
import { bareExpression, truthTests } from './ast-walk.js';
import { bindQuery } from './binder.js';
import {
  OriginalNames,
  type BoundCore,
  type BoundInTable,
  type BoundOutput,
  type BoundQuery,
  type NameBinding,
  type NameContext,
} from './bound-query.js';
import { checkRewrite, type RewrittenName, RewrittenNames } from './rewritten-names.js';
import { renderIdentifier, renderString, SQLITE, type SqlDialect } from './dialect.js';
import { applyEdits, editedPart, insertion, sortEdits, spacedEdit, type QuotedSql, type SqlEdit } from './edits.js';
import { JoinRewriter } from './join-rewriter.js';
import { lookupIn, sameTarget } from './name-context.js';
import { changedSchema, type SchemaChange } from './schema-change.js';
import { nameIn, type Found, type RelationColumn, type ScopeSource, type World } from './scope.js';
import { sqlFault } from './sql-fault.js';
import type { Span } from './tokenizer.js';

const CAPTURE_FIX = 'Choose another name, or give the tables of the query aliases.';

function sameFound(wanted: Found, found: Found | null): boolean {
  if (found === null || found.ambiguous || !sameTarget(wanted.target, found.target)) return false;
  if (!wanted.coalesced) return true;
  return found.coalesced && wanted.merged.every((column) => found.merged.some((other) => sameTarget(column, other)));
}

/** Rewrites one bound query for a changed schema; made for one use by {@link rewriteQuery}. */
export class QueryRewriter {
  readonly query: BoundQuery;
  readonly original: World;
  readonly world: RewrittenNames;
  readonly edits: SqlEdit[] = [];
  /** How many double-quoted strings got single quotes. */
  literals = 0;
  /** Where each rewritten name is within its edit, for the final check. */
  readonly rewritten = new Map<NameBinding, RewrittenName>();
  readonly #change: SchemaChange;
  readonly #labels = new Set<string>();
  /** Columns that the rewrite names where the query did not. */
  readonly #spelled = new Set<RelationColumn>();
  readonly #dialect: SqlDialect;
  /** The identifiers after IS in the query; read when needed. */
  #truthTests: ReadonlySet<Identifier> | null = null;

  constructor(query: BoundQuery, change: SchemaChange, changed: Database, dialect: SqlDialect) {
    this.query = query;
    this.#change = change;
    this.#dialect = dialect;
    this.original = new OriginalNames(dialect);
    this.world = new RewrittenNames(change, changed, dialect);
  }

  run(): SqlEdit[] {
    // Inner queries come first in every list, so the names that a query builds on are settled before it.
    const joins = new JoinRewriter(this);
    for (const core of this.query.cores) {
      joins.plan(core.sources);
      if (core.namesRelation || this.#isNamedByTerm(core)) this.#keepDistinct(core);
    }
    joins.rewrite();
    for (const inTable of this.query.inTables) this.#rewriteInTable(inTable);
    for (const core of this.query.cores) this.#rewriteStars(core, joins);
    for (const binding of this.query.names) this.#rewriteName(binding);
    for (const core of this.query.cores) this.#addAliases(core);
    return sortEdits(this.edits);
  }

  #fold(name: string): string {
    return this.#dialect.fold(name);
  }

  /** Checks whether an ORDER BY, GROUP BY or DISTINCT ON names result columns of a core. */
  #isNamedByTerm({ outputs }: BoundCore): boolean {
    return this.query.names.some(({ found }) => {
      return found?.target.kind === 'output' && found.target.column.relation === outputs[0]?.column.relation;
    });
  }

  /** Keeps the old name of a result column where the new one would make two columns of a subquery alike. */
  #keepDistinct(core: BoundCore): void {
    const names = core.outputs.map(({ column }) => this.world.rawNameOf(column));
    core.outputs.forEach(({ column }, i) => {
      const [now, then] = [column.rawName, names[i] ?? ''];
      if (!['through', 'after'].includes(column.origin.kind) || this.#fold(now) === this.#fold(then)) return;
      const others = names.filter((_, j) => j !== i).map((name) => this.#fold(name));
      if (!others.includes(this.#fold(then)) || others.includes(this.#fold(now))) return;
      this.world.keepName(column, now);
      names[i] = now;
    });
  }

  #rewriteStars(core: BoundCore, joins: JoinRewriter): void {
    for (const node of core.node.columns) {
      if (node.kind !== 'star') continue;
      const outputs = core.outputs.filter((output) => output.node === node);
      if (this.#mustExpand(core, node, outputs, joins)) this.#expand(core, node, outputs);
      else if (!core.exists) this.#checkLabels(core, node);
    }
  }

  /**
   * `IN table` compares with all columns of a table: one that gets more is written as a subquery of the present ones.
   */
  #rewriteInTable({ node, relation }: BoundInTable): void {
    if (this.world.addedTo(relation).size === 0) return;
    const columns = relation.columns.map((column) => this.render(this.world.rawNameOf(column)));
    const { start, end } = node.span;
    const subquery = `(SELECT ${columns.join(', ')} FROM ${this.query.sql.slice(start, end)})`;
    this.edits.push(spacedEdit(this.query.sql, start, end, subquery));
  }

  #mustExpand(core: BoundCore, node: Star, outputs: readonly BoundOutput[], joins: JoinRewriter): boolean {
    if (this.#change.stars === 'always') return true;
    if (outputs.some(({ column }) => this.world.keptName(column) !== undefined)) return true;
    if (core.exists) return false;
    const shared = node.table === null || outputs.some(({ found }) => found !== null && found.merged.length > 0);
    if (shared && core.sources.some((source) => joins.wasSplit(source))) return true;
    const label = node.table === null ? null : this.#fold(node.table.name);
    const covered = core.sources.filter((source) => label === null || this.#fold(source.label ?? '') === label);
    return this.#change.stars !== 'never' && covered.some(({ relation }) => this.world.addedTo(relation).size > 0);
  }

  /** SQLite refuses a star over two tables of one alias when they share a column name. */
  #checkLabels({ sources }: BoundCore, node: Star): void {
    const shared = (world: World): boolean => {
      const names = sources.flatMap((source) =>
        source.label === null
          ? []
          : world.namesOf(source.relation).map((name) => this.#fold(`${source.label}.${name}`)),
      );
      return new Set(names).size < names.length;
    };
    if (shared(this.world) && !shared(this.original))
      throw this.fault(node, 'two tables of one alias would share a name');
  }

  #expand(core: BoundCore, node: Star, outputs: readonly BoundOutput[]): void {
    this.world.expand(node);
    const context: NameContext = { kind: 'general', scope: core.columnScope };
    const columns = outputs.map(({ found, column }) => {
      const text = found === null ? null : this.spell(context, found, core.sources.length > 1 || node.table !== null);
      if (text === null) throw this.fault(node, `the star selects ${column.rawName}, which can't be named`);
      return `${text} ${this.#aliasFor(column)}`.trimEnd();
    });
    this.edits.push(spacedEdit(this.query.sql, node.span.start, node.span.end, columns.join(', ')));
  }

  #aliasFor(column: RelationColumn): string {
    const name = this.world.keptName(column);
    return name === undefined ? '' : `AS ${this.render(name)}`;
  }

  /** A column as text that resolves to it in the changed schema, or null; `qualify` says which form is tried first. */
  spell(context: NameContext, found: Found, qualify: boolean): string | null {
    const { target } = found;
    if (target.kind !== 'column') return null;
    this.#spelled.add(target.column);
    const name = nameIn(this.world, target.column);
    const label = target.source.label;
    for (const qualifier of qualify ? [label, null] : [null, label]) {
      if (!sameFound(found, lookupIn(this.world, context, qualifier, name))) continue;
      return qualifier === null ? this.render(name) : `${this.labelText(target.source)}.${this.render(name)}`;
    }
    if (label !== null || found.coalesced) return null;
    const given = this.#giveLabel(target.source);
    return sameFound(found, lookupIn(this.world, context, given, name)) ? `${given}.${this.render(name)}` : null;
  }

  /** Gives a subquery without an alias one that the query does not hold yet. */
  #giveLabel(source: ScopeSource): string {
    const known = this.world.labelOf(source);
    if (known !== null) return known;
    const text = this.#fold(this.query.sql);
    let label = 'derived';
    for (let i = 2; text.includes(label) || this.#labels.has(label); i++) label = `derived_${i}`;
    this.#labels.add(label);
    this.world.giveLabel(source, label);
    // First of all edits, so that it also comes first at its place.
    this.edits.unshift(insertion(this.query.sql, source.node.span.end, `AS ${label}`));
    return label;
  }

  /** A source's alias or table name as the query writes it. */
  labelText(source: ScopeSource): string {
    const { node } = source;
    const token = node.alias ?? (node.kind === 'table' ? node.name : null);
    if (token === null) return this.world.labelOf(source) ?? '';
    return token.quote === 'single' ? this.render(token.name) : this.query.sql.slice(token.span.start, token.span.end);
  }

  #rewriteName(binding: NameBinding): void {
    const { token, found } = binding;
    if (found === null) this.#keepLiteral(binding);
    else if (found.target.kind === 'column') this.#rewriteColumn(binding, found, found.target.column);
    else if (found.target.kind === 'alias') this.#keepAlias(binding, found, found.target.node);
    else if (found.target.kind === 'output') this.#rewriteOutput(binding, found.target.column);
    else if (!this.#resolves(binding, binding.qualifier?.name ?? null, token.name)) this.#keepRowid(binding, found);
  }

  #resolves({ context, found }: NameBinding, qualifier: string | null, name: string): boolean {
    return found !== null && sameFound(found, lookupIn(this.world, context, qualifier, name));
  }

  #rewriteColumn(binding: NameBinding, found: Found, column: RelationColumn): void {
    const { token, qualifier } = binding;
    const [now, then] = [nameIn(this.original, column), nameIn(this.world, column)];
    const name = now === then ? this.query.sql.slice(token.span.start, token.span.end) : this.render(then);
    if (this.#resolves(binding, qualifier?.name ?? null, then)) {
      if (now !== then) this.#replace(binding, name, 0);
      return;
    }
    const source = found.target.kind === 'column' ? found.target.source : null;
    const label = qualifier !== null || found.coalesced || source === null ? null : this.#giveLabel(source);
    if (source === null || label === null || !this.#resolves(binding, label, then)) {
      throw this.fault(token, `${token.name} would be ambiguous or mean another column after the change`);
    }
    const prefix = `${this.labelText(source)}.`;
    this.#replace(binding, prefix + name, prefix.length);
  }

  /** A result column by its name follows it; where a column would hide it, it becomes what it refers to. */
  #rewriteOutput(binding: NameBinding, column: RelationColumn): void {
    const [now, then] = [nameIn(this.original, column), nameIn(this.world, column)];
    if (this.#resolves(binding, null, then)) {
      if (now !== then) this.#replace(binding, this.render(then), 0);
      return;
    }
    const { token, context } = binding;
    const output =
      context.kind === 'output' && context.scope !== null ? context.outputs.find((o) => o.column === column) : null;
    if (output?.node?.kind !== 'result' || bareExpression(output.node.expression).kind === 'literal') {
      throw this.fault(token, `${token.name} would be ambiguous or mean a column after the change`);
    }
    this.#replace(binding, this.#spelledOut(output.node), null);
  }

  /** What a result column is computed from, to be put in the place of its name. */
  #spelledOut({ expression }: ResultExpression): string {
    return `(${editedPart(this.query.sql, this.edits, expression.span)})`;
  }

  /** Writes a text in the place of a name; the name is at an offset in it, or no more. */
  #replace(binding: NameBinding, text: string, nameAt: number | null): void {
    const { start, end } = binding.token.span;
    const edit = spacedEdit(this.query.sql, start, end, text);
    this.edits.push(edit);
    this.rewritten.set(binding, { edit, nameAt: nameAt === null ? null : nameAt + edit.after.indexOf(text) });
  }

  /** A double-quoted string that a new column would turn into an identifier gets single quotes. */
  #keepLiteral(binding: NameBinding): void {
    const { token, context } = binding;
    const single = this.#change.singleQuotes && token.quote === 'double';
    if (!single && lookupIn(this.world, context, null, token.name) === null) return;
    if (token.quote !== 'double') return this.#keepTruth(binding);
    this.#replace(binding, renderString(token.name), null);
    this.literals++;
  }

  /**
   * TRUE and FALSE next to a new column of that name; `IS TRUE` is a test of its own, which no other value asks for.
   */
  #keepTruth(binding: NameBinding): void {
    const { token } = binding;
    this.#truthTests ??= truthTests(this.query.select);
    if (this.#truthTests.has(token)) throw this.fault(token, `${token.name} would become the name of a column`);
    // In parentheses and no plain number, which would be that of a result column in ORDER BY.
    this.#replace(binding, this.#fold(token.name) === 'true' ? '(1 = 1)' : '(1 = 0)', null);
  }

  #keepRowid(binding: NameBinding, { target }: Found): void {
    const label = binding.qualifier?.name ?? null;
    const source = target.kind === 'rowid' ? target.source : null;
    const hidden = target.kind === 'rowid' ? target.hidden : undefined;
    const names = hidden === undefined ? this.world.rowids : [binding.token.name];
    // Only SQLite has several names for one thing; the system columns of others can't be hidden.
    const qualifiers = label === null ? [null, source?.label ?? null] : [label];
    for (const qualifier of this.#dialect.name === 'sqlite' ? qualifiers : []) {
      const name = names.find((rowid) => this.#resolves(binding, qualifier, rowid));
      if (name === undefined || source === null) continue;
      const prefix = qualifier === label ? '' : `${this.labelText(source)}.`;
      this.#replace(binding, prefix + name, prefix.length);
      return;
    }
    const what = hidden === undefined ? 'the row id' : 'the hidden column';
    throw this.fault(binding.token, `${binding.token.name} would no longer be ${what}`);
  }

  /** A result alias that a new column would hide is replaced by what it refers to, as SQLite itself does. */
  #keepAlias(binding: NameBinding, found: Found, node: ResultExpression): void {
    const { token, context } = binding;
    if (this.#resolves(binding, null, token.name)) return;
    const scope = context.kind === 'general' ? context.scope : null;
    // Where aliases come before columns, those of an expression are hidden or not in sight, but for an aggregate's.
    const sees = scope?.aliasRule !== 'before-unused' || this.#isAggregate(node.expression);
    const here = sees && scope?.aliases.includes(node) === true;
    // A literal in its place could be read as the number of a result column.
    if (!here || found.target.kind !== 'alias' || bareExpression(node.expression).kind === 'literal') {
      throw this.fault(token, `the alias ${token.name} would mean a column after the change`);
    }
    this.#replace(binding, this.#spelledOut(node), null);
  }

  #isAggregate(expression: Expression): boolean {
    if (expression.kind !== 'function' || expression.over !== null) return false;
    return this.#dialect.grammar.aggregates.has(this.#fold(expression.name.name));
  }

  /** Adds the aliases that keep the names of a subquery's columns. */
  #addAliases(core: BoundCore): void {
    for (const { node, column } of core.outputs) {
      if (node?.kind !== 'result') continue;
      const text =
        this.#dialect.scoping.outputNames === 'text' &&
        column.origin.kind === 'text' &&
        this.#isUnsteady(node.expression.span) &&
        this.#isNamedOutside(column);
      const alias = text ? `AS ${this.render(column.rawName)}` : this.#aliasFor(column);
      if (alias !== '') this.edits.push(insertion(this.query.sql, node.span.end, alias));
    }
  }

  /** Checks whether a text that names a column changes here, or may change later with the quotes of a string in it. */
  #isUnsteady({ start, end }: Span): boolean {
    const edited = this.edits.some((edit) => edit.start >= start && edit.end <= end);
    return edited || this.query.sql.slice(start, end).includes('"');
  }

  #isNamedOutside(column: RelationColumn): boolean {
    const named = this.query.names.map(({ found }) => {
      return found?.target.kind === 'column' || found?.target.kind === 'output' ? found.target.column : null;
    });
    return [...named, ...this.#spelled].some((name) => {
      let at = name;
      while (at !== null && at !== column)
        at = at.origin.kind === 'through' || at.origin.kind === 'after' ? at.origin.inner : null;
      return at === column;
    });
  }

  /** A name as it is written in the query's dialect. */
  render(name: string): string {
    return renderIdentifier(name, this.#dialect);
  }

  /** Replaces a column's token in USING. */
  renameToken(token: Identifier, name: string): void {
    this.edits.push(spacedEdit(this.query.sql, token.span.start, token.span.end, this.render(name)));
  }

  fault(node: { readonly span: { readonly start: number } }, reason: string): Error {
    return sqlFault(this.query.sql, node.span.start, reason, CAPTURE_FIX);
  }
}

interface KnownRewrite extends Pick<SchemaChange, 'stars' | 'singleQuotes'> {
  readonly sql: string;
  readonly result: QuotedSql;
}

/** The last rewrite on each changed schema: questions that share a gold mostly follow one another. */
const lastRewrites = new WeakMap<Database, KnownRewrite>();

/**
 * Rewrites a query for a changed schema: touches the tokens that the change concerns, and nothing else.
 * The result is parsed and resolved again, and every name in it must refer to what it referred to.
 * @throws SqlRewriteError with the position where the query can't be resolved, or can't be kept equal in meaning
 */
export function rewriteQuery(
  sql: string,
  database: Database,
  change: SchemaChange,
  dialect: SqlDialect = SQLITE,
): QuotedSql {
  const changed = changedSchema(database, change, dialect);
  const last = lastRewrites.get(changed);
  if (last?.sql === sql && last.stars === change.stars && last.singleQuotes === change.singleQuotes) return last.result;
  const query = bindQuery(sql, database, dialect);
  const rewriter = new QueryRewriter(query, change, changed, dialect);
  const edits = rewriter.run();
  const result = { sql: applyEdits(sql, edits), edits, literals: rewriter.literals };
  checkRewrite(query, result, rewriter.rewritten, changed, dialect, change.stars !== 'never');
  lastRewrites.set(changed, { sql, stars: change.stars, singleQuotes: change.singleQuotes, result });
  return result;
}
