import type { Expression } from '../../../sql/ast.js';
import { renderString, type SqlDialect } from '../../../sql/dialect.js';
import { applyEdits, spacedEdit } from '../../../sql/edits.js';
import type { RowReader } from '../../databases/row-reader.js';
import type { Relation } from '../relation.js';
import type { Rewording } from '../utterance/utterance-relation.js';
import { changeCompared, type ComparedValue, type QueryCase, queryRelation } from './query-relation.js';
import type { Span } from '../../../sql/tokenizer.js';
import { spansOf, withPhrase } from './question-phrases.js';

/** Longest text that is written into a question. */
const LONGEST = 40;
/** Texts that mean no value. */
const NO_VALUE = /^(?:none|null|nil|unknown|other|others|n\/?a|tbd|tba|nan)$/i;

/** Returns the shape of a text: words, capitals, digits; one of the same shape can stand in its place. */
function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}\p{Lu}+/gu, 'AA')
    .replace(/\p{Lu}\p{Ll}*/gu, 'Aa')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\d+/g, '0');
}

/** A value in the letters that a question has for another. */
function spelledLike(value: string, written: string, old: string): string {
  if (written === old) return value;
  if (written === old.toLowerCase()) return value.toLowerCase();
  return written === old.toUpperCase() ? value.toUpperCase() : value;
}

/** "a" and "an" before a value, as it wants them. */
function withArticle(question: string, start: number, value: string): { readonly before: string } {
  const before = question.slice(0, start);
  const article = /^[aeio]/i.test(value) ? 'an' : 'a';
  return {
    before: before.replace(/\b(a)n?(\s+['"“‘]?)$/i, (_, first: string, gap: string) => first + article.slice(1) + gap),
  };
}

function textOf(constant: Expression, { bound }: QueryCase['gold']): string | null {
  if (constant.kind === 'literal') return constant.type === 'string' ? constant.value : null;
  if (constant.kind !== 'column') return null;
  return bound.names.some(({ token, found }) => token === constant.column && found === null)
    ? constant.column.name
    : null;
}

/**
 * Checks whether another text of the gold is next to a place: a first name before a last one, which no other goes with.
 */
function isPartOfName(question: string, { start, end }: Span, { sql }: QueryCase['gold']): boolean {
  const next = [
    /(\p{L}+)\s+["'“‘]?$/u.exec(question.slice(0, start)),
    /^["'”’]?\s+(\p{L}+)/u.exec(question.slice(end)),
  ];
  const texts = new Set(Array.from(sql.matchAll(/["']([^"']*)["']/g), ([, text = '']) => text.toLowerCase()));
  return next.some((found) => texts.has(found?.[1]?.toLowerCase() ?? '\0'));
}

function changesOf({ question, gold }: QueryCase, compared: ComparedValue): readonly Rewording[] {
  const { constant, operator, values } = compared;
  if (operator !== '<>' && /[<>]=?$/.test(operator)) return [];
  const old = textOf(constant, gold);
  if (old === null || !/\p{L}/u.test(old)) return [];
  const [place, ...places] = spansOf(question, old);
  const inGold = gold.sql.toLowerCase().split(old.toLowerCase()).length - 1;
  if (place === undefined || places.length > 0 || inGold !== 1 || isPartOfName(question, place, gold)) return [];
  const others = values
    .filter((value) => typeof value === 'string')
    .filter((value) => {
      const isLike = shapeOf(value) === shapeOf(old) && value.length <= LONGEST && !NO_VALUE.test(value);
      return isLike && value.toLowerCase() !== old.toLowerCase() && spansOf(question, value).length === 0;
    });
  const written = question.slice(place.start, place.end);
  return others.map((other) => {
    const { before } = withArticle(question, place.start, other);
    const { start, end } = constant.span;
    return {
      question: withPhrase(question, place, spelledLike(other, written, old)).replace(
        question.slice(0, place.start),
        () => before,
      ),
      query: applyEdits(gold.sql, [spacedEdit(gold.sql, start, end, renderString(other))]),
      detail: `"${old}" became "${other}"`,
    };
  });
}

/** Dr.Spider's SQL DB text (Chang et al. 2023, §3.3): a text that a column is compared with becomes another of its. */
export function databaseTextChange(rows: RowReader, dialect: SqlDialect): Relation {
  return queryRelation({
    id: 'QDt',
    version: 1,
    dialect,
    readsGoldFor: 'which texts of the database it asks for',
    change: (one) =>
      changeCompared(
        rows,
        one,
        (compared) => changesOf(one, compared),
        'no text of the database that the question has once',
      ),
  });
}
