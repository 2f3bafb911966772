import { editDistance } from '../../../schema/edit-distance.js';
import { renderString } from '../../../sql/dialect.js';
import { applyEdits, sortEdits } from '../../../sql/edits.js';
import { type GoldFinding, isNumberText, plainFinding } from '../finding.js';
import { type ComparedValue, comparedValues, type ReadQuery } from '../read-query.js';
import { type AuditedExample, verifiedRepair } from '../audited-gold.js';
import { findUnsaidValue, valueKey } from './unsaid-value.js';
import { digitRuns, spelledNumbers, writtenNumbers } from '../../../schema/question-numbers.js';

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
function findYearMismatch({ dialog, evidence }: AuditedExample, values: readonly ComparedValue[]): GoldFinding | null {
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

type TextValue = ComparedValue & { readonly value: string };

const isText = (one: ComparedValue): one is TextValue => typeof one.value === 'string';

/** The column's texts that are the value but for case and space. */
function otherSpellings(texts: readonly string[], value: string): readonly string[] {
  const key = value.trim().replace(/\s+/g, ' ').toLowerCase();
  return texts.filter((text) => text.trim().replace(/\s+/g, ' ').toLowerCase() === key);
}

/** A value that the column has in other letters alone. */
interface Misspelled {
  readonly compared: TextValue;
  readonly name: string;
  /** As the column has it, the first where there are several. */
  readonly stored: string;
  readonly isOnly: boolean;
}

async function misspelled({ gold }: AuditedExample, compared: TextValue): Promise<Misspelled | null> {
  const { column, operator, value } = compared;
  if (gold.rows === null || column === null || !/^(?:==?|IN)$/.test(operator)) return null;
  const texts = (await gold.factsOf(column))?.distinct ?? [];
  const [stored, ...others] = texts.includes(value) ? [] : otherSpellings(texts, value);
  if (stored === undefined) return null;
  return { compared, name: column.name, stored, isOnly: others.length === 0 };
}

/** Values that their columns have in other letters alone: `=` finds none of their rows. */
async function spellingFinding(
  one: AuditedExample,
  query: ReadQuery,
  values: readonly TextValue[],
): Promise<GoldFinding | null> {
  const { gold } = one;
  const found: Misspelled[] = [];
  for (const value of values) found.push(...[await misspelled(one, value)].filter((wrong) => wrong !== null));
  const edits = found.map(({ compared: { node }, stored }) => ({
    start: node.span.start,
    end: node.span.end,
    before: query.text(node),
    after: renderString(stored),
  }));
  if (gold.rows === null || edits.length === 0) return null;
  const repaired = applyEdits(query.sql, sortEdits(edits));
  const evidence = await gold.rows.differ(['as written', query.sql], ['as stored', repaired]);
  if (evidence === null) return null;
  const words = found.map(
    ({ compared: { value }, name, stored }) => `${renderString(value)}, which ${name} writes ${renderString(stored)}`,
  );
  const isSafe = found.every(({ isOnly }) => isOnly);
  return {
    ...plainFinding('value-mismatch', `The query asks for ${[...new Set(words)].join(', and for ')}.`),
    evidence,
    repair: isSafe ? await verifiedRepair(gold, repaired) : null,
  };
}

/** Words of a question as they are written, with their keys. */
function wordsOf(question: string): readonly { readonly text: string; readonly key: string }[] {
  return question
    .split(/[\s"“”‘’?!,;:()]+/u)
    .map((text) => ({ text, key: valueKey(text.replace(/^'|'$|['’]s$/g, '')) }))
    .filter(({ key }) => key !== '');
}

/** Checks whether two forms differ by an ending, as words of one stem do. */
function isInflected(a: string, b: string): boolean {
  const stem = (text: string): string =>
    text
      .split(' ')
      .map((word) => word.replace(/(?:ies|ied|ing|ed|es|s|y|e|al|ic|ian|an|n|er|or|ly|ish)$/u, ''))
      .join(' ');
  return stem(a) === stem(b) || a.startsWith(b) || b.startsWith(a);
}

interface SimilarPhrase {
  readonly text: string;
  readonly key: string;
}

/** The words of a question that are nearly a value: one or two letters apart, written as a name or in quotes. */
function similarPhrase(question: string, value: string): SimilarPhrase | null {
  const key = valueKey(value);
  if (key.length < 5 || /\d/.test(key)) return null;
  const length = key.split(' ').length;
  const words = wordsOf(question);
  for (let at = 0; at + length <= words.length; at++) {
    const part = words.slice(at, at + length);
    const phrase = part.map((word) => word.key).join(' ');
    const isName = part.every(({ text }) => /^['"]?\p{Lu}/u.test(text)) && at > 0;
    if (!isName || phrase[0] !== key[0] || /\d/.test(phrase) || isInflected(phrase, key)) continue;
    if (editDistance(phrase, key) <= (key.length < 8 ? 1 : 2))
      return { text: part.map(({ text }) => text).join(' '), key: phrase };
  }
  return null;
}

/** A value that the question writes differently, and means another if the data have it. */
async function phraseFinding(
  { gold, dialog, evidence }: AuditedExample,
  { column, value: given, operator }: TextValue,
): Promise<GoldFinding | null> {
  const value = operator === 'LIKE' ? given.replace(/^%+|%+$/g, '') : given;
  if (valueKey(`${dialog} ${evidence}`).includes(valueKey(value)) || isNumberText(value)) return null;
  const phrase = similarPhrase(dialog, value);
  if (phrase === null) return null;
  const facts = await gold.factsOf(column);
  const keys = facts?.distinct?.map(valueKey) ?? null;
  const isStored = keys?.includes(valueKey(value)) === true;
  const isAskedStored = keys?.includes(phrase.key) === true;
  const sentence = `The question says ${JSON.stringify(phrase.text)}, and the query asks for ${renderString(given)}${isAskedStored ? ', though the data have the former' : ''}.`;
  // A value that the data have, against words that they don't: the question is misspelled, the gold is right.
  return plainFinding('value-mismatch', sentence, !isStored || isAskedStored);
}

/** Factors between units in which a question and its data may count. */
const UNITS = [1000, 60, 3600, 24, 7, 12, 30, 365, 1024, 4, 52];

function isConverted(asked: number, queried: number): boolean {
  if (asked === 0 || queried === 0) return false;
  const factor = asked > queried ? asked / queried : queried / asked;
  const tens = Math.log10(factor);
  return Math.abs(tens - Math.round(tens)) < 1e-9 || UNITS.some((unit) => Math.abs(factor - unit) < 1e-9);
}

/** Checks whether a year is written with its last two digits. */
const isShortYear = (asked: number, queried: number): boolean =>
  asked >= 1900 && asked < 2100 && queried >= 0 && asked % 100 === queried;

/** The one number that a question has and the query lacks, and the other way round. */
function numberFinding(
  { dialog, evidence, gold }: AuditedExample,
  values: readonly ComparedValue[],
): GoldFinding | null {
  const written = writtenNumbers(dialog);
  const all = `${dialog} ${evidence}`;
  const said = new Set([...digitRuns(all), ...writtenNumbers(all), ...spelledNumbers(all)]);
  const inQuery = new Set(digitRuns(gold.sql));
  const numbers = values.flatMap(({ value, operator }) => {
    const number = typeof value === 'string' && !isNumberText(value) ? NaN : Number(value);
    return Number.isNaN(number) || said.has(number) ? [] : [{ number, operator }];
  });
  const unasked = [...new Set(written.filter((number) => !inQuery.has(number)))];
  const [queried, ...more] = numbers;
  const [asked, ...others] = unasked;
  if (queried === undefined || asked === undefined || more.length > 0 || others.length > 0) return null;
  if (isConverted(asked, queried.number) || isShortYear(asked, queried.number)) return null;
  if (queried.operator !== '=' && Math.abs(asked - queried.number) <= 1) return null;
  return plainFinding('value-mismatch', `The question says ${asked}, and the query compares with ${queried.number}.`);
}

/** Values of a gold that are not those of its question, or not as the data write them. */
export async function findValueMismatch(one: AuditedExample): Promise<GoldFinding | null> {
  const query = one.gold.query ?? one.gold.written;
  if (query === null) return null;
  const values = comparedValues(query);
  const texts = values.filter(isText);
  const found: (GoldFinding | null)[] = [await spellingFinding(one, query, texts)];
  for (const value of texts) found.push(await phraseFinding(one, value));
  found.push(numberFinding(one, values), findYearMismatch(one, values), await findUnsaidValue(one, texts));
  const findings = found.filter((finding) => finding !== null);
  return findings.find(({ isShown }) => isShown) ?? findings[0] ?? null;
}
