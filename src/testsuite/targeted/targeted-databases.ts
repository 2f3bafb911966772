import { createRng, pick } from '../../seeded-rng.js';
import { itemAt } from '../../present.js';
import type { Rng } from '../../stage.js';
import { FuzzSchema, type FuzzSource } from '../../rows/fuzz/fuzz-schema.js';
import type { TableRows } from '../../rows/fuzz/written-tables.js';
import { Fuzzer, type WitnessOrder } from '../../rows/fuzz/fuzzer.js';
import { queryConstants } from '../../rows/fuzz/query-constants.js';
import type { ChangeKind } from '../neighbors/change.js';
import type { Neighbor } from '../neighbors/neighbors.js';
import { whereReadable } from '../../sql/sql-fault.js';
import type { Database } from '../../schema/schema.js';
import type { Expression } from '../../sql/ast.js';
import { bindQuery } from '../../sql/binder.js';
import { applyEdits, sortEdits, type SqlEdit } from '../../sql/edits.js';
import type { Span } from '../../sql/tokenizer.js';
import { QuerySites } from '../neighbors/query-sites.js';

const COMPARISON = /^(?:=|==|!=|<>|<|<=|>|>=|IS|IS NOT|AND|OR)$/u;

const COUNTED = /^count\s*\(\s*(?:DISTINCT\s+)?([^*()]+)\)$/iu;

/** Checks whether an expression is a condition: true or false. */
function isCondition(node: Expression): boolean {
  if (node.kind === 'binary') return COMPARISON.test(node.operator);
  if (node.kind === 'unary') return node.operator === 'NOT';
  return ['like', 'between', 'in', 'null-test', 'exists'].includes(node.kind);
}

const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;
const lengthOf = ({ start, end }: Span): number => end - start;

function replacement(sql: string, { start, end }: Span, after: string): SqlEdit {
  return { start, end, before: sql.slice(start, end), after };
}

/** The texts of one gold and a neighbor taken apart, to be put together to queries that only differing rows satisfy. */
class Difference {
  readonly #gold: string;
  readonly #edit: SqlEdit;
  readonly #sites: QuerySites;

  constructor(gold: string, edit: SqlEdit, database: Database) {
    this.#gold = gold;
    this.#edit = edit;
    this.#sites = new QuerySites(bindQuery(gold, database));
  }

