import type { OrderingTerm } from '../../../sql/ast.js';
import { type GoldFinding, isNumberText, plainFinding } from '../finding.js';
import type { NamedColumn, ReadQuery } from '../read-query.js';
import type { AuditedExample } from '../audited-gold.js';
import { digitRuns, NUMBER_PATTERN, numberOf } from '../../../schema/question-numbers.js';
import { isExtreme } from '../../../sql/aggregates.js';
import type { ColumnFacts } from '../gold-rows.js';

/** Words that ask for the most or the least of an amount; dates and ranks have others. */
const AMOUNT =
  /(?<!\bat |\bat the )\b(?:most(?! recent)|least|highest|lowest|largest|smallest|biggest|greatest|longest|shortest|fewest|tallest|heaviest|maximum|minimum|max|min|expensive|cheapest)\b/iu;
/** Texts whose order by letters is that of what they say: dates and times of day in ISO's form. */
const SORTABLE = /^\s*(?:\d{4}(?:-\d\d(?:-\d\d.*)?)?|\d\d:\d\d(?::\d\d.*)?)\s*$/u;

interface Extreme {
  readonly column: NamedColumn;
  readonly words: string;
}

/** Where a query takes the first or the last of a column: MIN, MAX, and ORDER BY with LIMIT. */
function extremesOf(query: ReadQuery): readonly Extreme[] {
  const calls = query.sites.expressions.flatMap(({ node }) => {
    if (!isExtreme(node) || node.args.length !== 1) return [];
    return node.args.map((arg) => ({ column: query.column(arg), words: query.text(node) }));
  });
  const orders = query.sites.selects.flatMap(({ node }) =>
    node.limit === null
      ? []
      : node.orderBy
          .slice(0, 1)
          .map((term) => ({ column: query.column(term.expression), words: `ORDER BY ${query.text(term)}` })),
  );
  return [...calls, ...orders].flatMap(({ column, words }) => (column === null ? [] : [{ column, words }]));
}

function reasonOf({ column: { name, type } }: Extreme, facts: ColumnFacts | null): string | null {
  if (facts === null) {
    return type === 'text' ? `goes letter by letter: the schema calls ${name} text` : null;
  }
  const texts = facts.kind === 'texts' ? (facts.distinct ?? []) : [];
  const values = texts.filter((text) => !facts.voids.includes(text) && !isNumberText(text));
  const [example] = values;
  if (example === undefined || values.every((text) => SORTABLE.test(text))) return null;
  return `goes letter by letter: ${name} holds texts such as ${JSON.stringify(example.slice(0, 40))}`;
}

/**
 * Gold queries that take the first or last text by its letters where the question asks for the most or the least of
 * something.
 */
export async function findTextExtreme({ example: { question }, gold }: AuditedExample): Promise<GoldFinding | null> {
  const { query } = gold;
  const asked = AMOUNT.exec(question)?.[0];
  if (query === null || asked === undefined) return null;
  for (const extreme of extremesOf(query)) {
    const facts = await gold.factsOf(extreme.column);
    const reason = gold.rows !== null && facts === null ? null : reasonOf(extreme, facts);
    if (reason !== null)
      return plainFinding(
        'text-order',
        `The question says ${JSON.stringify(asked)}, and ${extreme.words} ${reason}.`,
        false,
      );
  }
  return null;
}

const HIGH = 'most recent|most|highest|largest|biggest|greatest|longest|tallest|heaviest|maximum|latest|newest';
const LOW = 'least|fewest|lowest|smallest|minimum|shortest|lightest|cheapest|earliest';
/** Columns whose small values are the good ones, or which say how rows stand already. */
const RANKED = /rank|position|place|order|grade|standing|seed|level|priority/i;
const RECENT = /^(?:most recent|latest|newest|earliest)$/i;
/** Columns of which "longest" asks for the first: since when, not how long. */
const SINCE = /founded|since|birth|born|hire|opened|established/i;
const DATE_PART = /year|month|day|date|week|hour|minute|second|time/i;
const LATEST = /\b(?:latest|newest|most recent|last|descending|reverse)\b/i;

/** How many rows a question asks for by a superlative: "top five", "3 youngest". */
function askedCount(question: string): { readonly words: string; readonly count: number } | null {
  const found =
    new RegExp(`\\btop (${NUMBER_PATTERN})\\b(?! ?(?:%|percent))`, 'iu').exec(question) ??
    new RegExp(`\\b(${NUMBER_PATTERN}) (?:${HIGH}|${LOW}|youngest|oldest|best|worst)\\b(?! ?(?:%|percent))`, 'iu').exec(
      question,
    );
  const count = numberOf(found?.[1] ?? '');
  return found === null || count === null || count < 2 ? null : { words: found[0], count };
}

