import { readFileSync } from 'node:fs';
import { headOf, headPhrase } from './name-head.js';
import { isCountName, rangeByName } from './number-values.js';
import { HOURS, isFlagName, isTextHead } from './name-words.js';
import { packagePath } from '../../package-path.js';
import { parseTypeCounts } from '../../schema/identifiers/column-words.js';

/** Words for sums that people pay or get, of the size that prices, fees and wages have. */
const SUM =
  '(?:price|cost|fee|fare|charge|surcharge|payment|balance|amount|expense|tax|rent|discount|deposit|refund|bonus|salary|wage|pay|income|allowance|shipping|postage|tip|toll|due|fine|commission|compensation|stipend|tuition|royalty|reimbursement)(?:e?s)?';

const MONEY = new RegExp(
  `(?<!\\bnumber of )\\b${SUM}$|\\b${SUM} (?:increase|decrease|reduction|raise|estimate|paid|owed|due|value|saved|(?:last|this|next) (?:year|month|week))$`,
  'u',
);

/** Names that may be sums: they are where they stand next to one. */
const MAYBE_MONEY = /\b(?:value|worth|increase|raise|estimate)$/u;

/** Checks whether a column's natural name is that of a sum of money: "deposit", "overtime pay", "rent increase". */
export function isMoneyName(name: string): boolean {
  return MONEY.test(headPhrase(name)) && !/\b(?:date|amount of)\b/u.test(name.toLowerCase());
}

/** Checks whether a name is that of a sum where it goes with `target`: the "estimated value" next to a price. */
export function isMoneyNextTo(name: string, target: string): boolean {
  return isMoneyName(name) || (MAYBE_MONEY.test(headPhrase(name)) && isMoneyName(target));
}

/** Columns that a word must end for its types to count, and the share of them that must agree. */
const LEAST = 3;
const AGREEMENT = 0.75;

const KINDS = ['text', 'number', 'time', 'boolean'] as const;

let counted: ReadonlyMap<string, readonly number[]> | null = null;

/** The last list of data/identifiers/names.txt: last words with how many of their columns are of each type. */
function readCounts(): ReadonlyMap<string, readonly number[]> {
  const text = readFileSync(packagePath('data/identifiers/names.txt'), 'utf8');
  return parseTypeCounts(text.slice(text.lastIndexOf('\n\n')));
}

/** The type of nearly all columns of our lists whose names end with a word; null where they are few, or differ. */
function kindOfHead(head: string): (typeof KINDS)[number] | null {
  const counts = (counted ??= readCounts()).get(head) ?? [];
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total < LEAST) return null;
  return KINDS.find((_, i) => (counts[i] ?? 0) >= total * AGREEMENT) ?? null;
}

/** The kinds of values that a name alone can say. */
export type NamedKind = 'number' | 'time' | 'text';

const TIME =
  /\b(?:date|dates|datetime|timestamp|time|birthday|birthdate|deadline|expiry|expiration|dob)$|\b(?:best before|(?:use|sell|due|pay|return|reply|respond|consume|deliver|finish|collect|needed|required|wanted) by)$|\p{L}{2,}(?:ed|sold|made|built|born|seen|paid|sent) (?:at|on|until|since)$|\p{L}{2,} until$|\bvalid (?:from|to)$/u;

/** "Days left", "years in office"; "years active" may be from when to when. */
const SPAN =
  /^(?:days|weeks|months|years|hours|minutes) (?:in|on|at|since|until|to|left|remaining|ago|before|after|late|overdue|spent|worked)\b/u;

/** Times that something takes: "running time". */
const DURATION =
  /\b(?:running|run|playing|turnaround|response|travel|reading|preparation|prep|cooking|waiting|wait|processing|lead|cycle|idle|driving|walking|flying|drying) time$/u;

/** Checks whether a name is that of a time that something takes, a number, and no point in time. */
export function isDurationName(name: string): boolean {
  return DURATION.test(headPhrase(name));
}

/** "Year completed", "year built". */
const YEAR_OF = /\byear (?:of )?(?:\p{L}{2,}ed|built|made|sold|won|begun|birth)$/u;

/**
 * The kind of the values that a column's natural name asks for, by its head: numbers of "team income" and "jars sold",
 * times of "best before", text of "income category"; else by what columns with that head are in our lists; null where
 * the head says nothing, or may be either ("size", "grade").
 */
export function kindByName(name: string): NamedKind | null {
  const phrase = headPhrase(name);
  // "Founded" is a year or a date, "translated" yes or no.
  if (isFlagName(name)) return kindOfHead(phrase) === 'time' ? 'time' : null;
  if (HOURS.test(phrase)) return 'text';
  if (isDurationName(name)) return 'number';
  if (TIME.test(phrase)) return 'time';
  if (isCountName(name) || isMoneyName(name) || YEAR_OF.test(phrase) || SPAN.test(phrase)) return 'number';
  const head = headOf(name);
  const [isText, isNumber] = [isTextHead(head), rangeByName(head) !== null];
  if (isText !== isNumber) return isText ? 'text' : 'number';
  const listed = isText ? null : kindOfHead(head);
  return listed === 'number' || listed === 'time' ? listed : null;
}

/** How finely a column of times tells them. */
export type Granularity = 'year' | 'clock' | 'date' | 'moment' | 'part';

/** How finely the times of a column of that natural name are told, if nothing but the name is known. */
export function granularityByName(name: string): Granularity {
  const words = name.toLowerCase();
  if (/\byears?\b/u.test(words)) return 'year';
  if (/\b(?:datetime|timestamp|date time)\b/u.test(words)) return 'moment';
  return /\btime\b|\bhour\b|\bduration\b/u.test(words) && !/\bdate\b/u.test(words) ? 'clock' : 'date';
}
