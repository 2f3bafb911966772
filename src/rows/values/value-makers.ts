import { pick, shuffled } from '../../seeded-rng.js';
import type { Rng } from '../../stage.js';
import { type NamedSource, namesPeople, textsByName, type TextSource } from './name-words.js';
import { identifierParts } from '../../schema/identifiers/identifier-parts.js';
import type { ColumnType } from '../../schema/schema.js';
import {
  drawNumber,
  MINUTES,
  namesKey,
  type NumberRange,
  parseNumber,
  rangeByName,
  rangeOf,
  SUMS,
  widened,
  withinUsual,
} from './number-values.js';
import type { ColumnSample, TableSample } from './table-sample.js';
import {
  type Granularity,
  granularityByName,
  isDurationName,
  isMoneyName,
  isMoneyNextTo,
  kindByName,
} from './named-kind.js';
import { headOf } from './name-head.js';
import { detectTimes, timeFormat, type TimeStyle } from './time-values.js';
import type { ValueKind } from './declared-types.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';

/** How the letters of a column's texts are written. */
type LetterCase = 'lower' | 'upper' | 'mixed';

/** Share of texts that must be in one case: a name in capitals among others does not make a style. */
const AGREEMENT = 0.95;

/** The case of some texts; null where none has letters. */
function letterCaseOf(texts: readonly string[]): LetterCase | null {
  const lettered = texts.filter((text) => /\p{L}/u.test(text));
  if (lettered.length === 0) return null;
  const share = (is: (text: string) => boolean): number => lettered.filter(is).length / lettered.length;
  if (share((text) => text === text.toLowerCase()) >= AGREEMENT) return 'lower';
  return share((text) => text === text.toUpperCase()) >= AGREEMENT ? 'upper' : 'mixed';
}

