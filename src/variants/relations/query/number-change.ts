import type { Binary, Literal } from '../../../sql/ast.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { applyEdits, spacedEdit } from '../../../sql/edits.js';
import type { NotApplicable, Relation } from '../relation.js';
import type { GoldUse } from '../schema/gold-use.js';
import type { Rewording } from '../utterance/utterance-relation.js';
import { nodesOf } from '../../../sql/ast-walk.js';
import { countsRows, queryRelation, type QueryCase } from './query-relation.js';
import { numberPhrase, numberText, withPhrase } from './question-phrases.js';

/** Numbers that are written: from two on, so that nouns stay plurals. */
const WRITTEN = [2, 3, 4, 5, 6, 7, 8, 9, 10];

const isNumber = (value: unknown): value is Literal => {
  const { kind, type, value: text } = value as Literal;
  return kind === 'literal' && type === 'number' && /^\d{1,15}$/.test(text);
};

/** The whole numbers of a query's text. */
export function numbersIn({ bound: { select } }: GoldUse): readonly Literal[] {
  return nodesOf(select).filter(isNumber);
}

/** Numbers that count rows: of a LIMIT, or what a count is compared with. */
function countingNumbers({ bound: { select } }: GoldUse): readonly Literal[] {
  return nodesOf(select).flatMap((node) => {
    if (node.kind === 'limit') return [(node as unknown as { count: unknown }).count].filter(isNumber);
    const { kind, left, right } = node as Binary;
    return kind === 'binary' && countsRows(left) && isNumber(right) ? [right] : [];
  });
}

/** Phrases before a number that leave it out, and that take it in: a gold that compares otherwise is left alone. */
const STRICT = /\b(?:than|above|below|over|under|after|before)\s+\S?$/i;
const LOOSE = /\bat\s+(?:least|most)\s+(?:\p{L}+\s+){0,4}\S?$/iu;

/** Other numbers for one that question and gold have once. */
export function withOtherNumbers(
  { question, gold }: Pick<QueryCase, 'question' | 'gold'>,
  literal: Literal,
  others: readonly number[],
): readonly Rewording[] {
  const value = Number(literal.value);
  const numbers = numbersIn(gold).map((one) => Number(one.value));
  const phrase = numberPhrase(question, value);
  if (phrase === null || numbers.filter((one) => one === value).length > 1) return [];
  const operator = /([<>=!]+)\s*$/.exec(gold.sql.slice(0, literal.span.start))?.[1] ?? '';
  const before = question.slice(0, phrase.start);
  if ((STRICT.test(before) && operator.endsWith('=')) || (LOOSE.test(before) && /^[<>]$/.test(operator))) return [];
  const isFree = (other: number): boolean => !numbers.includes(other) && numberPhrase(question, other) === null;
  return others.filter(isFree).map((other) => ({
    question: withPhrase(question, phrase, numberText(other, phrase)),
    query: applyEdits(gold.sql, [spacedEdit(gold.sql, literal.span.start, literal.span.end, String(other))]),
    detail: `${value} became ${other}`,
  }));
}

function change({ question, gold }: QueryCase): readonly Rewording[] | NotApplicable {
  const numbers = countingNumbers(gold).filter(({ value }) => Number(value) >= 2);
  const found = numbers.flatMap((literal) => withOtherNumbers({ question, gold }, literal, WRITTEN));
  return found.length > 0 ? found : { reason: 'no number of rows that the question has once' };
}

/** Dr.Spider's SQL non-DB number (Chang et al. 2023, §3.3): a number that counts rows becomes another. */
export function numberChange(dialect: SqlDialect): Relation {
  return queryRelation({ id: 'QNn', version: 1, dialect, readsGoldFor: 'how many rows it asks for', change });
}
