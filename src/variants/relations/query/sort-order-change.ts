import type { OrderingTerm } from '../../../sql/ast.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { applyEdits, insertion, spacedEdit } from '../../../sql/edits.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { NotApplicable, Relation } from '../relation.js';
import { rowsOfColumn } from '../schema/schema-draft.js';
import { originOf } from '../schema/schema-relation.js';
import { type Rewording, withoutQuotes } from '../utterance/utterance-relation.js';
import { nodesOf } from '../../../sql/ast-walk.js';
import { callsExtreme, countsRows, namedColumn, queryRelation, type QueryCase } from './query-relation.js';
import { type FoundPhrase, onlyPhrase, withPhrase } from './question-phrases.js';

type Pairs = readonly (readonly [string, string])[];

/** Words for the whole order: ascending, descending. */
const ORDERS: Pairs = [
  ['ascending', 'descending'],
  ['increasing', 'decreasing'],
  ['in alphabetical order', 'in reverse alphabetical order'],
  ['in alphabetic order', 'in reverse alphabetical order'],
  ['in lexicographic order', 'in reverse lexicographic order'],
  ['in lexicographical order', 'in reverse lexicographical order'],
];

/** Words for what is at one end, of which the other end has its own; either may be the first in its order. */
const ENDS: Pairs = [
  ['highest', 'lowest'],
  ['largest', 'smallest'],
  ['biggest', 'smallest'],
  ['greatest', 'smallest'],
  ['oldest', 'youngest'],
  ['oldest', 'newest'],
  ['longest', 'shortest'],
  ['tallest', 'shortest'],
  ['heaviest', 'lightest'],
  ['maximum', 'minimum'],
  ['latest', 'earliest'],
  ['most recent', 'earliest'],
  ['most recently', 'least recently'],
  ['fastest', 'slowest'],
  ['most expensive', 'least expensive'],
  ['most expensive', 'cheapest'],
  ['most', 'least'],
  ['most', 'fewest'],
];
const AGES = /old|young|new|recent|latest|earliest/;
/** The same from one end to the other: "from youngest to oldest". */
const FROM_TO: Pairs = [...ENDS, ['high', 'low'] as const, ['old', 'young'] as const].flatMap(([a, b]) =>
  ['from X to Y', 'from the X to the Y', 'from X to the Y'].map((frame): readonly [string, string] => [
    frame.replace('X', a).replace('Y', b),
    frame.replace('X', b).replace('Y', a),
  ]),
);
const ALL: Pairs = [...ORDERS, ...FROM_TO, ...ENDS];

/** Words behind "most" that are no things to be counted: "most common", "most frequently used". */
const QUALITY = /^\s+(?:\p{L}+ly\b|\p{L}+(?:ed|ive|ular|ent|ant|ful|ous|able|ible|al|mon|ing)\b)/iu;
const THINGS = /^\s+times\b|^\s+(?:(?!number\b|amount\b|of\b)\p{L}+\s+)?(?!of\b)\p{L}+(?<!s)s\b/iu;

/** Returns the opposite as the ordered term has it: the most students, the fewest; the shortest song, the longest. */
function oppositeOf({ text, opposite, end }: FoundPhrase, one: QueryCase, term: OrderingTerm): string {
  const { question, gold } = one;
  const ordered = gold.sql.slice(term.span.start, term.span.end);
  if (text === 'shortest') return /height/i.test(ordered) ? 'tallest' : 'longest';
  if (text === 'oldest') return /age|birth|dob/i.test(ordered) ? 'youngest' : 'newest';
  if (text !== 'most') return opposite;
  const rest = question.slice(end);
  const areCounted = countsRows(term.expression) || /^\s+times\b/i.test(rest);
  return areCounted && THINGS.test(rest) && !QUALITY.test(rest) ? 'fewest' : 'least';
}

/** Checks whether a column has NULLs, which come first among the least; null where there are no rows to be read. */
function hasNulls(rows: RowReader, one: QueryCase, { expression }: OrderingTerm): boolean | null {
  const ref = namedColumn(one.gold, expression);
  if (ref === null) return false;
  const { sql, from } = rowsOfColumn(one, ref);
  const isEmpty = rows.isEmpty(originOf(one), `SELECT 1 FROM ${from} WHERE ${sql} IS NULL`);
  return isEmpty === null ? null : !isEmpty;
}

/** Why an order can't be turned round; null where it can. */
function refusalOf(rows: RowReader, one: QueryCase, term: OrderingTerm): string | null {
  const { select, cores } = one.gold.bound;
  if (select.limit === null || term.direction !== 'DESC') return null;
  const isAggregate = nodesOf(select).some(({ span, kind }) => kind === 'function' && span.start >= term.span.start);
  if (isAggregate && cores.some(({ sources }) => sources.length > 1)) return 'what has none is not counted';
  return hasNulls(rows, one, term) === true ? 'values that are missing would come first' : null;
}

function turned(sql: string, { expression, direction, span }: OrderingTerm): string {
  const isDown = direction === 'DESC';
  if (direction === null) return applyEdits(sql, [insertion(sql, expression.span.end, 'DESC')]);
  return applyEdits(sql, [spacedEdit(sql, span.end - direction.length, span.end, isDown ? 'ASC' : 'DESC')]);
}

function change(rows: RowReader, one: QueryCase): readonly Rewording[] | NotApplicable {
  const { question, gold } = one;
  const { select } = gold.bound;
  const nodes = nodesOf(select);
  const [term, ...others] = nodes.filter(({ kind }) => kind === 'ordering') as unknown as readonly OrderingTerm[];
  if (term === undefined || others.length > 0 || term !== select.orderBy[0] || term.nulls !== null)
    return { reason: 'not one order' };
  const phrase = onlyPhrase(withoutQuotes(question), ALL);
  if (phrase === null || /\bat\s+$/i.test(question.slice(0, phrase.start)))
    return { reason: 'not one phrase of an order' };
  const isEnd = ENDS.some((pair) => pair.includes(phrase.text));
  const isOrder = ORDERS.some((pair) => pair.includes(phrase.text));
  // Of ages and dates either end may come first.
  const isEither = !isOrder && (AGES.test(phrase.text) || !isEnd);
  const isDown = (phrase.side === 1) === isOrder;
  const isFitting = (!isEnd || select.limit !== null) && (isEither || isDown === (term.direction === 'DESC'));
  if (!isFitting || (isEnd && callsExtreme(select))) return { reason: 'the phrase is of another order' };
  const refusal = refusalOf(rows, one, term);
  if (refusal !== null) return { reason: refusal };
  const opposite = oppositeOf(phrase, one, term);
  return [
    {
      question: withPhrase(question, phrase, opposite),
      query: turned(gold.sql, term),
      detail: `the order is turned round, "${phrase.text}" became "${opposite}"`,
    },
  ];
}

/** Dr.Spider's SQL sort order (Chang et al. 2023, §3.3): the order is turned round, and its phrase with it. */
export function sortOrderChange(rows: RowReader, dialect: SqlDialect): Relation {
  return queryRelation({
    id: 'QSo',
    version: 1,
    dialect,
    readsGoldFor: 'how it orders',
    change: (one) => change(rows, one),
  });
}
