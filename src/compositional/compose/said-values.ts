import { columnAt, columnKey, type ColumnRef, type Database } from '../../schema/schema.js';
import { wordsOf } from '../../schema/name-identity.js';
import { digitRuns, spelledNumbers, writtenNumbers } from '../../schema/question-numbers.js';
import {
  likeness,
  type QuestionWord,
  questionWords,
  type SchemaMentions,
  stemOf,
  valueMention,
} from '../align/schema-mentions.js';
import type { Clause, ClauseComparison, ClauseQuery, ClauseValue } from '../clauses/clause.js';
import { columnsOf, comparisonsOf, valuesOf, valuesWithin } from '../clauses/clause-parts.js';

/** A constant that a condition compares with, one of a CASE too. */
export interface Constant {
  /** Without the `%` of LIKE. */
  readonly value: string;
  /** The column compared with it; null if that is no column's value. */
  readonly column: ColumnRef | null;
}

/** The content of conditions, limits and nested queries of clauses, which words have to say, too. */
export interface ClauseContent {
  readonly constants: readonly Constant[];
  readonly comparisons: readonly ClauseComparison[];
  /** Literals of what is selected, grouped and put in order: "per 100 people". */
  readonly others: readonly string[];
  /** Counts of rows to take, and places to begin at, from 1. */
  readonly limits: readonly number[];
  /** True if rows are put in order, or one number is taken of several: the first, the most. */
  readonly hasOrder: boolean;
  /** True if the first rows, a minimum or a maximum are taken. */
  readonly hasExtreme: boolean;
  /** True if an EXCEPT, a NOT or a NULL is in them. */
  readonly denies: boolean;
  readonly columns: readonly ColumnRef[];
  /** Columns that must not be NULL, and that are neither selected nor ordered by. */
  readonly present: readonly ColumnRef[];
}

const EXTREMES = new Set(['min', 'max']);
const isExtreme = (value: ClauseValue): boolean => value.kind === 'call' && EXTREMES.has(value.name);

/** Clauses with those of the queries nested in them and of the terms of their compound. */
function allClauses(clauses: readonly Clause[]): readonly Clause[] {
  return clauses.flatMap((clause) => {
    const nested = valuesOf(clause)
      .flatMap(valuesWithin)
      .flatMap((value): readonly ClauseQuery[] => (value.kind === 'query' ? [value.query] : []));
    const terms = clause.kind === 'set' ? [clause.query] : [];
    return [clause, ...[...nested, ...terms].flatMap(({ clauses: inner }) => allClauses(inner))];
  });
}

function columnIn(value: ClauseValue | null): ColumnRef | null {
  const columns = value === null ? [] : valuesWithin(value).filter((part) => part.kind === 'column');
  return columns[0] ?? null;
}

function literalsIn(values: readonly ClauseValue[]): readonly string[] {
  return values
    .flatMap(valuesWithin)
    .flatMap((value) => (value.kind === 'literal' && value.type !== 'null' ? [value.value] : []));
}

function constantsOf({ left, right }: ClauseComparison): readonly Constant[] {
  const column = columnIn(left);
  const isDifference = left?.kind === 'arithmetic';
  const values = literalsIn(right).filter((value) => !isDifference || Number(value) !== 0);
  return values.map((value) => ({ value: value.replaceAll('%', ' ').trim(), column }));
}

/** A column that has to be there, which words say by naming it. */
const isPresence = ({ negated, operator }: ClauseComparison): boolean => negated && operator === 'is';
const isDenial = (comparison: ClauseComparison): boolean =>
  !isPresence(comparison) && (comparison.negated || ['!=', 'is'].includes(comparison.operator));

/** Gathers what clauses say. */
export function contentOf(given: readonly Clause[]): ClauseContent {
  const clauses = allClauses(given);
  const conditions = clauses.filter((clause) => clause.kind === 'condition');
  const comparisons = conditions.flatMap(comparisonsOf);
  const limits = clauses.filter((clause) => clause.kind === 'limit');
  const rest = clauses.filter(({ kind }) => kind !== 'condition');
  const cases = rest
    .flatMap(valuesOf)
    .flatMap(valuesWithin)
    .flatMap((value) => (value.kind === 'case' ? value.branches.flatMap(({ when }) => when) : []));
  return {
    constants: [...comparisons, ...cases.flatMap(comparisonsOf)].flatMap(constantsOf),
    comparisons,
    others: literalsIn(rest.flatMap(valuesOf)),
    limits: limits.flatMap(({ count, offset }) => [count, offset + 1]),
    hasOrder: clauses.some(({ kind }) => kind === 'order'),
    hasExtreme: limits.length > 0 || clauses.flatMap(valuesOf).flatMap(valuesWithin).some(isExtreme),
    denies:
      comparisons.some(isDenial) ||
      conditions.some(({ test }) => test.kind === 'any' && test.negated) ||
      clauses.some((clause) => clause.kind === 'set' && clause.operator === 'except'),
    columns: clauses.flatMap(columnsOf),
    present: comparisons.filter(isPresence).flatMap(({ left }) => {
      const column = columnIn(left);
      const isShown = rest.some((clause) =>
        columnsOf(clause).some((one) => columnKey(one) === columnKey(column ?? one)),
      );
      return column === null || isShown ? [] : [column];
    }),
  };
}

