import type { Binary, Expression } from '../../../sql/ast.js';
import type { BoundQuery } from '../../../sql/bound-query.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { applyEdits, spacedEdit } from '../../../sql/edits.js';
import type { NotApplicable, Relation } from '../relation.js';
import { type Rewording, withoutQuotes } from '../utterance/utterance-relation.js';
import { nodesOf } from '../../../sql/ast-walk.js';
import { mirroredOperator } from '../../../sql/operators.js';
import { callsExtreme, countsRows, queryRelation, type QueryCase, readsSeveralTables } from './query-relation.js';
import { onlyPhrase, withPhrase } from './question-phrases.js';

type Pairs = readonly (readonly [greater: string, smaller: string])[];

/** Phrases of `>` and `<`. */
const STRICT: Pairs = [
  ['more than', 'less than'],
  ['more than', 'fewer than'],
  ['greater than', 'less than'],
  ['greater than', 'smaller than'],
  ['larger than', 'smaller than'],
  ['bigger than', 'smaller than'],
  ['higher than', 'lower than'],
  ['longer than', 'shorter than'],
  ['taller than', 'shorter than'],
  ['heavier than', 'lighter than'],
  ['later than', 'earlier than'],
  ['above', 'below'],
  ['over', 'under'],
  ['after', 'before'],
  ['exceeding', 'below'],
];
/** The same of a person or thing, where a greater date is a smaller age. */
const AGES: Pairs = [
  ['older than', 'younger than'],
  ['older than', 'newer than'],
];
/** Phrases of `>=` and `<=`. */
const LOOSE: Pairs = [
  ['at least', 'at most'],
  ['no less than', 'no more than'],
  ['not less than', 'not more than'],
  ['no fewer than', 'no more than'],
  ['or more', 'or less'],
  ['or more', 'or fewer'],
  ['or higher', 'or lower'],
  ['or greater', 'or smaller'],
  ['or above', 'or below'],
  ['or later', 'or earlier'],
  ['or older', 'or younger'],
];
const ALL: Pairs = [...STRICT, ...AGES, ...LOOSE];

/** The words after a preposition that compares: a number, a year, an average. */
const COMPARED =
  /^\s+(?:(?:the\s+)?(?:year|age|average|mean)\b|(?:an?\s+|the\s+)?[$€£"'_]?\s?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)/i;
const PREPOSITIONS: ReadonlySet<string> = new Set(['above', 'below', 'over', 'under', 'after', 'before', 'exceeding']);

/** Words that turn a comparison round themselves, or that only one way of it bears. */
const NEGATION = /(?:\b(?:not|no|never|without|except|only|neither|nor)\b|n't\b)/i;

/** The only comparison by size of a query, its greater or smaller side left. */
function onlyComparison({ select }: BoundQuery): Binary | null {
  const nodes = nodesOf(select);
  const binary = nodes.filter(({ kind }) => kind === 'binary') as unknown as readonly Binary[];
  const [only, ...others] = binary.filter(({ operator }) => mirroredOperator(operator) !== operator);
  // "Greater than all" is greater than the greatest: the other way round it is smaller than the least.
  const isClear =
    others.length === 0 &&
    only !== undefined &&
    !callsExtreme(only.right) &&
    !nodes.some(({ kind }) => kind === 'between' || kind === 'like');
  return isClear ? only : null;
}

const smallCount = ({ right }: Binary): boolean => right.kind === 'literal' && Number(right.value) <= 1;

function operatorAt(sql: string, { left, right, operator }: Binary): number {
  return sql.indexOf(operator, left.span.end) < right.span.start ? sql.indexOf(operator, left.span.end) : -1;
}

const isValue = ({ kind }: Expression): boolean => ['literal', 'subquery', 'column', 'list'].includes(kind);

function change({ question, gold }: QueryCase): readonly Rewording[] | NotApplicable {
  const comparison = onlyComparison(gold.bound);
  if (
    comparison === null ||
    !isValue(comparison.right) ||
    isValue(comparison.left) !== (comparison.left.kind === 'column')
  )
    return { reason: 'not one comparison by size' };
  const phrase = onlyPhrase(withoutQuotes(question), ALL);
  if (phrase === null) return { reason: 'not one phrase of a comparison' };
  const around = `${question.slice(0, phrase.start)} ${question.slice(phrase.end)}`;
  if (NEGATION.test(around)) return { reason: 'a word beside it turns the phrase round' };
  const { operator, right } = comparison;
  // "After 2018" is after its last day, "before 2018" before its first.
  if (right.kind === 'literal' && right.type === 'string' && !question.includes(right.value)) {
    return { reason: 'the question has another value' };
  }
  const isLoose = LOOSE.some((pair) => pair.includes(phrase.text));
  const isAge = AGES.some((pair) => pair.includes(phrase.text));
  const isFitting = isLoose === operator.endsWith('=') && (isAge || operator.startsWith(phrase.side === 0 ? '>' : '<'));
  const isRead = !PREPOSITIONS.has(phrase.text) || COMPARED.test(question.slice(phrase.end));
  if (!isFitting || !isRead) return { reason: 'the phrase is of another comparison' };
  const mirrored = mirroredOperator(operator);
  const isCount = countsRows(comparison.left);
  if (isCount && mirrored.startsWith('<') && (readsSeveralTables(gold.bound, comparison) || smallCount(comparison))) {
    return { reason: 'what has none is not counted' };
  }
  const at = operatorAt(gold.sql, comparison);
  if (at < 0) return { reason: 'not one comparison by size' };
  const opposite = isCount && phrase.text === 'more than' ? 'fewer than' : phrase.opposite;
  return [
    {
      question: withPhrase(question, phrase, opposite),
      query: applyEdits(gold.sql, [spacedEdit(gold.sql, at, at + operator.length, mirrored)]),
      detail: `${operator} became ${mirrored}, "${phrase.text}" "${opposite}"`,
    },
  ];
}

/**
 * Dr.Spider's SQL comparison (Chang et al. 2023, §3.3): a comparison by size is turned round, and its phrase with it.
 */
export function comparisonChange(dialect: SqlDialect): Relation {
  return queryRelation({ id: 'QCm', version: 2, dialect, readsGoldFor: 'by which operator it compares', change });
}