/** Checks whether texts look like codes: "AB-123", "KL0815". */
function areCodes(texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((text) => /^[\p{L}\d/_.#-]+$/u.test(text) && /\d/u.test(text));
}

/** A text with the shape of a code: a digit for each digit, a letter in its case for each letter of two or fewer. */
function likeCode(code: string, rng: Rng): string {
  const letters = code.replace(/[^A-Za-z]/gu, '').length;
  return code.replace(/\d|[A-Za-z]/gu, (character) => {
    if (/\d/u.test(character)) return String(rng.int(10));
    if (letters > 2) return character;
    return String.fromCharCode((character < 'a' ? 65 : 97) + rng.int(26));
  });
}

function arePairs(texts: readonly string[]): boolean {
  return texts.length > 1 && texts.every((text) => /^\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+$/u.test(text));
}

/**
 * Texts after some samples: codes of the same shape; the first and second words of pairs such as people's names mixed
 * again where `people` says that they are such; else the samples again and again, as a column of categories repeats
 * them.
 */
function textsLike(samples: readonly string[], people: boolean): TextSource {
  if (areCodes(samples)) return (rng) => likeCode(pick(samples, rng), rng);
  if (!people || !arePairs(samples)) return (rng) => pick(samples, rng);
  const words = samples.map((text): [first: string, second: string] => {
    const [first = '', second = ''] = text.split(' ');
    return [first, second];
  });
  return (rng) => {
    const [[first], [, second]] = [pick(words, rng), pick(words, rng)];
    return `${first} ${second}`;
  };
}

const withCase = (text: string, letters: LetterCase): string => {
  if (letters === 'mixed') return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return letters === 'lower' ? text.toLowerCase() : text.toUpperCase();
};

/** A source in the case of the neighbours; where they are mixed, texts that are all lower case begin with a capital. */
function inCase({ draw, fixedCase }: NamedSource, letters: LetterCase | null): TextSource {
  return fixedCase || letters === null ? draw : (rng) => withCase(draw(rng), letters);
}

/** A column to be added, and the table that it is added to. */
export interface AddedColumnRequest {
  /** Natural words: "home town". */
  readonly name: string;
  readonly type: ColumnType;
  /** Sample values of the retrieved column that the name comes from; may be empty. */
  readonly sourceValues: readonly string[];
  readonly table: TableSample;
  /** Name, in the table, of the column that it is added because of. */
  readonly target: string;
}

/** A source of values that fit a column. */
export interface ValueMaker {
  readonly kind: ValueKind;
  /** The column whose way of writing the values have, and whose declared type fits them, too. */
  readonly donor: ColumnSample | null;
  /** The value of a row: not NULL. */
  draw(row: number, rng: Rng): SqlValue;
}

/** A request with what several makers look at. */
interface Wanted extends AddedColumnRequest {
  /** The target first. */
  readonly neighbors: readonly ColumnSample[];
}

const filled = ({ cells }: ColumnSample): readonly SqlValue[] => cells.filter((cell) => cell !== null);

function numbersOf(column: ColumnSample): readonly number[] {
  return filled(column).flatMap((cell) => (typeof cell === 'bigint' || typeof cell === 'number' ? [Number(cell)] : []));
}

const DEFAULT_RANGE: NumberRange = { low: 1, high: 100, decimals: 0 };

function chooseRange({ name, sourceValues, neighbors }: Wanted): NumberRange {
  const sampled = rangeOf(sourceValues.flatMap((value) => parseNumber(value) ?? []));
  const known = rangeByName(name) ?? (isMoneyName(name) ? SUMS : isDurationName(name) ? MINUTES : null);
  if (sampled !== null) return withinUsual(widened(sampled), sampled, known);
  if (known !== null) return known;
  const near = neighbors.map((column) => rangeOf(numbersOf(column))).find((found) => found !== null);
  return near == null ? DEFAULT_RANGE : widened(near);
}

const wordsOf = ({ name }: ColumnSample): string =>
  identifierParts(name)
    .map(({ text }) => text)
    .join(' ');

/** Numbers of one scale, which a table uses throughout. */
const SCALE = /^(?:ratings?|scores?|stars)$/u;

/** A column of the table with numbers of the same sort: sums of money, or ratings on its scale. */
function alikeIn({ name, neighbors }: Wanted): ColumnSample | null {
  const target = neighbors[0] === undefined ? '' : wordsOf(neighbors[0]);
  const isAlike = isMoneyNextTo(name, target)
    ? isMoneyName
    : (other: string) => SCALE.test(headOf(name)) && headOf(other) === headOf(name);
  return neighbors.find((column) => isAlike(wordsOf(column)) && numbersOf(column).length > 0) ?? null;
}

/** Numbers in the range and with the type of a column of the same sort. */
function alikeMaker(column: ColumnSample, { name, type }: Wanted): ValueMaker {
  const own = rangeOf(numbersOf(column)) ?? DEFAULT_RANGE;
  const range = withinUsual(widened(own), own, isMoneyName(name) ? null : rangeByName(name));
  const donor = type === 'number' ? column : null;
  return { kind: range.decimals <= 0 ? 'integer' : 'real', donor, draw: (_, rng) => drawNumber(range, rng) };
}

/** Distinct numbers in a random order, as ids have; past the target's own, so that they are not the same set. */
function keyMaker({ sourceValues, neighbors, table }: Wanted, rng: Rng): ValueMaker {
  const own = rangeOf(neighbors[0] === undefined ? [] : numbersOf(neighbors[0]));
  const sampled = rangeOf(sourceValues.flatMap((value) => parseNumber(value) ?? []));
  const first = Math.floor(Math.max(sampled?.low ?? 1, (own?.high ?? 0) + 1));
  const rows = Array.from({ length: table.rowCount }, (_, row) => row);
  const order = shuffled(rows, rng);
  return { kind: 'integer', donor: null, draw: (row) => BigInt(first) + BigInt(order[row] ?? row) };
}

function isKey(column: ColumnSample | undefined): boolean {
  const numbers = column === undefined ? [] : numbersOf(column);
  return numbers.length > 1 && numbers.every(Number.isSafeInteger) && new Set(numbers).size === numbers.length;
}

function numberMaker(wanted: Wanted, rng: Rng): ValueMaker {
  if (namesKey(wanted.name) && rangeByName(wanted.name) === null && isKey(wanted.neighbors[0])) {
    return keyMaker(wanted, rng);
  }
  const alike = alikeIn(wanted);
  if (alike !== null) return alikeMaker(alike, wanted);
  const range = chooseRange(wanted);
  return { kind: range.decimals <= 0 ? 'integer' : 'real', donor: null, draw: (_, own) => drawNumber(range, own) };
}

function granularityOf({ format }: TimeStyle): Granularity {
  const { template } = format;
  if (format.isYear) return 'year';
  const day = /Y.*M.*D|M.*D.*Y|D.*M.*Y/u.test(template);
  const clock = template.includes('h');
  if (!day) return clock ? 'clock' : 'part';
  return clock ? 'moment' : 'date';
}

const DEFAULT_FORMATS: Readonly<Record<Granularity, string>> = {
  year: 'YYYY',
  clock: 'hh:mm:ss',
  date: 'YYYY-MM-DD',
  moment: 'YYYY-MM-DD hh:mm:ss',
  part: 'YYYY-MM',
};

const day = (year: number): number => Date.UTC(year, 0, 1);

function rangeOfTimes(name: string): readonly [number, number] {
  return /\bbirth|\bborn\b/u.test(name) ? [day(1950), day(2002)] : [day(2000), day(2020)];
}

const DAY = 86_400_000;

/** The day that clock times are parsed on. */
const CLOCK: readonly [number, number] = [Date.UTC(2000, 0, 1, 6), Date.UTC(2000, 0, 1, 23, 59)];

/** Columns with times, by how they write them; four digits are years only where the name or the type says so. */
function timesIn(columns: readonly ColumnSample[]): readonly { column: ColumnSample; style: TimeStyle }[] {
  return columns.flatMap((column) => {
    const style = detectTimes(filled(column).flatMap((cell) => (cell instanceof Uint8Array ? [] : [String(cell)])));
    if (style === null) return [];
    const digits = /^Y+(?:MMDD)?$/u.test(style.format.template);
    return digits && !/year|date|yr|time/iu.test(`${column.name} ${column.declaredType}`) ? [] : [{ column, style }];
  });
}

function timeRange(name: string, style: TimeStyle | null, granularity: Granularity): readonly [number, number] {
  if (style === null) return granularity === 'clock' ? CLOCK : rangeOfTimes(name);
  if (granularity === 'clock') return CLOCK;
  const margin = Math.max((style.high - style.low) / 4, 60 * DAY);
  return [style.low - margin, Math.min(style.high + margin, Math.max(style.high, day(2022)))];
}

function timeMaker({ name, sourceValues, neighbors }: Wanted): ValueMaker {
  const sampled = detectTimes(sourceValues);
  const granularity = sampled === null ? granularityByName(name) : granularityOf(sampled);
  const like = timesIn(neighbors).find(({ style }) => granularityOf(style) === granularity);
  const format = like?.style.format ?? sampled?.format ?? timeFormat(DEFAULT_FORMATS[granularity]);
  const [low, high] = timeRange(name.toLowerCase(), sampled ?? like?.style ?? null, granularity);
  const asText = like === undefined ? !format.isYear : filled(like.column).some((cell) => typeof cell === 'string');
  // A type for dates is none for a time of day, nor for a year.
  const kind = like !== undefined ? 'time' : format.isYear ? 'integer' : granularity === 'clock' ? 'text' : 'time';
  return {
    kind,
    donor: like?.column ?? null,
    draw: (_, rng) => {
      const text = format.render(low + rng.next() * (high - low));
      return asText || !/^\d+$/u.test(text) ? text : BigInt(text);
    },
  };
}

/** Ways to write yes and no. */
type Encoding = readonly [yes: SqlValue, no: SqlValue];

const ENCODINGS: readonly [Encoding, ...Encoding[]] = [
  [1n, 0n],
  ...([
    ['1', '0'],
    ['T', 'F'],
    ['t', 'f'],
    ['true', 'false'],
    ['True', 'False'],
    ['TRUE', 'FALSE'],
    ['yes', 'no'],
    ['Yes', 'No'],
    ['YES', 'NO'],
    ['Y', 'N'],
    ['y', 'n'],
  ] as const),
];

function encodingOf(cells: readonly SqlValue[], both: boolean): readonly [SqlValue, SqlValue] | null {
  const distinct = new Set(cells);
  const within = (pair: readonly SqlValue[]): boolean => [...distinct].every((cell) => pair.includes(cell));
  if (distinct.size < (both ? 2 : 1)) return null;
  return ENCODINGS.find(within) ?? null;
}

function booleanMaker({ sourceValues, neighbors }: Wanted): ValueMaker {
  const like = neighbors.find((column) => encodingOf(filled(column), !/bool/iu.test(column.declaredType)) !== null);
  const sampled = encodingOf(sourceValues, false);
  const [yes, no] = (like === undefined ? sampled : encodingOf(filled(like), false)) ?? ENCODINGS[0];
  return { kind: 'boolean', donor: like ?? null, draw: (_, rng) => (rng.int(2) === 0 ? yes : no) };
}

/** The case of the target's texts, else of all texts of the table: of words, not of codes, times and flags. */
function neighborCase(neighbors: readonly ColumnSample[]): ReturnType<typeof letterCaseOf> {
  const worded = neighbors
    .map((column) => filled(column).filter((cell) => typeof cell === 'string'))
    .filter((texts) => !areCodes(texts) && encodingOf(texts, false) === null && texts.some((text) => text.length > 3))
    .filter((texts) => detectTimes(texts) === null);
  return letterCaseOf(worded.flat());
}

function textMaker({ name, sourceValues, neighbors }: Wanted): ValueMaker {
  const samples = [...new Set(sourceValues.map((value) => value.trim()))].filter((value) => value !== '');
  const known = textsByName(name);
  const own = { draw: textsLike(samples, namesPeople(name)), fixedCase: known.fixedCase || areCodes(samples) };
  const draw = inCase(samples.length > 0 ? own : known, neighborCase(neighbors));
  return { kind: 'text', donor: null, draw: (_, rng) => draw(rng) };
}

/** Texts of the samples and, as often, of those that the name suggests: for samples that all say the same. */
function mixedTextMaker(wanted: Wanted): ValueMaker {
  const makers = [textMaker(wanted), textMaker({ ...wanted, sourceValues: [] })] as const;
  return { ...makers[0], draw: (row, rng) => pick(makers, rng).draw(row, rng) };
}

/** "1.7 litre" as "1.7". */
const withoutUnit = (value: string): string => value.replace(/(?<=^\s*[-+]?\d[\d.,]*)\s*\p{L}+\.?\s*$/u, '');

/** Checks whether the samples say what the type says; else they are of no use. */
function usableSamples({ type, sourceValues }: AddedColumnRequest): readonly string[] {
  const usable: Readonly<Record<ColumnType, (value: string) => boolean>> = {
    number: (value) => parseNumber(value) !== null,
    time: (value) => detectTimes([value]) !== null,
    boolean: (value) => encodingOf([value], false) !== null,
    text: () => true,
    others: () => true,
  };
  const values = type === 'number' ? sourceValues.map(withoutUnit) : sourceValues;
  return values.filter((value) => value.trim() !== '' && usable[type](value));
}

/**
 * The makers of values for a column, in the order to try them: the first fits best, the others give more kinds of
 * values for tables where its values would repeat another column.
 */
export function valueMakers(request: AddedColumnRequest, target: ColumnSample | null, rng: Rng): readonly ValueMaker[] {
  const others = request.table.columns.filter((column) => column !== target);
  const neighbors = target === null ? others : [target, ...others];
  const wanted: Wanted = { ...request, sourceValues: usableSamples(request), neighbors };
  const bare: Wanted = { ...wanted, sourceValues: [] };
  switch (request.type) {
    case 'number':
      return [numberMaker(wanted, rng), numberMaker(bare, rng)];
    case 'time':
      return [timeMaker(wanted), timeMaker(bare)];
    case 'boolean':
      return [booleanMaker(wanted)];
    default:
      return textMakers(wanted, rng);
  }
}

/** Makers for a column that is text to its schema, which may hold numbers and times: as its samples, or its name, say. */
function textMakers(wanted: Wanted, rng: Rng): readonly ValueMaker[] {
  const { name, sourceValues } = wanted;
  const texts = [textMaker(wanted), mixedTextMaker(wanted)];
  const kind = kindByName(name);
  const times = sourceValues.length === 0 ? null : detectTimes(sourceValues);
  if (sourceValues.length === 0 ? kind === 'time' : times !== null && !times.format.isYear)
    return [timeMaker(wanted), ...texts];
  const areNumbers = kind === 'number' && sourceValues.every((value) => parseNumber(value) !== null);
  return areNumbers ? [numberMaker(wanted, rng), ...texts] : texts;
}