  /** The gold, such that it only finds rows for which the changed condition holds in one of the two queries. */
  *queries(): Iterable<string> {
    const [flips, changes] = [this.#flips(), this.#changes()];
    for (const argument of this.#counted()) yield* this.#uncounted(argument);
    for (const change of changes) {
      if (flips.length > 0) yield applyEdits(this.#gold, sortEdits([change, ...flips]));
      yield applyEdits(this.#gold, [change]);
    }
    if (flips.length > 0) yield applyEdits(this.#gold, flips);
    yield* this.#parts();
  }

  /** The conditions that replace the changed one: it and not the neighbor's, and the other way round. */
  #changes(): readonly SqlEdit[] {
    const conditions = this.#conditions();
    const around = conditions.filter((node) => contains(node.span, this.#edit));
    const [innermost] = around.sort((a, b) => lengthOf(a.span) - lengthOf(b.span));
    if (innermost === undefined || (innermost.kind === 'binary' && innermost.operator === 'AND')) {
      const dropped = conditions.filter((node) => contains(this.#edit, node.span));
      const [whole] = dropped.sort((a, b) => lengthOf(b.span) - lengthOf(a.span));
      return whole === undefined ? [] : [replacement(this.#gold, whole.span, `NOT (${this.#text(whole.span)})`)];
    }
    const { start, end } = innermost.span;
    const before = this.#text(innermost.span);
    const after = `${this.#gold.slice(start, this.#edit.start)}${this.#edit.after}${this.#gold.slice(this.#edit.end, end)}`;
    return [
      replacement(this.#gold, innermost.span, `((${after}) AND NOT (${before}))`),
      replacement(this.#gold, innermost.span, `((${before}) AND NOT (${after}))`),
    ];
  }

  /** Returns the arguments that the two queries count at the change, but for rows. */
  #counted(): readonly string[] {
    const calls = this.#sites.expressions.filter(
      ({ node }) => node.kind === 'function' && contains(node.span, this.#edit),
    );
    const call = calls.at(-1)?.node.span;
    if (call === undefined) return [];
    const after = `${this.#gold.slice(call.start, this.#edit.start)}${this.#edit.after}${this.#gold.slice(this.#edit.end, call.end)}`;
    return [this.#text(call), after].flatMap((text) => COUNTED.exec(text)?.[1] ?? []);
  }

  /** The gold where that is null, which `count` leaves out. */
  *#uncounted(argument: string): Iterable<string> {
    const core = this.#sites.cores.findLast(({ node, select }) => {
      return contains(node.span, this.#edit) || (select.cores.length === 1 && contains(select.node.span, this.#edit));
    })?.node;
    if (core?.from == null) return;
    const { where, from } = core;
    const isNull = `${argument} IS NULL`;
    const at = { start: from.span.end, end: from.span.end };
    yield applyEdits(this.#gold, [
      where === null
        ? replacement(this.#gold, at, ` WHERE ${isNull}`)
        : replacement(this.#gold, where.span, `(${this.#text(where.span)}) AND ${isNull}`),
    ]);
  }

  #text({ start, end }: Span): string {
    return this.#gold.slice(start, end);
  }

  #conditions(): Expression[] {
    const clauses = ['where', 'having', 'from'];
    return this.#sites.expressions.flatMap(({ node, clause }) =>
      clauses.includes(clause) && isCondition(node) ? [node] : [],
    );
  }

  /** Negations around the change turned: rows that a NOT IN or EXCEPT takes away must first be there. */
  #flips(): readonly SqlEdit[] {
    const flips = this.#sites.expressions.flatMap(({ node }): SqlEdit[] => {
      if (node.kind === 'in' && node.negated && contains(node.source.span, this.#edit)) {
        return [replacement(this.#gold, { start: node.operand.span.end, end: node.source.span.start }, ' IN ')];
      }
      if (node.kind !== 'unary' || node.operator !== 'NOT' || !contains(node.operand.span, this.#edit)) return [];
      return [replacement(this.#gold, { start: node.span.start, end: node.operand.span.start }, '')];
    });
    const unique = new Map([...flips, ...this.#exceptions()].map((edit) => [edit.start, edit]));
    return sortEdits([...unique.values()]);
  }

  #exceptions(): SqlEdit[] {
    return this.#sites.selects.flatMap(({ node: { terms } }) =>
      terms.flatMap(({ operator, body }, i): SqlEdit[] => {
        const between = { start: terms[i - 1]?.body.span.end ?? 0, end: body.span.start };
        const isTouched = contains(body.span, this.#edit) || contains(this.#edit, body.span);
        return operator === 'EXCEPT' && isTouched ? [replacement(this.#gold, between, ' INTERSECT ')] : [];
      }),
    );
  }

  /** Each SELECT by itself. */
  *#parts(): Iterable<string> {
    if (this.#sites.cores.length > 1) for (const { node } of this.#sites.cores) yield this.#text(node.span);
  }
}

/** Queries that find rows by which a gold and a neighbor may differ: those most to the point come first. */
function differenceQueries(gold: string, { sql, edit }: Neighbor, database: Database): readonly string[] {
  return whereReadable(() => [...new Set([...new Difference(gold, edit, database).queries(), sql, gold])], []);
}

/**
 * The companions of witness rows, in turn: rows for the gold query, nothing, rows for any query of the difference; or
 * there is a random database with the constants of the two queries alone.
 */
const PLACEMENTS = ['next to gold', 'alone', 'among others', 'random'] as const;
/** One in so many orders asks for results that repeat, more of them where that is what the neighbor changes. */
const REPEATING = 4;
const DISTINCT: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['add-distinct', 'drop-distinct', 'set-operator']);
/** Beyond this many rows no HAVING or LIMIT is followed: `COUNT(*) > 5000` is one of the paper's, A.2. */
const MOST_COPIES = 6_000;
const MOST_ROWS = 12_000;

/** The facts about the pair that databases were made for last. */
interface Target {
  readonly key: string;
  readonly fuzzer: Fuzzer;
  /** Queries whose witness rows are added; the first ones more often. */
  readonly queries: readonly string[];
  readonly sizes: readonly number[];
}

/**
 * Targeted databases for the queries of one schema (beyond Test-suite accuracy §4.2, which only samples): rows that
 * satisfy a condition of the gold and not the neighbor's, or the other way round, as many as its LIMIT and HAVING
 * count, alone or among random ones.
 */
export class TargetedDatabases {
  readonly #schema: FuzzSchema;
  #target: Target | null = null;

  /** @throws InputFormatError when the file is not a readable SQLite database */
  constructor(source: FuzzSource) {
    this.#schema = new FuzzSchema(source);
  }

  /** Rows made for a neighbor that is left, the same for the same seed; null where none can be made. */
  database(gold: string, neighbor: Neighbor, seed: number): TableRows | null {
    const { fuzzer, queries, sizes } = this.#targetOf(gold, neighbor);
    if (queries.length === 0) return null;
    const way = itemAt(PLACEMENTS, seed % PLACEMENTS.length);
    if (way === 'random') return fuzzer.database(seed);
    const rng = createRng(seed, `aim:${neighbor.sql}`);
    const repeating = DISTINCT.has(neighbor.kind) ? 2 : REPEATING;
    const order = (sql: string): WitnessOrder => {
      return {
        sql,
        turn: rng.int(4),
        batches: drawBatches(sizes, rng),
        hasBare: way !== 'alone',
        repeats: rng.int(repeating) === 0,
      };
    };
    // The first two are those that one of the two queries alone finds.
    const main = order(
      seed < PLACEMENTS.length
        ? itemAt(queries, seed % queries.length)
        : pick(pick([queries, queries.slice(0, 2)], rng), rng),
    );
    if (way === 'alone') return fuzzer.withWitnesses(seed, [main], 'none');
    if (way === 'next to gold') return fuzzer.withWitnesses(seed, [main, order(gold)], 'few');
    return fuzzer.withWitnesses(seed, [main, order(pick(queries, rng))], pick(['none', 'few', 'usual'], rng));
  }

  /** Releases what rows are tried on. */
  close(): void {
    this.#schema.close();
  }

  #targetOf(gold: string, neighbor: Neighbor): Target {
    const key = `${gold}\0${neighbor.sql}`;
    if (this.#target?.key === key) return this.#target;
    const { database } = this.#schema;
    const texts = [gold, neighbor.sql];
    const { sizes } = queryConstants(texts, database).all;
    this.#target = {
      key,
      fuzzer: new Fuzzer(this.#schema, texts),
      queries: differenceQueries(gold, neighbor, database),
      sizes: sizes.filter((size) => size <= MOST_COPIES),
    };
    return this.#target;
  }
}

/** How many rows go into each group: as many as queries count, one more or less; or a few. */
function drawBatches(sizes: readonly number[], rng: Rng): readonly number[] {
  const isCounted = sizes.length > 0 && rng.int(4) > 0;
  const size = (): number => (isCounted ? Math.max(1, pick(sizes, rng) + rng.int(3) - 1) : 1 + rng.int(4));
  const most = 1 + rng.int(4);
  const batches: number[] = [];
  let rows = 0;
  while (batches.length < most) {
    const next = size();
    if (batches.length > 0 && rows + next > MOST_ROWS) break;
    batches.push(next);
    rows += next;
  }
  // As many groups as a LIMIT counts.
  return isCounted && rng.int(3) === 0 ? Array.from({ length: Math.min(size(), 300) }, () => 1 + rng.int(2)) : batches;
}