/** "top five" without a LIMIT of 5. */
function countFinding(question: string, query: ReadQuery): string | null {
  const asked = askedCount(question);
  if (asked === null) return null;
  const { words, count } = asked;
  // `rank <= 5` and `row_number() < 6` take as many.
  const numbers = digitRuns(query.sql);
  if (numbers.includes(count) || (numbers.includes(count + 1) && /\brank\b|row_number/i.test(query.sql))) return null;
  return `The question asks for ${JSON.stringify(words)}, and no LIMIT takes ${count}.`;
}

const isFalling = ({ direction }: OrderingTerm): boolean => direction === 'DESC';

/** What gives "top five" another sense than the most: a word for the few, another superlative, an order of its own. */
const OTHER_TOP =
  /\b(?:\p{L}+est|worst|least|cheap|low|small|few|fewer|less|early)\b|alphabet|ascend|increas|\border(?:ed)?\b|\bsort/iu;

/** "top five", which asks for the most of a number or an aggregate. */
function topWords(question: string, query: ReadQuery, [first]: readonly OrderingTerm[]): string | undefined {
  const found = new RegExp(`\\btop ${NUMBER_PATTERN}\\b(?! ?(?:%|percent))`, 'iu').exec(question)?.[0];
  if (found === undefined || first === undefined || OTHER_TOP.test(question)) return undefined;
  const named = query.column(first.expression);
  if (named === null) return first.expression.kind === 'function' ? found : undefined;
  const { database } = query;
  const isKey = [...database.primaryKeys, ...database.foreignKeys.map(({ from }) => from)].some(
    ({ table, column }) => table === named.ref.table && column === named.ref.column,
  );
  return isKey || named.type !== 'number' ? undefined : found;
}

/** "least" where rows fall, "most" where they rise. */
function directionFinding(question: string, query: ReadQuery): string | null {
  const text = question.replace(/\bat (?:the )?(?:least|most|latest|earliest)\b|\b(?:minimum|maximum) of\b/giu, ' ');
  const wordOf = (words: string): string | undefined => new RegExp(`\\b(?:${words})\\b`, 'iu').exec(text)?.[0];
  const terms = query.sites.selects.flatMap(({ node }) => (node.limit === null ? [] : node.orderBy.slice(0, 1)));
  const [high, low] = [wordOf(HIGH) ?? topWords(question, query, terms), wordOf(LOW)];
  const word = high ?? low ?? '';
  const isPlain = terms.every(({ expression }) => {
    const order = query.text(expression);
    const isTime = DATE_PART.test(order) || SINCE.test(order);
    return !/[-/]/.test(order) && !RANKED.test(order) && (!isTime || RECENT.test(word));
  });
  if (terms.length === 0 || !isPlain || (high === undefined) === (low === undefined)) return null;
  const isAgainst = terms.every((term) => isFalling(term) === (low !== undefined));
  if (!isAgainst || new RegExp(`\\b${low === undefined ? 'max' : 'min'}\\s*\\(`, 'i').test(query.sql)) return null;
  const [first] = terms;
  const order = first === undefined ? '' : query.text(first);
  return `The question says ${JSON.stringify(word)}, and the query takes the first rows of ORDER BY ${order}.`;
}

/** `ORDER BY year, month, day DESC`, of which the last term alone falls. */
function lastTermFinding(question: string, query: ReadQuery): string | null {
  for (const { node } of query.sites.selects) {
    const [last, ...others] = node.orderBy.toReversed();
    if (last === undefined || others.length === 0 || !isFalling(last)) continue;
    if (!others.every(({ direction }) => direction === null)) continue;
    const names = node.orderBy.map((term) => query.text(term.expression));
    const isDate = names.every((name) => DATE_PART.test(name)) && LATEST.test(question);
    if (node.limit === null && !isDate) continue;
    return `DESC is of ${query.text(last.expression)} alone: the rows rise by ${others
      .toReversed()
      .map((term) => query.text(term.expression))
      .join(', ')}.`;
  }
  return null;
}

/** Gold queries whose order, or number of rows, is not that of the question's superlative. */
export function findSuperlative({ example: { question }, gold }: AuditedExample): GoldFinding | null {
  const query = gold.written;
  if (query === null) return null;
  const sentence =
    countFinding(question, query) ?? directionFinding(question, query) ?? lastTermFinding(question, query);
  return sentence === null ? null : plainFinding('superlative', sentence, false);
}
