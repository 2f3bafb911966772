import { STANDARD_AGGREGATES } from '../../sql/aggregates.js';
import { plainOperator } from '../../sql/operators.js';
import { SqlRewriteError } from '../../errors.js';
import { columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import type { Source } from '../../sql/ast.js';
import { bindQuery } from '../../sql/binder.js';
import type { BoundCore, BoundQuery, NameBinding } from '../../sql/bound-query.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { baseOf } from '../../sql/scope.js';
import { meaningfulTokens, type Token, unquote } from '../../sql/tokenizer.js';
import { joinGraph } from './join-graph.js';
import {
  type ColumnRole,
  type ColumnSlot,
  type Sketch,
  type SketchCore,
  type SketchPart,
  sketchTraits,
  type ValueSlot,
} from './sketch.js';

type Clause = 'select' | 'where' | 'group' | 'having' | 'order' | 'limit';

const CLAUSES: Readonly<Record<string, Clause>> = {
  SELECT: 'select',
  WHERE: 'where',
  GROUP: 'group',
  HAVING: 'having',
  ORDER: 'order',
  LIMIT: 'limit',
};
const COMPARISONS = new Set(['>', '<', '>=', '<=', '!=', 'BETWEEN']);
const COMPARING = new Set([...COMPARISONS, '=', 'LIKE', 'NOT', 'AND', 'IS', '-']);

/** An error for features beyond a sketch: derived tables, outer and self joins, result names, correlated subqueries. */
class Unsupported extends Error {}

interface Frame {
  core: number;
  clause: Clause;
  /** Parentheses open since its SELECT. */
  depth: number;
}

type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** Checks whether a FROM holds plain tables and inner joins alone. */
function isPlain(source: Source): boolean {
  if (source.kind === 'table') return source.args === null;
  if (source.kind !== 'join') return false;
  const inner = source.type === 'inner' || source.type === 'comma' || source.type === 'cross';
  return inner && source.natural === null && isPlain(source.left) && isPlain(source.right);
}

/** Reads one query; made for one use by {@link readSketch}. */
class SketchReader {
  readonly #database: Database;
  readonly #query: BoundQuery;
  readonly #dialect: SqlDialect;
  readonly #cores: readonly BoundCore[];
  readonly #names: ReadonlyMap<number, NameBinding>;
  readonly #parts: SketchPart[] = [];
  readonly #columns: Draft<ColumnSlot>[] = [];
  readonly #values: ValueSlot[] = [];
  readonly #frames: Frame[] = [];

  constructor(query: BoundQuery, database: Database, dialect: SqlDialect) {
    this.#database = database;
    this.#query = query;
    this.#dialect = dialect;
    this.#cores = query.cores.toSorted((a, b) => a.node.span.start - b.node.span.start);
    this.#names = new Map(query.names.map((binding) => [binding.token.span.start, binding]));
  }

  read(): Sketch {
    if (this.#query.select.with !== null) throw new Unsupported();
    for (const { node } of this.#cores) {
      const named = node.columns.some((column) => (column.kind === 'star' ? column.table : column.alias) !== null);
      if (named || (node.from !== null && !isPlain(node.from))) throw new Unsupported();
    }
    const tokens = meaningfulTokens(this.#query.sql, this.#dialect).filter((token) => token.text !== ';');
    for (let at = 0; at < tokens.length;) at = this.#readToken(tokens, at);
    return this.#sketch();
  }

  #sketch(): Sketch {
    const [parts, columns, values] = [this.#parts, this.#columns, this.#values];
    const cores = this.#cores.map((core, at) => this.#core(core, at));
    const sketch = { parts, columns, values, cores, memberships: membershipsOf(parts) };
    return { ...sketch, key: keyOf(sketch), traits: sketchTraits(parts, cores) };
  }

  /** Takes one part; the position of the next token. */
  #readToken(tokens: readonly Token[], at: number): number {
    const token = tokens[at] as Token;
    const binding = this.#names.get(token.start);
    const isString = token.kind === 'string' || binding?.found === null;
    if (isString || token.kind === 'number') this.#value(unquote(token), isString);
    else if (binding !== undefined) this.#column(binding, tokens[at + 1]);
    else if (tokens[at + 1]?.text === '.') return at + 2;
    else if (token.kind === 'word' && token.text.toUpperCase() === 'FROM') return this.#from(tokens, at);
    else if (token.kind === 'quoted') throw new Unsupported();
    else this.#text(token, tokens[at + 1]);
    return at + 1;
  }

  get #frame(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Unsupported();
    return frame;
  }

  #from(tokens: readonly Token[], at: number): number {
    const { core } = this.#frame;
    const end = this.#cores[core]?.node.from?.span.end ?? 0;
    this.#parts.push({ kind: 'from', core });
    return at + tokens.slice(at).filter((token) => token.start < end).length;
  }

  #text(token: Token, next: Token | undefined): void {
    const isFunction =
      token.kind === 'word' && next?.text === '(' && !this.#dialect.reserved.has(token.text.toUpperCase());
    const text = isFunction ? token.text.toLowerCase() : plainOperator(token.text).toUpperCase();
    if (text === 'SELECT') this.#open(token);
    const frame = this.#frame;
    const clause = token.kind === 'word' ? CLAUSES[text] : undefined;
    if (clause !== undefined && frame.depth === 0) frame.clause = clause;
    if (text === '(') frame.depth += 1;
    if (text === ')' && frame.depth === 0) this.#frames.pop();
    if (text === ')') this.#frame.depth -= 1;
    this.#parts.push({ kind: 'text', text });
  }

  /** A SELECT: one in parentheses is within the one before, else it takes its place. */
  #open(token: Token): void {
    const core = this.#cores.findIndex(({ node }) => node.span.start === token.start);
    const above = this.#frames.at(-1);
    if (above?.depth === 0) this.#frames.pop();
    this.#frames.push({ core, clause: 'select', depth: 0 });
  }

  #column({ found }: NameBinding, next: Token | undefined): void {
    const { core } = this.#frame;
    const target = found?.target;
    if (target?.kind !== 'column' || this.#cores[core]?.sources.includes(target.source) !== true)
      throw new Unsupported();
    const ref = baseOf(target.column);
    if (ref === null) throw new Unsupported();
    const slot = this.#slotOf(ref);
    const column = this.#columns[slot] as Draft<ColumnSlot>;
    column.roles = [...new Set([...column.roles, this.#role(next)])];
    column.cores = [...new Set([...column.cores, core])];
    this.#parts.push({ kind: 'column', slot, core });
  }

  #slotOf(ref: ColumnRef): number {
    const slot = this.#columns.findIndex((column) => columnKey(column.ref) === columnKey(ref));
    return slot >= 0 ? slot : this.#columns.push({ ref, roles: [], cores: [] }) - 1;
  }

  #role(next: Token | undefined): ColumnRole {
    const { clause } = this.#frame;
    const before = this.#parts.slice(-3).map((part) => (part.kind === 'text' ? part.text : ''));
    const call = before.at(-1) === 'DISTINCT' ? before.at(-3) : before.at(-2);
    if (clause === 'select') return STANDARD_AGGREGATES.includes(call ?? '') ? 'aggregate' : 'select';
    if (clause === 'group' || clause === 'having' || clause === 'order') return clause;
    const operator = next?.text.toUpperCase() ?? '';
    if (operator === 'IN' || operator === 'NOT') return 'where-in';
    return COMPARISONS.has(plainOperator(operator)) ? 'where-compare' : 'where-equal';
  }

  #value(literal: string, isString: boolean): void {
    const { clause } = this.#frame;
    const [, before = '', text = '', after = ''] = /^(%*)(.*?)(%*)$/s.exec(literal) ?? [];
    const compared = this.#parts.findLast((part) => part.kind !== 'value' && !isComparison(part));
    const column = compared?.kind === 'column' && clause !== 'limit' ? compared.slot : null;
    const kind = clause === 'limit' ? 'limit' : isString ? 'text' : 'number';
    this.#parts.push({ kind: 'value', slot: this.#values.push({ kind, text, before, after, column }) - 1 });
  }

  #core({ sources }: BoundCore, core: number): SketchCore {
    const tables = sources.map(({ relation }) => relation.table ?? -1);
    if (tables.includes(-1) || new Set(tables).size < tables.length) throw new Unsupported();
    const own = this.#columns.flatMap(({ ref, cores }) => (cores.includes(core) ? [ref.table] : []));
    const plan = joinGraph(this.#database).plan(tables.filter((table) => own.includes(table)));
    const covered = plan === null ? own : plan.uses.map(({ table }) => table);
    return { tables, extras: tables.filter((table) => !covered.includes(table)) };
  }
}

