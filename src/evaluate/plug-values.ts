import { SqlRewriteError } from '../errors.js';
import { memoizeObject } from '../schema/memoize.js';
import type { Database } from '../schema/schema.js';
import type { Identifier } from '../sql/ast.js';
import { parseSelect } from '../sql/parser.js';
import { type TreeNode, visitNodes } from '../sql/ast-walk.js';
import { meaningfulTokens, type Token, unquote } from '../sql/tokenizer.js';

/** Most queries that one prediction becomes; Spider dev's largest has 3 values in 4 places, 81. */
export const PLUG_LIMIT = 500;

/** A literal of a query: its place, its text, and whether it is the number of LIMIT or OFFSET. */
interface ValueSlot {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isNumber: boolean;
  readonly isCount: boolean;
}

/** Queries with values plugged in, the prediction as it is first, and whether there were more of them than allowed. */
export interface PluggedQueries {
  readonly queries: readonly string[];
  readonly isCut: boolean;
}

const namesOf = memoizeObject(({ tables }: Database): ReadonlySet<string> => {
  const names = tables.flatMap(({ originalName, columns }) => [
    originalName,
    ...columns.map((one) => one.originalName),
  ]);
  return new Set(names.map((name) => name.toLowerCase()));
});

/** Checks whether a minus sign is a number's own: nothing before it that it could be subtracted from. */
function isSign(token: Token | undefined, before: Token | undefined): boolean {
  if (token?.text !== '-') return false;
  const isOperand = before?.kind === 'number' || before?.kind === 'quoted' || before?.text === ')';
  return (
    !isOperand &&
    (before?.kind !== 'word' || /^(?:and|or|not|between|in|like|where|having|then|else|select)$/i.test(before.text))
  );
}

/** The names in a query itself. */
interface QueryNames {
  /** Where tokens start that can only be names: all but columns without a table before them. */
  readonly places: Set<number>;
  /**
   * Names that it gives to columns, in lower case; what is elsewhere so is such a column. Not those that it gives to
   * tables, which a value may look like: `FROM person AS f WHERE sex = "F"`.
   */
  readonly columns: Set<string>;
}

/** A node of a query by the fields in which it may name columns. */
interface NamingNode extends TreeNode {
  readonly table?: unknown;
  readonly alias?: Identifier | null;
  readonly columns?: readonly Identifier[] | null;
}

/** The names that a node gives to columns. */
function columnsNamedBy({ kind, alias, columns }: NamingNode): readonly Identifier[] {
  if (kind === 'result') return alias == null ? [] : [alias];
  return kind === 'common-table' || kind === 'derived' || kind === 'table' ? (columns ?? []) : [];
}

/** Checks whether a node is a column without a table before it, which may be a value in double quotes. */
function isLoneColumn({ kind, table }: NamingNode): boolean {
  return kind === 'column' && table === null;
}

/** @throws SqlRewriteError where the query can't be parsed, RangeError where it is nested too deeply for that */
function namesIn(sql: string): QueryNames {
  const names: QueryNames = { places: new Set(), columns: new Set() };
  visitNodes(parseSelect(sql), [], (node: NamingNode, [parent]: readonly NamingNode[]) => {
    if (node.kind === 'identifier' && !(parent !== undefined && isLoneColumn(parent))) {
      names.places.add(node.span.start);
    }
    for (const { name } of columnsNamedBy(node)) names.columns.add(name.toLowerCase());
  });
  return names;
}

/**
 * The literals of a query, in order; the bare word `value` is one, as some models write it, and a text in double
 * quotes, each unless it is a name, of the schema or of the query's own.
 * @throws as `namesIn`
 */
function slotsOf(sql: string, database: Database): ValueSlot[] {
  const names = namesOf(database);
  const { places, columns } = namesIn(sql);
  const tokens = meaningfulTokens(sql);
  return tokens.flatMap((token, i) => {
    if (places.has(token.start)) return [];
    const before = tokens[i - 1];
    const name = unquote(token).toLowerCase();
    const isName = names.has(name) || columns.has(name);
    const isText = token.kind === 'string' || (token.kind === 'quoted' && token.quote === 'double' && !isName);
    const isPlaceholder = token.kind === 'word' && token.text.toLowerCase() === 'value' && !isName;
    if (!isText && !isPlaceholder && token.kind !== 'number') return [];
    const isNumber = token.kind === 'number';
    const sign = isNumber && isSign(before, tokens[i - 2]) ? before : undefined;
    const start = sign?.start ?? token.start;
    const isCount = /^(?:limit|offset)$/i.test(before?.text ?? '');
    return [{ start, end: token.end, text: sql.slice(start, token.end), isNumber, isCount }];
  });
}

function plug(sql: string, slots: readonly ValueSlot[], values: readonly string[]): string {
  let [text, from] = ['', 0];
  slots.forEach((slot, i) => {
    text += sql.slice(from, slot.start) + (values[i] ?? slot.text);
    from = slot.end;
  });
  return text + sql.slice(from);
}

/** Every choice of one of each list, the last list's moving fastest. */
function* choices(lists: readonly (readonly string[])[]): Generator<readonly string[]> {
  if (lists.some((list) => list.length === 0)) return;
  const at = lists.map(() => 0);
  for (;;) {
    yield lists.map((list, i) => list[at[i] ?? 0] ?? '');
    let place = lists.length - 1;
    while (place >= 0 && (at[place] ?? 0) + 1 === (lists[place]?.length ?? 0)) at[place--] = 0;
    if (place < 0) return;
    at[place] = (at[place] ?? 0) + 1;
  }
}

function alternatives(gold: string, predicted: string, database: Database): Iterable<string> {
  const given = slotsOf(gold, database);
  const slots = slotsOf(predicted, database);
  const texts = (isWanted: (slot: ValueSlot) => boolean): string[] => [
    ...new Set(given.filter(isWanted).map(({ text }) => text)),
  ];
  const [all, numbers] = [texts(() => true), texts(({ isNumber }) => isNumber)];
  const lists = slots.map(({ isCount, text }) => {
    const list = isCount ? numbers : all;
    return list.length === 0 ? [text] : list;
  });
  const inTurn = slots.map((slot, i) => (slot.isCount ? slot.text : (given[i]?.text ?? slot.text)));
  return (function* (): Generator<string> {
    yield plug(predicted, slots, inTurn);
    for (const values of choices(lists)) yield plug(predicted, slots, values);
  })();
}

/**
 * A prediction that was made without values, with the gold's values in all ways: each literal of the prediction becomes
 * each literal of the gold, as `--plug_value` of the public test-suite evaluator does it. First comes the prediction as
 * it is, then the gold's values in turn, then all others in a fixed order, each query once, at most `limit`. LIMIT and
 * OFFSET get numbers only: texts would fail. What can't be parsed stays alone.
 */
export function plugValues(gold: string, predicted: string, database: Database, limit = PLUG_LIMIT): PluggedQueries {
  const queries = new Set([predicted]);
  try {
    for (const query of alternatives(gold, predicted, database)) {
      if (queries.size >= limit && !queries.has(query)) return { queries: [...queries], isCut: true };
      queries.add(query);
    }
  } catch (error) {
    if (!(error instanceof SqlRewriteError || error instanceof RangeError)) throw error; // the latter: no stack left
  }
  return { queries: [...queries], isCut: false };
}
