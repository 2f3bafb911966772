import { itemAt, mustGet, zip } from '../../present.js';

/** Parts of a point in time; months from 1. */
interface TimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3));

const pad = (value: number): string => String(value).padStart(2, '0');

interface Token {
  readonly part: keyof TimeParts;
  readonly pattern: string;
  render(value: number): string;
  parse(text: string): number;
}

const digits = (part: keyof TimeParts, pattern: string, render: (value: number) => string): Token => ({
  part,
  pattern,
  render,
  parse: Number,
});

const words = (names: readonly string[]): Token => ({
  part: 'month',
  pattern: names.join('|'),
  render: (value) => itemAt(names, value - 1),
  parse: (text) => names.findIndex((name) => name.toLowerCase() === text.toLowerCase()) + 1,
});

const TOKENS: Readonly<Record<string, Token>> = {
  YYYY: digits('year', '1[0-9]{3}|20[0-9]{2}|2100', String),
  MMMM: words(MONTHS),
  MMM: words(SHORT_MONTHS),
  MM: digits('month', '0[1-9]|1[0-2]', pad),
  M: digits('month', '[1-9]|1[0-2]', String),
  DD: digits('day', '0[1-9]|[12][0-9]|3[01]', pad),
  D: digits('day', '[1-9]|[12][0-9]|3[01]', String),
  hh: digits('hour', '[01][0-9]|2[0-3]', pad),
  h: digits('hour', '[0-9]|1[0-9]|2[0-3]', String),
  mm: digits('minute', '[0-5][0-9]', pad),
  ss: digits('second', '[0-5][0-9]', pad),
};

/** Ways to write a time that occur in Spider's databases and in web tables, the stricter before the looser. */
const TEMPLATES = [
  ...['YYYY-MM-DD hh:mm:ss', 'YYYY-MM-DDThh:mm:ss', 'YYYY-MM-DD hh:mm', 'YYYY-MM-DD', 'YYYY-M-D', 'YYYY/MM/DD'],
  ...['MM/DD/YYYY hh:mm:ss', 'MM/DD/YYYY', 'DD/MM/YYYY', 'M/D/YYYY', 'D/M/YYYY', 'DD.MM.YYYY', 'D.M.YYYY'],
  ...['D MMMM YYYY', 'D MMM YYYY', 'DD-MMM-YYYY', 'MMMM D, YYYY', 'MMM D, YYYY', 'MMMM YYYY', 'MMM YYYY', 'MMMM D'],
  ...['YYYYMMDD', 'YYYY-MM', 'hh:mm:ss', 'hh:mm', 'h:mm', 'YYYY'],
];

const TOKEN = /YYYY|MMMM|MMM|MM|M|DD|D|hh|h|mm|ss/gu;

const tokenOf = (name: string): Token => mustGet(TOKENS[name], `the token ${name}`);

/** One way to write a time. */
export class TimeFormat {
  readonly template: string;
  readonly #pattern: RegExp;
  readonly #tokens: readonly Token[];

  constructor(template: string) {
    this.template = template;
    this.#tokens = [...template.matchAll(TOKEN)].map(([name]) => tokenOf(name));
    const pattern = template.replace(/[.]/gu, '\\.').replace(TOKEN, (name) => `(${tokenOf(name).pattern})`);
    this.#pattern = new RegExp(`^${pattern}$`, 'iu');
  }

  /** True if it writes years only: numbers, to look at. */
  get isYear(): boolean {
    return this.template === 'YYYY';
  }

  /**
   * Milliseconds since 1970 (UTC) of a text in this format, else null; parts that the format lacks are the earliest.
   */
  parse(text: string): number | null {
    const match = this.#pattern.exec(text.trim());
    if (match === null) return null;
    const parts: Record<keyof TimeParts, number> = { year: 2000, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
    for (const [token, text] of zip(this.#tokens, match.slice(1))) parts[token.part] = token.parse(text);
    return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
  }

  /** A time, in milliseconds since 1970 (UTC), in this format. */
  render(time: number): string {
    const date = new Date(time);
    const parts: TimeParts = {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
    return this.template.replace(TOKEN, (name) => {
      const token = tokenOf(name);
      return token.render(parts[token.part]);
    });
  }
}

const FORMATS = TEMPLATES.map((template) => new TimeFormat(template));

/** The format by its template, "YYYY-MM-DD". */
export function timeFormat(template: (typeof TEMPLATES)[number]): TimeFormat {
  return FORMATS.find((format) => format.template === template) ?? new TimeFormat(template);
}

/** Share of values that must be in a format: real columns hold a few broken ones. */
const AGREEMENT = 0.9;

/** Times as they are written in a column. */
export interface TimeStyle {
  readonly format: TimeFormat;
  /** Earliest and latest, in milliseconds since 1970 (UTC). */
  readonly low: number;
  readonly high: number;
}

/** The first format that nearly all texts are in, with their range; null where there is none. */
export function detectTimes(texts: readonly string[]): TimeStyle | null {
  const filled = texts.filter((text) => text.trim() !== '');
  if (filled.length === 0) return null;
  for (const format of FORMATS) {
    const times = filled.flatMap((text) => format.parse(text) ?? []);
    if (times.length < filled.length * AGREEMENT) continue;
    const [low, high] = times.reduce(([a, b], time) => [Math.min(a, time), Math.max(b, time)], [Infinity, -Infinity]);
    return { format, low, high };
  }
  return null;
}