/** A text to compare clauses with. */
export interface SaidText {
  readonly text: string;
  /** Its words, those joined by a hyphen also one by one. */
  readonly words: readonly QuestionWord[];
  readonly numbers: readonly number[];
}

/** Reads a text. */
export function saidText(text: string): SaidText {
  const words = [...questionWords(text), ...questionWords(text.replace(/[-–_/.'’]/gu, ' '))];
  const runs = [...writtenNumbers(text), ...digitRuns(text.replaceAll(',', ''))];
  return { text, words, numbers: [...new Set([...runs, ...spelledNumbers(text)])] };
}

/** A constant is said from this share of its words on. */
const SAID = 0.5;
/** A column is named from this share of its name on: enough for a flag of it. */
const MIN_NAMED_SHARE = 0.3;
/** Values of columns that hold yes or no. */
const FLAG = /^(?:[01]|[tfyn]|true|false|yes|no)$/iu;
/** Checks whether a value is one of a column that holds yes or no. */
export const isFlag = (value: string): boolean => FLAG.test(value);
const DATE = /^\d{4}(?:-\d{1,2}){0,2}(?:[ T]|$)/u;
const COUNTRY = /^(?:us|usa|u\.s\.a?\.|united states(?: of america)?|america)$/iu;
const AMERICAN = /(?<!\p{L})(?:U\.?S\.?A?|[uU]nited [sS]tates|[aA]merica(?:ns?)?)(?!\p{L})/u;
const GENDER = /(?<!\p{L})(?:wo)?m[ae]n(?!\p{L})|(?<!\p{L})(?:fe)?males?(?!\p{L})|(?<!\p{L})(?:girl|boy)s?(?!\p{L})/iu;
const MISSING = /(?<!\p{L})(?:no|not|never|without|missing|empty|blank|unknown|any|lack)(?!\p{L})|n['’]t(?!\p{L})/iu;

/** Checks whether two numbers are said by one another: "3 or more" of `> 2`, "20 %" of 0.2. */
function isSameNumber(a: number, b: number): boolean {
  const isNext = Number.isInteger(a) && Number.isInteger(b) && Math.abs(a - b) === 1 && Math.max(a, b) < 1000;
  return a === b || isNext || a * 100 === b || b * 100 === a;
}

/** Numbers, and what two of them come to: "10 million". */
function withProducts(numbers: readonly number[]): readonly number[] {
  const large = numbers.filter((number) => number >= 100);
  return [...numbers, ...large.flatMap((unit) => numbers.map((number) => number * unit))];
}

function isNumberSaid(value: number, { numbers, text }: SaidText): boolean {
  if (value === 0 && MISSING.test(text)) return true;
  return withProducts(numbers).some((number) => isSameNumber(number, value));
}

/** Checks whether a text has a word like a value's: "French" of France, "GB" of Great Britain. */
function isAkin(value: string, { text, words }: SaidText): boolean {
  const names = text.match(/\p{Lu}\p{L}+/gu) ?? [];
  const own = questionWords(value).map((word) => word.text);
  const begins = (word: string): boolean =>
    names.some((name) => {
      const [a, b] = [name.toLowerCase(), word];
      return a.slice(0, 3) === b.slice(0, 3) || (Math.min(a.length, b.length) > 4 && a.slice(0, 2) === b.slice(0, 2));
    });
  const initials = names.map((name) => name.charAt(0)).join('');
  const isPlace = (name: string): boolean =>
    /^[A-Z]{2}$/.test(value) && name.startsWith(value.charAt(0)) && name.toUpperCase().includes(value.charAt(1), 1);
  const isShort = value.length > 1 && value.length < 4 && initials.includes(value.toUpperCase());
  const isLong = words.some((word) => word.text.length > 1 && word.text === own.map((one) => one.charAt(0)).join(''));
  return isShort || isLong || names.some(isPlace) || own.some(begins);
}

/** Checks whether a text says a constant. */
export function isConstantSaid({ value, column }: Constant, said: SaidText, mentions: SchemaMentions): boolean {
  const isColumnSaid = (): boolean =>
    column !== null && mentions.column(column, said.words, said.text) >= MIN_NAMED_SHARE;
  if (value === '' || value === '*') return MISSING.test(said.text);
  if (/^(?:19|20)\d{4}$/u.test(value) && said.numbers.includes(Number(value.slice(0, 4)))) return true; // "May 2012" of 201205
  const number = Number(value);
  if (!Number.isNaN(number)) return isNumberSaid(Math.abs(number), said) || (FLAG.test(value) && isColumnSaid());
  if (DATE.test(value)) return said.numbers.includes(Number.parseInt(value, 10));
  if (valueMention(value, said.words) >= SAID) return true;
  if (value.length === 1 && valueMention(value, said.words) > 0) return true;
  if (/^[fm]$/iu.test(value) && GENDER.test(said.text)) return true;
  if (FLAG.test(value)) return isColumnSaid();
  return (COUNTRY.test(value) && AMERICAN.test(said.text)) || isAkin(value, said);
}

/** Checks whether a text names the columns that must have a value. */
export function arePresentSaid(
  { words, text }: SaidText,
  { present }: ClauseContent,
  mentions: SchemaMentions,
): boolean {
  return present.every((column) => mentions.column(column, words, text) >= SAID);
}

/** Spelled numbers that mostly mean something else: "the one", "first name", "both". */
const VAGUE =
  /(?<!\p{L})(?:zero|one|once|first|second|third|single|both|couple|pair|half|hundred|thousand|million|billion)(?!\p{L})/giu;

/** Numbers that names of the clauses' columns have. */
function numbersOfNames(columns: readonly ColumnRef[], database: Database): readonly number[] {
  return columns.flatMap((ref) => digitRuns(columnAt(database, ref).name));
}

/** Checks whether each number of a text is in its clauses. */
export function areNumbersMeant({ text }: SaidText, content: ClauseContent, database: Database): boolean {
  const spelled = spelledNumbers(text.replace(VAGUE, ' '));
  const values = [...content.constants.map(({ value }) => value), ...content.others];
  const meant = [
    ...values.flatMap((value) => [...digitRuns(value.replaceAll(',', '')), ...spelledNumbers(value)]),
    ...content.limits,
    ...numbersOfNames(content.columns, database),
  ];
  const factors = withProducts([...writtenNumbers(text), ...spelledNumbers(text)]);
  const isMeant = (number: number): boolean =>
    meant.some(
      (one) => isSameNumber(number, one) || (factors.includes(one) && number !== 0 && Number.isInteger(one / number)),
    );
  return [...writtenNumbers(text), ...spelled].every(isMeant);
}

/** Words that are written with a capital and name nothing of a database. */
const NO_NAMES = new Set('i id ids usd am pm tv no sql'.split(' '));
const MONTHS = new Set(
  'january february march april may june july august september october november december'.split(' '),
);

/** Words of a text that are names or quoted, but for its first. */
function namesIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"[^"]+"|“[^”]+”|(?<![\p{L}\p{N}])['‘`][^'’`]+['’`](?!\p{L})/gu)].map(
    ([one]) => one,
  );
  const outside = quoted
    .reduce((left, one) => left.replace(one, ' '), text)
    .replace(/(?:^|[.?!]\s+)\P{L}*\p{L}+/gu, ' ');
  const capitals = outside.match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*/gu) ?? [];
  return [...quoted.flatMap((one) => one.match(/[\p{L}\p{N}]+/gu) ?? []), ...capitals];
}

/** Checks whether each name and quoted word of a text is in a constant of its clauses, or names a table or column. */
export function areNamesMeant({ text }: SaidText, content: ClauseContent, { tables }: Database): boolean {
  const values = [...content.constants.map(({ value }) => value), ...content.others];
  const stems = values.flatMap((value) => questionWords(value.replace(/[-–_/.'’]/gu, ' ')).map(({ stem }) => stem));
  const schema = new Set(
    tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)].flatMap(wordsOf).map(stemOf)),
  );
  const hasDate = values.some((value) => /\d/.test(value));
  const isAmerican = values.some((value) => COUNTRY.test(value)) && AMERICAN.test(text);
  return namesIn(text).every((name) => {
    const word = name.toLowerCase();
    const stem = stemOf(word);
    if (NO_NAMES.has(word) || /^\d/u.test(word) || schema.has(stem) || (hasDate && MONTHS.has(word))) return true;
    if (stems.some((one) => likeness(one, stem) > 0 || one.includes(stem))) return true;
    return isAmerican || values.some((value) => isAkin(value, saidText(` ${name}`)));
  });
}