/** Checks whether a part is between a column and the literal that it is compared with. */
function isComparison(part: SketchPart): boolean {
  return part.kind === 'text' && COMPARING.has(part.text);
}

function membershipsOf(parts: readonly SketchPart[]): (readonly [number, number])[] {
  return parts.flatMap((part, at) => {
    if (part.kind !== 'column') return [];
    const after = parts.slice(at + 1, at + 6).map((other) => (other.kind === 'text' ? other.text : other));
    const inner = after[0] === 'NOT' ? after.slice(1) : after;
    const other = inner[3];
    const isIn = inner[0] === 'IN' && inner[1] === '(' && inner[2] === 'SELECT';
    if (!isIn || typeof other !== 'object' || other.kind !== 'column') return [];
    return [[part.slot, other.slot] as const];
  });
}

function keyOf({ parts, values, cores }: Pick<Sketch, 'parts' | 'values' | 'cores'>): string {
  const words = parts.map((part) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'column') return `C${part.slot}`;
    if (part.kind === 'value') return values[part.slot]?.kind ?? '';
    return `FROM+${cores[part.core]?.extras.length ?? 0}`;
  });
  return words.join(' ');
}

/** The sketch of a query, or null where it can't be resolved against the schema or its form is beyond sketches. */
export function readSketch(sql: string, database: Database, dialect: SqlDialect): Sketch | null {
  try {
    return new SketchReader(bindQuery(sql, database, dialect), database, dialect).read();
  } catch (error) {
    if (error instanceof Unsupported || error instanceof SqlRewriteError) return null;
    throw error;
  }
}
