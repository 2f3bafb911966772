import { comparedValues } from '../read-query.js';
import { type GoldFinding, plainFinding } from '../finding.js';
import type { AuditedExample } from '../audited-gold.js';
import { NUMBER_PATTERN, numberOf } from '../../../schema/question-numbers.js';

type Bound = '>' | '>=' | '<' | '<=';

const NUMBER = `(${NUMBER_PATTERN})`;
/** "3 or more", but neither "3 or more than 5" nor "3 or above 5". */
const after = (words: string): string =>
  `${NUMBER}(?: \\p{L}+)? (?:or|and) (?:${words})\\b(?! (?:than|${NUMBER_PATTERN})\\b)`;

const PHRASES: readonly (readonly [Bound, string])[] = [
  ['>=', `(?:at least|(?:no|not) (?:less|fewer|lower) than|minimum of|(?:on|at) and above) ${NUMBER}`],
  ['<=', `(?:at most|(?:no|not) (?:more|greater|higher|larger|older) than|maximum of|up to) ${NUMBER}`],
  ['>=', after('more|above|over|greater|higher|older|later|up')],
  ['<=', after('less|fewer|below|under|lower|younger|earlier')],
  ['>', `(?:more|greater|higher|larger|bigger|older|longer|taller|heavier|later) than ${NUMBER}`],
  ['>', `(?:over|above|exceeds?|exceeding) ${NUMBER}`],
  ['<', `(?:less|fewer|lower|smaller|younger|shorter|lighter|cheaper|earlier) than ${NUMBER}`],
  ['<', `(?:under|below) ${NUMBER}`],
];

/** A negation a few words before a bound, which reverses it: "do not have more than 3". */
const NEGATED = /(?:\b(?:not|never|no|nor|none|without|neither|cannot)|n't)(?: [\p{L}]+){0,3} $/iu;

interface AskedBound {
  readonly words: string;
  readonly bound: Bound;
  readonly number: number;
}

/** The bounds that a question sets, each phrase read once. */
function askedBounds(question: string): readonly AskedBound[] {
  const asked: AskedBound[] = [];
  let rest = question.replace(/(\d),(?=\d{3}\b)/gu, '$1');
  for (const [bound, pattern] of PHRASES) {
    rest = rest.replace(
      new RegExp(`\\b${pattern}(?![\\p{L}\\d])`, 'giu'),
      (words: string, digits: string, at: number) => {
        const number = numberOf(digits);
        if (number !== null && !NEGATED.test(rest.slice(0, at))) asked.push({ words, bound, number });
        return ' … ';
      },
    );
  }
  return asked;
}

/** What says the same of whole numbers: another bound, and how far its number is from the one that is said. */
const NEXT: Readonly<Record<Bound, readonly [bound: Bound, step: number]>> = {
  '>=': ['>', -1],
  '<=': ['<', 1],
  '>': ['>=', 1],
  '<': ['<=', -1],
};

/** Checks for SQL that a bound permits: as it is said, or with the next whole number. */
function isMet({ bound, number }: AskedBound, operator: string, value: number): boolean {
  const [other, step] = NEXT[bound];
  return (operator === bound && value === number) || (operator === other && value === number + step);
}
const INVERSE: Readonly<Record<string, string>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' };

/**
 * Gold queries that take in a bound which the question leaves out, or leave one out that it takes in, or turn it
 * around.
 */
export function findBoundMismatch({ example: { question }, gold }: AuditedExample): GoldFinding | null {
  const query = gold.written;
  if (query === null) return null;
  const compared = comparedValues(query).map(({ operator, value, node }) => ({ operator, value: Number(value), node }));
  const isNegated = /\bNOT\b|\bEXCEPT\b/i.test(gold.sql);
  for (const asked of askedBounds(question)) {
    const near = compared.filter(({ value }) => Math.abs(value - asked.number) <= 1);
    const of = near.filter(({ operator, value }) => value === asked.number && INVERSE[operator] !== undefined);
    const [wrong] = of;
    const isRight = near.some(({ operator, value }) => {
      const inverse = INVERSE[operator];
      return (
        operator === 'BETWEEN' ||
        isMet(asked, operator, value) ||
        (isNegated && inverse !== undefined && isMet(asked, inverse, value))
      );
    });
    if (wrong === undefined || isRight) continue;
    return plainFinding(
      'bound',
      `The question says ${JSON.stringify(asked.words)}, and the query asks for ${wrong.operator} ${query.text(wrong.node)}.`,
      false,
    );
  }
  return null;
}
