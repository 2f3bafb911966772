import { type GoldFinding, plainFinding } from '../finding.js';
import type { ComparedValue } from '../compared-values.js';
import type { AuditedExample } from './audited-example.js';

const YEAR = '(?:1[89]|20)\\d\\d';
/** A date that begins with its year and has more of it, or a pattern of all dates of a year. */
const DATE = new RegExp(`^(${YEAR})(?:[-/.]\\d\\d?(?:[-/.]\\d\\d?.*)?|[-/.]?%)$`);
/** Words by which a question may ask for another year than the one that it says. */
const SHIFTED = new RegExp(
  `\\b(?:after|before|since|until|till|following|previous|prior|later|earlier|ago|older|younger|age[ds]?|fiscal|academic|season|between|through)\\b|\\b(?:by|from|than|end|beginning|start)(?:\\s+\\p{L}+){0,3}\\s+${YEAR}`,
  'iu',
);

interface DateBound {
  readonly year: number;
  readonly operator: string;
  /** True if it is the first day of its year: as an end that is not included, the year before is the last. */
  readonly isStart: boolean;
}

function boundOf({ value, operator }: ComparedValue): DateBound | null {
  const [, year] = typeof value === 'string' ? (DATE.exec(value) ?? []) : [];
  if (year === undefined || typeof value !== 'string') return null;
  return { year: Number(year), operator: operator.toUpperCase(), isStart: /^\d+[-/.]0?1[-/.]0?1\b/.test(value) };
}

/** The years of the dates that a query asks for, ends included; null where it leaves an end open. */
function yearsOf(bounds: readonly DateBound[]): readonly [first: number, last: number] | null {
  const closed = bounds.every(({ operator }) => /^(?:==?|LIKE|IN|GLOB|BETWEEN)$/.test(operator));
  const hasEnds = ['<', '>'].every((sign) => bounds.some(({ operator }) => operator.startsWith(sign)));
  if (bounds.length === 0 || !(closed || hasEnds)) return null;
  const years = bounds.map(({ year, operator, isStart }) => (operator === '<' && isStart ? year - 1 : year));
  return [Math.min(...years), Math.max(...years)];
}

/**
 * Dates of another year than the one that a question says: "in 2022" and `LIKE '2023%'`, `BETWEEN '2023-01-01' AND
 * '2023-12-31'`, `>= '2023-01-01' AND … < '2024-01-01'`.
 */
export function findYearMismatch(
  { dialog, evidence }: AuditedExample,
  values: readonly ComparedValue[],
): GoldFinding | null {
  const said = new Set((dialog.match(new RegExp(`(?<![\\d.,/-])${YEAR}(?![\\d/-]|[.,]\\d)`, 'g')) ?? []).map(Number));
  const [asked] = said;
  if (asked === undefined || said.size > 1 || SHIFTED.test(dialog) || new RegExp(YEAR).test(evidence)) return null;
  const years = yearsOf(values.flatMap((value) => boundOf(value) ?? []));
  if (years === null) return null;
  const [first, last] = years;
  if (first <= asked && asked <= last) return null;
  const queried = first === last ? String(first) : `${first} to ${last}`;
  return plainFinding('value-mismatch', `The question says ${asked}, and the query asks for dates of ${queried}.`);
}
